"""Records of a season's evenings and tables, by month. They are computed with arrays, because there are very many rows.

As in its ranking, an evening counts all complete tables with deals, and the points of exempt players and of rests with
points. A player who had no table that evening has a rank, but no record.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from league.evenings.queries.closed_evenings import (
    ClosedEvenings,
    PlayedSeats,
    exclude_tables,
    read_closed_evenings,
    sorted_isin,
)
from league.models import Season
from league.statistics.queries.record_rows import MAX_HOLDERS, RecordRow
from players.rating.experience import Days, Flags, Ints, change_flags, sort_with_indexes

BIGGEST_EVENING, WINS = "biggest_evening", "wins"
RUN_OF_WINS, RUN_OF_EVENINGS = "run_of_wins", "run_of_evenings"
CLOSEST_TABLE: Final = "closest_table"


class _Evenings(NamedTuple):
    """Arrays with one entry for each closed evening, sorted by season and time. Other arrays have indexes into them."""

    id: Ints
    season: Ints
    month: Days
    group: Ints  # a number for each season and month, which its evenings share


class _PlayerEvenings(NamedTuple):
    """Arrays with one entry for each result (a player's evening), sorted by evening and player. `won`: rank 1."""

    evening: Ints
    player: Ints
    points: Ints
    won: Flags


class _Tables(NamedTuple):
    """Arrays with one entry for each complete table. `spread`: the difference of its highest and lowest points."""

    evening: Ints
    id: Ints
    spread: Ints


def evening_records(seasons: Collection[Season], closed_evenings: Sequence[ClosedEvenings] = ()) -> Iterator[RecordRow]:
    """Yield the records of the seasons. `closed_evenings` were already read; the other evenings are read here."""
    wanted = {season.pk for season in seasons}
    unread = wanted.difference(*(evenings.seasons for evenings in closed_evenings))
    for closed in [*closed_evenings, *[read_closed_evenings(unread)] * bool(unread)]:
        yield from (row for row in _records(closed) if row.season in wanted)


def _records(closed: ClosedEvenings) -> Iterator[RecordRow]:
    evenings = _evenings(closed)
    seats = exclude_tables(closed.seats_of_complete_tables, _tables_without_deals(closed.seats))
    results, tables = _player_evenings(seats, closed), _tables(seats)
    yield from _best_rows(BIGGEST_EVENING, evenings, results.evening, results.points, player=results.player)
    for name, won in ((RUN_OF_EVENINGS, None), (RUN_OF_WINS, results.won)):
        number, since = _run_lengths(evenings, results, won)
        several = number > 1
        best_of = evenings, results.evening[several], number[several]
        yield from _best_rows(name, *best_of, player=results.player[several], since=evenings.id[since[several]])
    yield from _best_rows(CLOSEST_TABLE, evenings, tables.evening, -tables.spread, table=tables.id)
    yield from _win_rows(evenings, results)


def _evenings(closed: ClosedEvenings) -> _Evenings:
    ids, seasons, days, *_rest = closed.evenings
    month = days.astype("datetime64[M]")
    return _Evenings(ids, seasons, month, np.cumsum(change_flags(seasons) | change_flags(month)) - 1)


def _tables_without_deals(seats: PlayedSeats) -> Ints:
    """Return the ids of tables where no seat has deals. The search starts from the few seats without deals."""
    none = np.unique(seats.table[seats.deals == 0])
    return np.setdiff1d(none, seats.table[(seats.deals > 0) & np.isin(seats.table, none)]) if len(none) else none


def _player_evenings(seats: PlayedSeats, closed: ClosedEvenings) -> _PlayerEvenings:
    """Return the results of all players who had a table on the evening.

    The winner has the most points of all players who stayed; if all left early, of all players.
    """
    rests, leavers = closed.rests.filter_rows(closed.rests.is_counted), closed.leavers
    evening, player = (np.concatenate(both) for both in ((seats.evening, rests.evening), (seats.player, rests.player)))
    if not len(evening):
        return _PlayerEvenings(evening, player, evening, evening > 0)
    people = int(max(player.max(), leavers[1].max(initial=0))) + 1
    key, order = sort_with_indexes(evening * people + player)
    starts = np.flatnonzero(change_flags(key))
    key = key[starts]
    evening, player = key // people, key % people
    points = np.add.reduceat(np.concatenate([seats.points, rests.points])[order], starts)
    at_table = np.logical_or.reduceat(order < len(seats.evening), starts)
    # A player who left early ranks behind all who stayed: subtract more than the range of points.
    rank_by = points - sorted_isin(key, leavers[0] * people + leavers[1]) * (int(np.ptp(points)) + 1)
    won = rank_by == _group_maximum(evening, rank_by)[evening]
    return _PlayerEvenings(evening[at_table], player[at_table], points[at_table], won[at_table])


def _tables(seats: PlayedSeats) -> _Tables:
    table, order = sort_with_indexes(seats.table)
    if not len(table):
        return _Tables(table, table, table)
    starts, points = np.flatnonzero(change_flags(table)), seats.points[order]
    spread = np.maximum.reduceat(points, starts) - np.minimum.reduceat(points, starts)
    return _Tables(seats.evening[order][starts], table[starts], spread)


def _run_lengths(evenings: _Evenings, results: _PlayerEvenings, won: Flags | None) -> tuple[Ints, Ints]:
    """Return the length of the run that ends with each result, and the index of the run's first evening.

    Without `won`, a run is a series of evenings that the player attended without a gap. With `won`, a run is a series
    of won evenings among those attended; its length is 0 after a lost evening.
    """
    order = np.lexsort((results.evening, results.player))
    evening, row = results.evening[order], np.arange(len(order))
    begins = change_flags(results.player[order]) | change_flags(evenings.season[evening])
    if won is None:
        begins[1:] |= evening[1:] != evening[:-1] + 1
        number = row - np.maximum.accumulate(np.where(begins, row, 0)) + 1
    else:
        lost = ~won[order]
        begins[1:] |= lost[:-1]
        number = np.where(lost, 0, row - np.maximum.accumulate(np.where(begins, row, 0)) + 1)
    first = evening[row - np.maximum(number, 1) + 1]
    back = np.empty_like(order)
    back[order] = row
    return number[back], first[back]


def _group_maximum(group: Ints, value: Ints) -> Ints:
    maximum = np.full(int(group.max(initial=-1)) + 1, np.iinfo(np.int64).min)
    np.maximum.at(maximum, group, value)
    return maximum


def _best_rows(
    name: str,
    evenings: _Evenings,
    evening: Ints,
    value: Ints,
    *,
    player: Ints | None = None,
    since: Ints | None = None,
    table: Ints | None = None,
) -> Iterator[RecordRow]:
    """Yield the rows of a record: the holders of the highest value of each season and month.

    The arrays have one entry for each candidate: `evening` is an index into `evenings`, `since`, `player` and `table`
    are ids. For the closest table, `value` is the negative spread.
    """
    group = evenings.group[evening]
    best = np.flatnonzero(value == _group_maximum(group, value)[group])
    holder = table if player is None else player
    assert holder is not None
    best = best[np.lexsort((holder[best], evening[best]))]
    group = group[best]
    starts = np.flatnonzero(change_flags(group)) if len(group) else group
    shared = np.diff(starts, append=len(group))
    number = np.arange(len(group)) - np.repeat(starts, shared) + 1
    first = number <= MAX_HOLDERS
    best, number, shared = best[first], number[first], np.repeat(shared, shared)[first]
    best_evening = evening[best]
    optional_columns = [None if column is None else column[best].tolist() for column in (player, since, table)]
    empty = [None] * len(best)
    yield from map(
        RecordRow,
        evenings.season[best_evening].tolist(),
        [name] * len(best),
        evenings.month[best_evening].astype("datetime64[D]").tolist(),
        number.tolist(),
        abs(value[best]).tolist() if name == CLOSEST_TABLE else value[best].tolist(),
        shared.tolist(),
        optional_columns[0] or empty,
        evenings.id[best_evening].tolist(),
        optional_columns[1] or empty,
        optional_columns[2] or empty,
        empty,
    )


def _win_rows(evenings: _Evenings, results: _PlayerEvenings) -> Iterator[RecordRow]:
    evening, player = results.evening[results.won], results.player[results.won]
    people = int(player.max(initial=0)) + 1
    key, number = np.unique(evenings.group[evening] * people + player, return_counts=True)
    begins = np.searchsorted(evenings.group, key // people)  # an evening of the month
    place, month_before = 0, -1
    for begin, winner, won in zip(begins.tolist(), (key % people).tolist(), number.tolist(), strict=True):
        place = place + 1 if begin == month_before else 1
        month_before = begin
        month = evenings.month[begin].astype("datetime64[D]").item()
        yield RecordRow(int(evenings.season[begin]), WINS, month, place, won, 1, player=winner)
