"""Read the input of a draw: attendances, constraints of season and club (`Wishes`), earlier meetings.

A draw assigns the players of a round to tables. `league.draw` computes it without the database, and
`league.actions.rounds` stores it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count, islice
from typing import NamedTuple

from django.db import connection

from league.draw.draw_types import Person, Seating, Wishes
from league.draw.plan import plan_rounds
from league.draw.sizes import usual_size
from league.evenings.queries.evening_ranking import ranking
from league.evenings.queries.played_rounds import with_tables_and_rests
from league.models import Attendance, Evening, Rest, Round, Seat, Separation, Table, TeamMember
from league.models.round import RestKind, RoundState
from league.models.season import DrawMethod, PartnerDuration
from league.seasons.queries.season_game import game_of_season
from players.models import Rating

MEETINGS_SQL = """
    SELECT one.player_id, other.player_id, count(*)
    FROM league_seat one
    JOIN league_seat other ON other.table_id = one.table_id AND other.player_id > one.player_id
    JOIN league_round ON league_round.id = one.round_id AND league_round.state = 'accepted'
    JOIN league_evening ON league_evening.id = league_round.evening_id
    WHERE league_evening.season_id = %s AND league_evening.id <> %s AND league_evening.state <> 'cancelled'
        AND one.player_id = ANY(%s) AND other.player_id = ANY(%s)
    GROUP BY 1, 2
