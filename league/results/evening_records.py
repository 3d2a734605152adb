"""The records of evenings and tables, month by month: found in arrays, for these are very many.

An evening counts all its complete tables that have deals, and the rounds that somebody was exempt from, as its ranking
does. Who was exempt the whole evening has a place in the ranking, and no part in a record.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import date
from typing import Final, NamedTuple

import numpy as np

from league.models import Season
from league.results.closed_evenings import HELD, LEFT, OF_ROUNDS, SAT, is_among, places_among
from league.results.record_rows import NAMED, RecordRow
from players import columns
from players.columns import Beside, Query
from players.rating.careers import Days, Flags, Ints, changes, in_order

BIGGEST_EVENING, WINS = "biggest_evening", "wins"
RUN_OF_WINS, RUN_OF_EVENINGS = "run_of_wins", "run_of_evenings"
CLOSEST_TABLE: Final = "closest_table"

_SEATS = f"SELECT seat.round_id, seat.player_id, seat.points, seat.table_id FROM league_seat seat WHERE {OF_ROUNDS}"  # noqa: S608
_IDLE = """
    SELECT id FROM league_table WHERE (deals = 0 OR NOT complete) AND round_id = ANY (ARRAY (SELECT id FROM sat))
"""
_EXEMPT = """
    SELECT rest.round_id, rest.player_id, rest.points FROM league_rest rest
    WHERE rest.kind = 'exempt' AND rest.round_id = ANY (ARRAY (SELECT id FROM sat WHERE state = 'accepted'))
"""


class _Evenings(NamedTuple):
    """Closed evenings by season, each season's in order of time; others name one by its place among these."""

    id: Ints
    season: Ints
    month: Days
    group: Ints  # evenings of one season and month


class _Players(NamedTuple):
    """Who played on which evening, in order of evening and player, and whether he had the evening's first place."""

    at: Ints
    player: Ints
    points: Ints
    won: Flags


class _Tables(NamedTuple):
    """Tables, and how far apart the first and the last of each were."""

    at: Ints
    id: Ints
    spread: Ints


class _Seats(NamedTuple):
    """Seats of tables that count; of rounds that somebody was exempt from, with the table 0."""

    at: Ints
    player: Ints
    points: Ints
    table: Ints


def evening_records(seasons: Collection[Season]) -> Iterator[RecordRow]:
    """Yield what each month of the seasons has; one query."""
    evenings, seats, left = _read(seasons)
    played, tables = _played(seats, left), _tables(seats)
    yield from _best(BIGGEST_EVENING, evenings, played.at, played.points, player=played.player)
    for name, won in ((RUN_OF_EVENINGS, None), (RUN_OF_WINS, played.won)):
        number, since = _runs(evenings, played, won)
        some = number > 1
        of = evenings, played.at[some], number[some]
        yield from _best(name, *of, player=played.player[some], since=evenings.id[since[some]])
    yield from _best(CLOSEST_TABLE, evenings, tables.at, -tables.spread, table=tables.id)
    yield from _wins(evenings, played)


def _read(seasons: Collection[Season]) -> tuple[_Evenings, _Seats, tuple[Ints, Ints]]:
    """Return evenings, seats, and evening and player of those who are placed last because they left."""
    (ids, of, days), rounds, seats, idle, exempt, left = columns.read_together(
        Query("SELECT id, season_id, date FROM held ORDER BY season_id, date, id", [], ["bigint", "bigint", "date"]),
        Query("SELECT id, evening_id FROM sat ORDER BY id", [], ["bigint", "bigint"]),
        Query(_SEATS, [], ["bigint", "bigint", "integer", "bigint"]),
        Query(_IDLE, [], ["bigint"]),
        Query(_EXEMPT, [], ["bigint", "bigint", "integer"]),
        Query(LEFT, [None], ["bigint", "bigint"]),
        beside=[Beside("held", HELD, [[season.pk for season in seasons], date.max]), Beside("sat", SAT, [])],
    )
    month = days.astype("datetime64[M]")
    group = np.cumsum(changes(of) | changes(month)) - 1
    if len(idle[0]):
        counts = ~np.isin(seats[3], idle[0])
        seats = [column[counts] for column in seats]
    rests = [*exempt, np.zeros_like(exempt[0])]
    sitting, player, points, table = (np.concatenate(both) for both in zip(seats, rests, strict=True))
    at = places_among(ids, rounds[1])[np.searchsorted(rounds[0], sitting)] if len(sitting) else sitting
    return _Evenings(ids, of, month, group), _Seats(at, player, points, table), (places_among(ids, left[0]), left[1])


