"""What a draw is made from: who is there, what the season and the club wish, who met whom. Reads only.

The draw itself is `league.draw`, pure; `league.actions.rounds` writes what it finds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count, islice

from django.db import connection

from league.draw.plan import plan
from league.draw.sizes import usual_size
from league.draw.terms import Person, Seating, Wishes
from league.evenings.queries.evening_board import with_places
from league.evenings.queries.evening_ranking import ranking
from league.evenings.queries.present import Present, as_present
from league.models import Apart, Attendance, Evening, Rest, Round, Seat, Table
from league.models.round import RestKind, RoundState
from league.models.season import Draw, Partners
from players.models import Rating
from scoring.game import find_game

MET = """
    SELECT one.player_id, other.player_id, count(*)
    FROM league_seat one
    JOIN league_seat other ON other.table_id = one.table_id AND other.player_id > one.player_id
    JOIN league_round ON league_round.id = one.round_id AND league_round.state = 'accepted'
    JOIN league_evening ON league_evening.id = league_round.evening_id
    WHERE league_evening.season_id = %s AND league_evening.id <> %s AND league_evening.state <> 'cancelled'
        AND one.player_id = ANY(%s) AND other.player_id = ANY(%s)
    GROUP BY 1, 2
"""


@dataclass(frozen=True)
class Basis:
    """All that a draw of an evening's rounds needs; `attendances` are the rows that it was made from."""

    attendances: tuple[Present, ...]
    people: tuple[Person, ...]
    wishes: Wishes
    played: tuple[Seating, ...]

    @property
    def next_round(self) -> int:
        """The number of the first round to draw; those before it may have gaps, where tables were taken away."""
        return 1 + max((sitting.number for sitting in self.played), default=0)

    def left_of(self, rounds: int) -> range:
        """Return the numbers of the rounds that are left of so many."""
        return range(self.next_round, rounds + 1)


def basis(evening: Evening, rounds: Sequence[Round]) -> Basis:
    """Return what a draw has to know, given the evening's rounds.

    Five queries, one or two more for strengths or ranking.
    """
    rows = list(evening.attendances.order_by("player_id"))
    return Basis(
        attendances=tuple(as_present(row) for row in rows),
        people=tuple(_person(row) for row in rows),
        wishes=_wishes(evening, [row.player_id for row in rows]),
        played=tuple(sitting(each) for each in rounds if each.state == RoundState.ACCEPTED),
    )


def drawn(evening: Evening) -> list[Round]:
    """Return the evening's rounds, planned ones too, with tables, seats and rests; four queries."""
    return list(with_places(evening.rounds.all()))


def sitting(round_: Round) -> Seating:
    """Return a round as the draw knows it."""
    tables = list(round_.tables.all())
    rests = list(round_.rests.all())
    return Seating(
        number=round_.number,
        tables=tuple(tuple(seat.player_id for seat in table.seats.all()) for table in tables),
        resting=tuple(rest.player_id for rest in rests if rest.kind == RestKind.RESTING),
        exempt=tuple(rest.player_id for rest in rests if rest.kind == RestKind.EXEMPT),
        table_numbers=tuple(table.number for table in tables),
    )


def drawn_beside(basis: Basis, kept: Sequence[Table], number: int, seed: int) -> Seating:
    """Return a round drawn for those who don't sit at the tables that are kept, at numbers that these leave free.

    Raises ImpossibleDraw.
    """
    seated = {seat.player_id for table in kept for seat in table.seats.all()}
    people = [person for person in basis.people if person.player not in seated]
    [found] = plan(people, range(number, number + 1), basis.wishes, played=basis.played, seed=seed).rounds
    taken = {table.number for table in kept}
    free = (each for each in count(1) if each not in taken)
    return found._replace(table_numbers=tuple(islice(free, len(found.tables)))) if taken else found


def _person(row: Attendance) -> Person:
    return Person(row.player_id, row.from_round, row.to_round, row.fixed_table, row.partner_id)


def _wishes(evening: Evening, players: Sequence[int]) -> Wishes:
    season, game = evening.season, find_game(evening.season.game)
    return Wishes(
        sizes=tuple(season.table_sizes),
        resting_size=season.resting_size,
        pairs=game.has_pairs,
        keep_partners=season.partners == Partners.EVENING,
        by_ranking=season.draw == Draw.RANKING,
        strong_first=game.strong_first,
        separations=frozenset(
            Apart.objects.filter(club=season.club, first__in=players, second__in=players).values_list("first", "second")
        ),
        meetings=_met(evening, players),
        rests=_rested(evening, players),
        strengths=_strengths(season.game, players) if game.strong_first else {},
        ranking=tuple(place.player for place in ranking(evening)) if season.draw == Draw.RANKING else (),
    )


def _met(evening: Evening, players: Sequence[int]) -> dict[tuple[int, int], int]:
    with connection.cursor() as cursor:
        cursor.execute(MET, [evening.season_id, evening.pk, list(players), list(players)])
        return {(one, other): times for one, other, times in cursor.fetchall()}


def _rested(evening: Evening, players: Sequence[int]) -> Counter[int]:
    """Return how often each sat out this season, or was at a table of an unusual size."""
    earlier = Round.objects.accepted().filter(evening__season=evening.season_id).exclude(evening=evening)
    usual = usual_size(evening.season.table_sizes)
    odd = Seat.objects.filter(round__in=earlier, player__in=players).exclude(table__size=usual)
    out = Rest.objects.filter(round__in=earlier, player__in=players)
    return Counter(odd.values_list("player_id", flat=True)) + Counter(out.values_list("player_id", flat=True))


def _strengths(game: str, players: Iterable[int]) -> dict[int, int]:
    return dict(Rating.objects.filter(game=game, player__in=list(players)).values_list("player_id", "micro"))
