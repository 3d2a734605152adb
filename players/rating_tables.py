"""The rated tables of some periods as arrays, and their pairs of sides with places: all that no rating changes.

Arrays of 64-bit integers. Bounds: a stake is at most 48·10⁶, an expectation below 10⁹, so that their product stays
below 4.8·10¹⁶; see stakes.club_stake for K itself.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from players import stakes
from players.expectation import CERTAIN, POINT
from players.rating_careers import Flags, Ints
from scoring.game import Length

BLOCK: Final = 32_768  # rows worked on at once: few enough for the processor's cache
HALF: Final = CERTAIN // 2


class Seats(NamedTuple):
    """One row a player at a table, sorted by period, table, side and player; a table's and a side's rows adjoin.

    `period` counts from 0 and indexes the dates; `total` is the side's; `deals` is ignored where top totals
    measure the length. `table` and `side` are any numbers that tell neighbours apart.
    """

    period: Ints
    table: Ints
    side: Ints
    player: Ints
    total: Ints
    deals: Ints


class Tables(NamedTuple):
    """Rated tables, their sides and rows; `largest` is the most members of a side."""

    seats: Seats
    weight: Ints  # a row's, in thousandths
    row: Ints  # a side's first row
    members: Ints  # of a side
    side: Ints  # a table's first side
    sides: Ints  # of a table
    stake: Ints  # a table's K in micro-points (published), or k(N)·w in tenths of them (club)
    period: Ints  # of a table
    largest: int


class Batch(NamedTuple):
    """The pairs start … end − 1: of one period, and alike in the sizes of their two sides."""

    start: int
    end: int
    members: int
    others: int
    period: int
    drawn: bool  # whether any pair drew


class Pairs(NamedTuple):
    """Pairs of sides for a run of periods, sorted by batch."""

    one: list[Ints]  # member by member, the players; past a smaller side's members stand numbers of no meaning
    other: list[Ints]
    stake: Ints
    least: Ints  # stake × S + ½, in 10⁻⁹ micro-points; less 1 for losers: rounding down then goes away from zero
    drawn: Flags
    batches: list[Batch]


def blocks(seats: Seats) -> Iterator[Seats]:
    """The same rows in runs of whole periods, about BLOCK rows each."""
    start, rows = 0, len(seats.period)
    while start < rows:
        last = seats.period[min(start + BLOCK, rows) - 1]
        end = int(np.searchsorted(seats.period, last, side="right"))
        yield Seats(*(column[start:end] for column in seats))
        start = end


def rated_tables(seats: Seats, length: Length) -> Tables:
    """Find tables and sides, and leave out the tables too short to be rated."""
    new_table = np.ones(len(seats.table), dtype=np.bool_)
    new_table[1:] = (seats.table[1:] != seats.table[:-1]) | (seats.period[1:] != seats.period[:-1])
    start = np.flatnonzero(new_table)
    measured = np.maximum.reduceat(seats.total, start) if length.measure == "top" else seats.deals[start]
    rated = measured >= length.least
    if not rated.all():
        rows = np.repeat(rated, _sizes(start, len(new_table)))
        seats = Seats(*(column[rows] for column in seats))
        new_table, measured = new_table[rows], measured[rated]
        start = np.flatnonzero(new_table)
    short = (measured < length.middle).astype(np.int64) + (measured < length.full)
    size = _sizes(start, len(new_table))
    row, side, members = _sides(seats, new_table, start)
    sides = _sizes(side, len(row))
    tenths = np.array(stakes.TENTHS)[short]
    if length.rules == stakes.PUBLISHED:
        rung = np.minimum((size - 1) // 2, stakes.FIRST_RUNGS) + short
        stake = np.array(stakes.LADDER)[rung] * POINT
    else:
        spreads = [0, 0, *map(stakes.spread, range(2, int(sides.max(initial=0)) + 1))]
        stake = np.array(spreads)[sides] * tenths
    weight = np.repeat(tenths * (stakes.THOUSANDTHS // 10), size)
    period = seats.period[start]
    return Tables(seats, weight, row, members, side, sides, stake, period, int(members.max(initial=0)))


def pairs(tables: Tables, factor: Ints | None) -> Pairs:
    """The pairs of sides; `factor` is each row's f in millionths, or None under published rules."""
    table, one, other = sides_paired(tables)
    batch = period = tables.period[table]
    if tables.largest > 1:
        sizes = tables.largest + 1
        batch = (period * sizes + tables.members[one]) * sizes + tables.members[other]
    if (batch[1:] < batch[:-1]).any():
        order = np.argsort(batch, kind="stable")
        table, one, other, period, batch = (column[order] for column in (table, one, other, period, batch))
    rows, other_rows = tables.row[one], tables.row[other]
    stake = tables.stake[table]
    if factor is not None:
        stake = _club_stakes(tables, stake, one, other, factor)
    total, against = tables.seats.total[rows], tables.seats.total[other_rows]
    drawn, lost = total == against, total < against
    least = stake * np.array((CERTAIN, HALF, 0))[drawn + 2 * lost.view(np.int8)] + (HALF - lost)
    begins = np.flatnonzero(np.concatenate(([True], batch[1:] != batch[:-1])))
    batches = zip(
        begins.tolist(),
        [*begins[1:].tolist(), len(batch)],
        tables.members[one[begins]].tolist(),
        tables.members[other[begins]].tolist(),
        period[begins].tolist(),
        np.logical_or.reduceat(drawn, begins).tolist(),
        strict=True,
    )
    return Pairs(
        _members(tables, rows), _members(tables, other_rows), stake, least, drawn, [Batch(*each) for each in batches]
    )