def _played(seats: _Seats, left: tuple[Ints, Ints]) -> _Players:
    """Return what everyone brought home; the first place goes to most points among those who stayed, else among all."""
    if not len(seats.at):
        return _Players(seats.at, seats.player, seats.points, seats.at > 0)
    people = int(max(seats.player.max(), left[1].max(initial=0))) + 1
    key, order = in_order(seats.at * people + seats.player)
    starts = np.flatnonzero(changes(key))
    key = key[starts]
    at, player = key // people, key % people
    points = np.add.reduceat(seats.points[order], starts)
    at_table = np.maximum.reduceat(seats.table[order], starts) > 0
    # Who left ranks behind whoever stayed: fewer points than anybody could have, of the same order.
    rank_by = points - is_among(key, left[0] * people + left[1]) * (int(np.ptp(points)) + 1)
    won = rank_by == _most(at, rank_by)[at]
    return _Players(at[at_table], player[at_table], points[at_table], won[at_table])


def _tables(seats: _Seats) -> _Tables:
    table, order = in_order(seats.table)
    order = order[np.searchsorted(table, 1) :]  # without rounds that were sat out
    table = seats.table[order]
    if not len(table):
        return _Tables(table, table, table)
    starts, points = np.flatnonzero(changes(table)), seats.points[order]
    spread = np.maximum.reduceat(points, starts) - np.minimum.reduceat(points, starts)
    return _Tables(seats.at[order][starts], table[starts], spread)


def _runs(evenings: _Evenings, played: _Players, won: Flags | None) -> tuple[Ints, Ints]:
    """Return how many evenings in a row everyone had played up to each, and the place of the first of them.

    With `won`, how many he had won of those that he played, whether or not he missed others; 0 where he lost.
    """
    order = np.lexsort((played.at, played.player))
    at, row = played.at[order], np.arange(len(order))
    begins = changes(played.player[order]) | changes(evenings.season[at])
    if won is None:
        begins[1:] |= at[1:] != at[:-1] + 1
        number = row - np.maximum.accumulate(np.where(begins, row, 0)) + 1
    else:
        lost = ~won[order]
        begins[1:] |= lost[:-1]
        number = np.where(lost, 0, row - np.maximum.accumulate(np.where(begins, row, 0)) + 1)
    first = at[row - np.maximum(number, 1) + 1]
    back = np.empty_like(order)
    back[order] = row
    return number[back], first[back]


def _most(group: Ints, value: Ints) -> Ints:
    """Return each group's greatest value."""
    most = np.full(int(group.max(initial=-1)) + 1, np.iinfo(np.int64).min)
    np.maximum.at(most, group, value)
    return most


def _best(
    name: str,
    evenings: _Evenings,
    at: Ints,
    value: Ints,
    *,
    player: Ints | None = None,
    since: Ints | None = None,
    table: Ints | None = None,
) -> Iterator[RecordRow]:
    """Yield each month's greatest value with the first who have it; of the closest table the spread, below 0."""
    group = evenings.group[at]
    best = np.flatnonzero(value == _most(group, value)[group])
    who = table if player is None else player
    assert who is not None
    best = best[np.lexsort((who[best], at[best]))]
    group = group[best]
    starts = np.flatnonzero(changes(group)) if len(group) else group
    shared = np.diff(starts, append=len(group))
    place = np.arange(len(group)) - np.repeat(starts, shared) + 1
    first = place <= NAMED
    best, place, shared = best[first], place[first], np.repeat(shared, shared)[first]
    where = at[best]
    cut = [None if each is None else each[best].tolist() for each in (player, since, table)]
    nothing = [None] * len(best)
    yield from map(
        RecordRow,
        evenings.season[where].tolist(),
        [name] * len(best),
        evenings.month[where].astype("datetime64[D]").tolist(),
        place.tolist(),
        abs(value[best]).tolist() if name == CLOSEST_TABLE else value[best].tolist(),
        shared.tolist(),
        cut[0] or nothing,
        evenings.id[where].tolist(),
        cut[1] or nothing,
        cut[2] or nothing,
        nothing,
    )


def _wins(evenings: _Evenings, played: _Players) -> Iterator[RecordRow]:
    """Yield how many evenings of each month everyone won who won one."""
    at, player = played.at[played.won], played.player[played.won]
    people = int(player.max(initial=0)) + 1
    key, number = np.unique(evenings.group[at] * people + player, return_counts=True)
    begins = np.searchsorted(evenings.group, key // people)  # an evening of the month
    place, month_before = 0, -1
    for begin, winner, won in zip(begins.tolist(), (key % people).tolist(), number.tolist(), strict=True):
        place = place + 1 if begin == month_before else 1
        month_before = begin
        month = evenings.month[begin].astype("datetime64[D]").item()
        yield RecordRow(int(evenings.season[begin]), WINS, month, place, won, 1, player=winner)
