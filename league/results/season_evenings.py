"""A season's rows as the standings' arithmetic takes them: each evening with what everyone brought home from it.

What counts are the seats of complete tables of closed evenings, and the rounds that somebody sat out. Seats are read
as arrays, and added up there. Only what a season's rules read is read: most need no more than points and deals.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import pairwise, repeat
from typing import Any, Final, NamedTuple

import numpy as np

from league.models import Adjustment, Season
from league.results.closed_evenings import HELD, LEFT, OF_ROUNDS, SAT, is_among, places_among
from league.results.house_rules_trial import SeatPoints, TableTrial
from league.results.table_sides import TableSeats, opponents
from league.standings.rules import StandingsRules, read_rules
from league.standings.season import PlayerEvening, PointsGiven, SeasonEvening, TableResult
from league.standings.words import WORDS
from players import columns
from players.columns import Beside, Query
from players.rating.careers import Flags, Ints, changes, in_order
from scoring.rules.errors import IllegalDeal
from scoring.rules.words import say

OF_TABLES: Final = frozenset({"won", "lost", "tables", "partners"})  # what can't be told without each table's seats

_SEATS = f"SELECT seat.round_id, seat.player_id, seat.points, seat.deals FROM league_seat seat WHERE {OF_ROUNDS}"  # noqa: S608
_SEATS_OF_TABLES = f"""
    SELECT seat.round_id, seat.player_id, seat.points, seat.deals, seat.table_id, seat.number FROM league_seat seat
    WHERE {OF_ROUNDS} ORDER BY seat.table_id, seat.number
"""  # noqa: S608
# What doesn't count is little, and has an index: else the database would look at each seat's table.
_INCOMPLETE = f"""
    SELECT seat.round_id, seat.player_id FROM league_seat seat JOIN league_table t ON t.id = seat.table_id
    WHERE NOT t.complete AND {OF_ROUNDS}
"""  # noqa: S608
_RESTS = """
    SELECT rest.round_id, rest.player_id, rest.points, rest.kind = 'exempt' FROM league_rest rest
    JOIN sat ON sat.id = rest.round_id JOIN held ON held.id = sat.evening_id
    WHERE rest.round_id = ANY (ARRAY (SELECT id FROM sat WHERE state = 'accepted'))
    AND (rest.kind = 'exempt' OR held.season_id = ANY (%s))
"""
_MEMBERS = """
    SELECT evening_id, player_id FROM league_attendance
    WHERE evening_id = ANY (ARRAY (SELECT id FROM held)) AND standing = 'member'
"""


class UnreadableRules(ValueError):
    """Standings rules of a season that can't be read: nobody knows what its standings are."""


class SeasonFacts(NamedTuple):
    """What a season's standings follow from."""

    rules: StandingsRules
    evenings: list[SeasonEvening]
    adjustments: list[PointsGiven]


def facts_of(
    seasons: Collection[Season],
    until: date | None = None,
    rules: StandingsRules | None = None,
    seat_points: SeatPoints | None = None,
    tables: TableTrial | None = None,
) -> dict[int, SeasonFacts]:
    """Return what the standings of several seasons follow from, by their ids; by `rules`, or else by their own.

    With `until`, evenings and adjustments up to that date, as they are known today. With `seat_points`, as if these
    seats had these; with `tables`, as if these counted. Raises UnreadableRules.
    """
    told = {season.pk: rules or rules_of(season) for season in seasons}
    found = {pk: SeasonFacts(each, [], []) for pk, each in told.items()}
    alike: dict[str, list[int]] = defaultdict(list)  # by game where each table is asked for
    for season in seasons:
        alike[season.game if OF_TABLES & told[season.pk].reads else ""].append(season.pk)
    for game, some in alike.items():
        for pk, evening in _evenings({pk: told[pk] for pk in some}, until or date.max, game, seat_points or {}, tables):
            found[pk].evenings.append(evening)
    given = Adjustment.objects.filter(season__in=told).order_by("pk")
    if until:
        given = given.filter(given_at__date__lte=until)
    for pk, player, points in given.values_list("season_id", "player_id", "points"):
        found[pk].adjustments.append(PointsGiven(player, points))
    return found


def rules_of(season: Season) -> StandingsRules:
    """Return the rules that a season was told. Raises UnreadableRules."""
    try:
        return read_rules(season.standings_rules)
    except IllegalDeal as illegal:
        words = say(WORDS, illegal.code, illegal.params)
        raise UnreadableRules(f"The standings rules of {season} can't be read. {illegal.field}: {words}") from illegal


