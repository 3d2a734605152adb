"""A season's rows as the standings' arithmetic takes them: each evening with what everyone brought home from it.

What counts are the seats of complete tables of closed evenings, and the rounds that somebody sat out: a player who
rested all evening attended it. Seats are added up in arrays. Only what a season's rules read is worked out: most need
no more than points and deals.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import pairwise, repeat
from typing import Any, Final, NamedTuple

import numpy as np

from league.evenings.queries.closed_evenings import ClosedEvenings, PlayedSeats, Rests, is_among, read_evenings
from league.models import Adjustment, Season
from league.seasons.queries.house_rules_trial import SeatPoints, TableTrial
from league.sheets.queries.table_sides import TableSeats, opponents
from league.standings.rules import StandingsRules
from league.standings.season import PlayerEvening, PointsGiven, SeasonEvening, TableResult
from league.standings.words import WORDS
from players.rating.careers import Flags, Ints, changes, in_order
from scoring.rules.errors import IllegalDeal
from scoring.rules.words import say

OF_TABLES: Final = frozenset({"won", "lost", "tables", "partners"})  # what can't be told without each table's seats


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
    read: Sequence[ClosedEvenings] = (),
) -> dict[int, SeasonFacts]:
    """Return what the standings of several seasons follow from, by their ids; by `rules`, or else by their own.

    With `until`, evenings and adjustments up to that date, as they are known today. With `seat_points`, as if these
    seats had these; with `tables`, as if these counted. With `read`, of what `read_seasons` has read of them.
    Raises UnreadableRules.
    """
    told = {season.pk: rules or rules_of(season) for season in seasons}
    game_of = {season.pk: season.game for season in seasons}
    found = {pk: SeasonFacts(each, [], []) for pk, each in told.items()}
    leavers = tables and ("last" if tables.leavers_last else "ranked")
    for closed in read or _read(told, game_of, until or date.max, leavers):
        game = next(game_of[pk] for pk in closed.seasons) if closed.seats.number is not None else ""
        for pk, evening in _evenings(told, closed, game, seat_points or {}, tables):
            found[pk].evenings.append(evening)
    given = Adjustment.objects.filter(season__in=told).order_by("pk")
    if until:
        given = given.filter(given_at__date__lte=until)
    for pk, player, points in given.values_list("season_id", "player_id", "points"):
        found[pk].adjustments.append(PointsGiven(player, points))
    return found


def read_seasons(seasons: Collection[Season]) -> list[ClosedEvenings]:
    """Read what standings and records of several seasons follow from; a query, and one for each game asked by table.

    Raises UnreadableRules.
    """
    told = {season.pk: rules_of(season) for season in seasons}
    return list(_read(told, {season.pk: season.game for season in seasons}, date.max, None))


def _read(
    told: Mapping[int, StandingsRules], game_of: Mapping[int, str], until: date, leavers: str | None
) -> Iterator[ClosedEvenings]:
    alike: dict[str, list[int]] = defaultdict(list)  # by game where each table is asked for
    for pk, rules in told.items():
        alike[game_of[pk] if OF_TABLES & rules.reads else ""].append(pk)
    for game, some in alike.items():
        yield read_evenings(some, until, by_table=bool(game), leavers=leavers)


def rules_of(season: Season) -> StandingsRules:
    """Return the rules that a season was told. Raises UnreadableRules."""
    try:
        return StandingsRules.from_json(season.standings_rules)
    except IllegalDeal as illegal:
        words = say(WORDS, illegal.code, illegal.params)
        raise UnreadableRules(f"The standings rules of {season} can't be read. {illegal.field}: {words}") from illegal


def _evenings(
    told: Mapping[int, StandingsRules],
    closed: ClosedEvenings,
    game: str,
    seat_points: SeatPoints,
    trial: TableTrial | None,
) -> Iterator[tuple[int, SeasonEvening]]:
    """Each season's closed evenings by its id, in order of time. With a `game`, which is all seasons', by table."""
    evenings = closed.evenings
    seats = closed.counted if trial is None else closed.seats.only(~_among(closed.seats, trial.incomplete))
    if seat_points:
        seats = seats._replace(points=_replaced(seats, seat_points))
    rests = _counted_rests(closed, [pk for pk, rules in told.items() if rules.rests], seats)
    at = np.concatenate([seats.at, rests.at])
    player = np.concatenate([seats.player, rests.player])
    people = max(int(column.max(initial=0)) for column in (player, closed.members[1], closed.left[1])) + 1
    key, order = in_order(at * people + player)
    starts = np.flatnonzero(changes(key)) if len(key) else key
    key = key[starts]

    def added(of_seats: Ints, of_rests: Ints) -> Ints:
        both = np.concatenate([of_seats, of_rests])[order]
        return np.add.reduceat(both, starts) if len(starts) else both

    nothing, none = np.zeros_like(seats.player), np.zeros_like(rests.player)
    more: dict[str, Iterable[Any]] = {}
    if game:
        assert seats.number is not None
        rows = order, [*starts.tolist(), len(order)]
        more = _of_tables(game, TableSeats(seats.table, seats.number, seats.player, seats.points), rows, added)
    exempt = rests.is_exempt.astype(np.int64)
    if len(exempt):
        more |= {"exempt": added(nothing, exempt).tolist(), "rests": added(nothing, 1 - exempt).tolist()}
    results = _results(
        key % people,
        added(seats.points, rests.points),
        added(seats.deals, none),
        is_among(key, closed.members[0] * people + closed.members[1]),
        is_among(key, closed.left[0] * people + closed.left[1]),
        more,
    )
    ends = np.searchsorted(key, np.arange(len(evenings.id) + 1) * people).tolist()
    told_of = (column.tolist() for column in evenings)
    for (begin, end), (pk, season, day, weight, final) in zip(pairwise(ends), zip(*told_of, strict=True), strict=True):
        if season in told:
            yield season, SeasonEvening(pk, day.isoformat(), results[begin:end], weight, final)


def _among(seats: PlayedSeats, those: Collection[tuple[int, int]]) -> Flags:
    """Return which seats are those of a round and a player, who sits there once."""
    rounds, players = np.array(sorted(those), np.int64).reshape(-1, 2).T
    people = max(int(seats.player.max(initial=0)), int(players.max(initial=0))) + 1
    return np.isin(seats.round * people + seats.player, rounds * people + players)


def _counted_rests(closed: ClosedEvenings, seasons: Sequence[int], seats: PlayedSeats) -> Rests:
    """Return the rests by which a player attends an evening.

    They are exempt rounds, all rests in the `seasons` that compensate them, and rests of a whole evening at which
    something was played. The last are worth 0 points: the player came, as in the evening's ranking.
    """
    rests = closed.rests
    compensated = np.isin(closed.evenings.season[rests.at], seasons)
    return rests.only(rests.is_exempt | compensated | (rests.all_evening & np.isin(rests.at, seats.at)))


def _replaced(seats: PlayedSeats, by: SeatPoints) -> Ints:
    """Return the seats' points, with others where `by` has them."""
    each = zip(seats.round.tolist(), seats.player.tolist(), seats.points.tolist(), strict=True)
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
    is_met = [bool(each.opponents) for each in tables]  # not so at a table that its game cannot have
    of_result = [
        [row for row in order[begin:end].tolist() if row < len(tables) and is_met[row]]
        for begin, end in pairwise(starts)
    ]
    return {
        "won": added(won.astype(np.int64), none).tolist(),
        "lost": added((found.ahead > 0).astype(np.int64), none).tolist(),
        "tables": [tuple([tables[row] for row in some]) for some in of_result],
        "partners": [tuple([each for row in some for each in partners[row]]) for some in of_result],
    }
