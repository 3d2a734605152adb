"""The records of evenings and tables, month by month: found in arrays, for these are very many.

An evening counts all its complete tables that have deals, and the rounds that somebody was exempt from, as its ranking
does. Who was exempt the whole evening has a place in the ranking, and no part in a record.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from league.evenings.queries.closed_evenings import ClosedEvenings, PlayedSeats, is_among, read_evenings, without_tables
from league.models import Season
from league.statistics.queries.record_rows import NAMED, RecordRow
from players.rating.careers import Days, Flags, Ints, changes, in_order

BIGGEST_EVENING, WINS = "biggest_evening", "wins"
RUN_OF_WINS, RUN_OF_EVENINGS = "run_of_wins", "run_of_evenings"
CLOSEST_TABLE: Final = "closest_table"


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


def evening_records(seasons: Collection[Season], read: Sequence[ClosedEvenings] = ()) -> Iterator[RecordRow]:
    """Yield what each month of the seasons has; one query, for those that were not `read` already."""
    wanted = {season.pk for season in seasons}
    unread = wanted.difference(*(each.seasons for each in read))
    for closed in [*read, *[read_evenings(unread)] * bool(unread)]:
        yield from (row for row in _records(closed) if row.season in wanted)


def _records(closed: ClosedEvenings) -> Iterator[RecordRow]:
    evenings = _evenings(closed)
    seats = without_tables(closed.counted, _without_deals(closed.seats))
    played, tables = _played(seats, closed), _tables(seats)
    yield from _best(BIGGEST_EVENING, evenings, played.at, played.points, player=played.player)
    for name, won in ((RUN_OF_EVENINGS, None), (RUN_OF_WINS, played.won)):
        number, since = _runs(evenings, played, won)
        some = number > 1
        of = evenings, played.at[some], number[some]
        yield from _best(name, *of, player=played.player[some], since=evenings.id[since[some]])
    yield from _best(CLOSEST_TABLE, evenings, tables.at, -tables.spread, table=tables.id)
    yield from _wins(evenings, played)


def _evenings(closed: ClosedEvenings) -> _Evenings:
    ids, of, days, *_rest = closed.evenings
    month = days.astype("datetime64[M]")
    return _Evenings(ids, of, month, np.cumsum(changes(of) | changes(month)) - 1)


def _without_deals(seats: PlayedSeats) -> Ints:
    """Return the tables at which nobody has played a deal: few seats have none, and of these most are alone in that."""
    none = np.unique(seats.table[seats.deals == 0])
    return np.setdiff1d(none, seats.table[(seats.deals > 0) & np.isin(seats.table, none)]) if len(none) else none


def _played(seats: PlayedSeats, closed: ClosedEvenings) -> _Players:
    """Return what everyone brought home; the first place goes to most points among those who stayed, else among all."""
    exempt, left = closed.rests.only(closed.rests.is_exempt), closed.left
    at, player = (np.concatenate(both) for both in ((seats.at, exempt.at), (seats.player, exempt.player)))
    if not len(at):
        return _Players(at, player, at, at > 0)
    people = int(max(player.max(), left[1].max(initial=0))) + 1
    key, order = in_order(at * people + player)
    starts = np.flatnonzero(changes(key))
    key = key[starts]
    at, player = key // people, key % people
    points = np.add.reduceat(np.concatenate([seats.points, exempt.points])[order], starts)
    at_table = np.logical_or.reduceat(order < len(seats.at), starts)
    # Who left ranks behind whoever stayed: fewer points than anybody could have, of the same order.
    rank_by = points - is_among(key, left[0] * people + left[1]) * (int(np.ptp(points)) + 1)
    won = rank_by == _most(at, rank_by)[at]
    return _Players(at[at_table], player[at_table], points[at_table], won[at_table])


def _tables(seats: PlayedSeats) -> _Tables:
    table, order = in_order(seats.table)
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