def _evenings(
    told: Mapping[int, StandingsRules], until: date, game: str, seat_points: SeatPoints, trial: TableTrial | None
) -> Iterator[tuple[int, SeasonEvening]]:
    """Each season's closed evenings by its id, in order of time. With a `game`, which is all seasons', by table."""
    compensated = [pk for pk, rules in told.items() if rules.rests]
    leavers = trial and ("last" if trial.leavers_last else "ranked")
    seat_types = ["bigint", "bigint", "integer", "smallint", *["bigint", "smallint"] * bool(game)]
    (ids, seasons, days, weights, finals), rounds, seats, incomplete, rests, members, left = columns.read_together(
        Query(
            "SELECT * FROM held ORDER BY season_id, date, id", [], ["bigint", "bigint", "date", "smallint", "boolean"]
        ),
        Query("SELECT id, evening_id FROM sat ORDER BY id", [], ["bigint", "bigint"]),
        Query(_SEATS_OF_TABLES if game else _SEATS, [], seat_types),
        Query(_INCOMPLETE, [], ["bigint", "bigint"]),
        Query(_RESTS, [compensated], ["bigint", "bigint", "integer", "boolean"]),
        Query(_MEMBERS, [], ["bigint", "bigint"]),
        Query(LEFT, [leavers], ["bigint", "bigint"]),
        beside=[Beside("held", HELD, [list(told), until]), Beside("sat", SAT, [])],
    )
    if trial:
        incomplete = list(np.array(sorted(trial.incomplete), np.int64).reshape(-1, 2).T)
    if len(incomplete[0]):
        people = int(max(seats[1].max(), incomplete[1].max())) + 1  # who sits in a round sits there once
        counts = ~np.isin(seats[0] * people + seats[1], incomplete[0] * people + incomplete[1])
        seats = [column[counts] for column in seats]
    if seat_points:
        seats = [*seats[:2], _replaced(seats[0], seats[1], seats[2], seat_points), *seats[3:]]
    evening_of = places_among(ids, rounds[1])
    at = np.concatenate([evening_of[np.searchsorted(rounds[0], part[0])] for part in (seats, rests)])
    player = np.concatenate([seats[1], rests[1]])
    people = max(int(column.max(initial=0)) for column in (player, members[1], left[1])) + 1
    key, order = in_order(at * people + player)
    starts = np.flatnonzero(changes(key)) if len(key) else key
    key = key[starts]

    def added(of_seats: Ints, of_rests: Ints) -> Ints:
        both = np.concatenate([of_seats, of_rests])[order]
        return np.add.reduceat(both, starts) if len(starts) else both

    nothing, none = np.zeros_like(seats[1]), np.zeros_like(rests[1])
    more: dict[str, Iterable[Any]] = {}
    if game:
        rows = order, [*starts.tolist(), len(order)]
        more = _of_tables(game, TableSeats(seats[4], seats[5], seats[1], seats[2]), rows, added)
    exempt = rests[3].astype(np.int64)
    if len(exempt):
        more |= {"exempt": added(nothing, exempt).tolist(), "rests": added(nothing, 1 - exempt).tolist()}
    results = _results(
        key % people,
        added(seats[2], rests[2]),
        added(seats[3], none),
        is_among(key, places_among(ids, members[0]) * people + members[1]),
        is_among(key, places_among(ids, left[0]) * people + left[1]),
        more,
    )
    ends = np.searchsorted(key, np.arange(len(ids) + 1) * people).tolist()
    told_of = (column.tolist() for column in (ids, seasons, days, weights, finals))
    for (begin, end), (pk, season, day, weight, final) in zip(pairwise(ends), zip(*told_of, strict=True), strict=True):
        yield season, SeasonEvening(pk, day.isoformat(), results[begin:end], weight, final)


def _replaced(rounds: Ints, players: Ints, points: Ints, by: SeatPoints) -> Ints:
    """Return the seats' points, with others where `by` has them."""
    each = zip(rounds.tolist(), players.tolist(), points.tolist(), strict=True)
    return np.array([by.get((sitting, player), stored) for sitting, player, stored in each], np.int64)


def _results(
    player: Ints, points: Ints, deals: Ints, member: Flags, left: Flags, more: Mapping[str, Iterable[Any]]
) -> list[PlayerEvening]:
    known = [column.tolist() for column in (player, points, deals, member, left)]
    rows = zip(*known, *(more.get(name, repeat(usual)) for name, usual in _MORE.items()), strict=False)
    return list(map(_player_evening, rows))


# As PlayerEvening._make, without a call in Python for each: they are very many.
_player_evening: Final[Callable[[Iterable[Any]], PlayerEvening]] = partial(tuple.__new__, PlayerEvening)
_MORE: Final = {name: PlayerEvening._field_defaults[name] for name in PlayerEvening._fields[5:]}


def _of_tables(
    game: str, seats: TableSeats, rows: tuple[Ints, Sequence[int]], added: Callable[[Ints, Ints], Ints]
) -> dict[str, Iterable[Any]]:
    """What each player met at his tables: `rows` are those of each result, in order, and where each result begins.

    A side won its table if no other has as many points, and lost it if another has more.
    """
    order, starts = rows
    found = opponents(game, seats)
    none = np.zeros(len(order) - len(seats.table), np.int64)  # for rounds that were sat out
    won = (found.all > 0) & (found.behind == found.all)
    partners: dict[int, list[int]] = defaultdict(list)
    for one, partner in zip(found.one.tolist(), seats.player[found.partner].tolist(), strict=True):
        partners[one].append(partner)
    tables = [TableResult(*each) for each in zip(*(column.tolist() for column in found[:3]), strict=True)]
    of_result = [[row for row in order[begin:end].tolist() if row < len(tables)] for begin, end in pairwise(starts)]
    return {
        "won": added(won.astype(np.int64), none).tolist(),
        "lost": added((found.ahead > 0).astype(np.int64), none).tolist(),
        "tables": [tuple([tables[row] for row in some]) for some in of_result],
        "partners": [tuple([each for row in some for each in partners[row]]) for some in of_result],
    }