"""


DRAW_ATTENDANCE_FIELDS = (
    "from_round",
    "to_round",
    "fixed_table",
    "partner_id",
)  # the fields of Attendance that a draw uses


class DrawAttendance(NamedTuple):
    """The fields of an attendance that a draw uses. `attendance` is its id, `partner` the id of a player."""

    attendance: int
    from_round: int
    to_round: int | None
    fixed_table: int | None
    partner: int | None


def read_draw_attendances(evening: Evening) -> list[DrawAttendance]:
    return [draw_attendance_from_row(row) for row in evening.attendances.all()]


def draw_attendance_from_row(row: Attendance) -> DrawAttendance:
    return DrawAttendance(row.pk, *(getattr(row, name) for name in DRAW_ATTENDANCE_FIELDS))


@dataclass(frozen=True)
class DrawInput:
    """The input of a draw, which assigns the players of each round to tables.

    When the draw is stored, `attendances` are compared with the database, to detect changes since they were read.
    `played_seatings` are the seatings of accepted rounds.
    """

    attendances: tuple[DrawAttendance, ...]
    people: tuple[Person, ...]
    wishes: Wishes
    played_seatings: tuple[Seating, ...]

    @property
    def next_round(self) -> int:
        """Return 1 + the highest number of an accepted round. Numbers can be missing, so rounds are not counted."""
        return 1 + max((seating.number for seating in self.played_seatings), default=0)

    def remaining_rounds(self, rounds: int) -> range:
        """Return the numbers of the rounds that are not played yet, in an evening of `rounds` rounds."""
        return range(self.next_round, rounds + 1)


def read_draw_input(evening: Evening, rounds: Sequence[Round]) -> DrawInput:
    """Read the input of a draw. Its played rounds are the accepted rounds among `rounds`.

    Fetch `rounds` by `rounds_with_tables`. Pass all rounds of the evening, or, to draw a round again, only the rounds
    before it.
    """
    rows = list(evening.attendances.order_by("player_id"))
    return DrawInput(
        attendances=tuple(draw_attendance_from_row(row) for row in rows),
        people=tuple(_person(row) for row in rows),
        wishes=_wishes(evening, [row.player_id for row in rows]),
        played_seatings=tuple(seating_of_round(round_) for round_ in rounds if round_.state == RoundState.ACCEPTED),
    )


def rounds_with_tables(evening: Evening) -> list[Round]:
    return list(with_tables_and_rests(evening.rounds.all()))


def seating_of_round(round_: Round) -> Seating:
    """Return a stored round as a seating of `league.draw`. Fetch the round by `rounds_with_tables`."""
    tables = list(round_.tables.all())
    rests = list(round_.rests.all())
    return Seating(
        number=round_.number,
        tables=tuple(tuple(seat.player_id for seat in table.seats.all()) for table in tables),
        resting=tuple(rest.player_id for rest in rests if rest.kind == RestKind.RESTING),
        exempt=tuple(rest.player_id for rest in rests if rest.kind == RestKind.EXEMPT),
        table_numbers=tuple(table.number for table in tables),
    )


def draw_remaining_players(inputs: DrawInput, kept_tables: Sequence[Table], number: int, seed: int) -> Seating:
    """Return a new seating of round `number` for all players who do not sit at `kept_tables`. Raise ImpossibleDraw.

    The new tables get the lowest numbers that no kept table has.
    """
    seated = {seat.player_id for table in kept_tables for seat in table.seats.all()}
    people = [person for person in inputs.people if person.player not in seated]
    [seating] = plan_rounds(
        people, range(number, number + 1), inputs.wishes, played=inputs.played_seatings, seed=seed
    ).rounds
    kept_numbers = {table.number for table in kept_tables}
    free_numbers = (free_number for free_number in count(1) if free_number not in kept_numbers)
    return seating._replace(table_numbers=tuple(islice(free_numbers, len(seating.tables)))) if kept_numbers else seating


def _person(row: Attendance) -> Person:
    return Person(row.player_id, row.from_round, row.to_round, row.fixed_table, row.partner_id)


def _wishes(evening: Evening, players: Sequence[int]) -> Wishes:
    season, game = evening.season, game_of_season(evening.season)
    return Wishes(
        sizes=tuple(season.table_sizes),
        has_pairs=game.has_pairs,
        keep_partners=season.partners == PartnerDuration.EVENING,
        by_ranking=season.draw == DrawMethod.RANKING,
        strong_first=game.strong_first,
        separations=frozenset(_separations(evening, players)),
        meetings=_count_meetings(evening, players),
        rests=_count_rests(evening, players),
        strengths=_strengths(season.game, players) if game.strong_first else {},
        ranking=tuple(row.player for row in ranking(evening)) if season.draw == DrawMethod.RANKING else (),
    )


def _separations(evening: Evening, players: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield pairs of player ids that must not share a table: the club's separations, and players of one team.

    Two players of a team who came as a pair are left out: they play together.
    """
    aparts = Separation.objects.filter(club=evening.season.club, first__in=players, second__in=players)
    yield from aparts.values_list("first", "second")
    pairs = set(evening.attendances.exclude(partner=None).values_list("player_id", "partner_id"))
    members: dict[int, list[int]] = defaultdict(list)
    rows = TeamMember.objects.filter(season=evening.season, player__in=players).order_by("player_id")
    for team, player in rows.values_list("team_id", "player_id"):
        members[team].append(player)
    for of_team in members.values():
        yield from (pair for pair in combinations(of_team, 2) if not {pair, pair[::-1]} & pairs)


def _count_meetings(evening: Evening, players: Sequence[int]) -> dict[tuple[int, int], int]:
    """Return {pair of player ids: number of tables that they shared} for the season's other evenings."""
    with connection.cursor() as cursor:
        cursor.execute(MEETINGS_SQL, [evening.season_id, evening.pk, list(players), list(players)])
        return {(first, second): times for first, second, times in cursor.fetchall()}


def _count_rests(evening: Evening, players: Sequence[int]) -> Counter[int]:
    """Return {player id: number of rests and of seats at tables of an unusual size} for the season's other evenings."""
    earlier = Round.objects.accepted().filter(evening__season=evening.season_id).exclude(evening=evening)
    usual = usual_size(evening.season.table_sizes)
    odd = Seat.objects.filter(round__in=earlier, player__in=players).exclude(table__size=usual)
    out = Rest.objects.filter(round__in=earlier, player__in=players)
    return Counter(odd.values_list("player_id", flat=True)) + Counter(out.values_list("player_id", flat=True))


def _strengths(game: str, players: Iterable[int]) -> dict[int, int]:
    return dict(Rating.objects.filter(game=game, player__in=list(players)).values_list("player_id", "micro"))