def sides_paired(tables: Tables) -> tuple[Ints, Ints, Ints]:
    """Table, one side and the other of every pair, for all tables of as many sides at a time."""
    found = []
    for sides in np.flatnonzero(np.bincount(tables.sides)).tolist():
        which = np.flatnonzero(tables.sides == sides)
        one, other = np.triu_indices(sides, 1)
        first = tables.side[which][:, None]
        found.append((np.repeat(which, len(one)), (first + one).ravel(), (first + other).ravel()))
    if len(found) == 1:
        return found[0]
    table, one, other = (np.concatenate(columns) for columns in zip(*found, strict=True))
    return table, one, other


def opponents(tables: Tables) -> tuple[Ints, Ints]:
    """The rows of every two players on different sides of a table, in order of time."""
    _, one, other = sides_paired(tables)
    rows, other_rows = tables.row[one], tables.row[other]
    if tables.largest > 1:
        apart = [
            (rows[real] + member, other_rows[real] + opponent)
            for member in range(tables.largest)
            for opponent in range(tables.largest)
            for real in [(member < tables.members[one]) & (opponent < tables.members[other])]
        ]
        rows, other_rows = (np.concatenate(columns) for columns in zip(*apart, strict=True))
    if (rows[1:] < rows[:-1]).any():
        order = np.argsort(rows, kind="stable")
        rows, other_rows = rows[order], other_rows[order]
    return rows, other_rows


def _club_stakes(tables: Tables, stake: Ints, one: Ints, other: Ints, factor: Ints) -> Ints:
    """K of every pair in micro-points, as stakes.club_stake, from its table's k(N)·w."""
    if tables.largest == 1:
        exact = stake * (factor[one] + factor[other])
        exact += 10 * POINT
        exact //= 20 * POINT
        return exact
    by_side = np.add.reduceat(factor, tables.row)
    members, others = tables.members[one], tables.members[other]
    exact = stake * (by_side[one] * others + by_side[other] * members)
    whole = 20 * POINT * members * others
    rounded: Ints = (exact + whole // 2) // whole
    return rounded


def _members(tables: Tables, first: Ints) -> list[Ints]:
    """The players of sides by their first rows, member by member."""
    player = tables.seats.player
    return [player[np.minimum(first + member, len(player) - 1)] for member in range(tables.largest)]


def _sides(seats: Seats, new_table: Flags, start: Ints) -> tuple[Ints, Ints, Ints]:
    """Each side's first row, each table's first side, each side's members."""
    new = new_table.copy()
    new[1:] |= seats.side[1:] != seats.side[:-1]
    row = np.flatnonzero(new)
    return row, (np.cumsum(new) - 1)[start], _sizes(row, len(new))


def _sizes(starts: Ints, end: int) -> Ints:
    return np.diff(starts, append=end)
