"""The rated tables of some periods as arrays, and their pairs of sides with places: all that no rating changes.

Arrays of 64-bit integers. Bounds: a stake is at most 48·10⁶, an expectation below 10⁹, so that their product stays
below 4.8·10¹⁶; see k_factor.club_stake for K itself.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from players.rating import k_factor
from players.rating.careers import Flags, Ints, changes
from players.rating.expectation import CERTAIN, POINT
from scoring.rules.interface import Length

BLOCK: Final = 65_536  # rows worked on at once: many enough that calls cost little, few enough for the cache
HALF: Final = CERTAIN // 2


class SeatColumns(NamedTuple):
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

    seats: SeatColumns
    weight: Ints  # a row's, in thousandths
    row: Ints  # a side's first row
    members: Ints  # of a side
    side: Ints  # a table's first side
    sides: Ints  # of a table
    stake: Ints  # a table's K in micro-points (published), or k(N)·w in tenths of them (club)
    period: Ints  # of a table
    largest: int


class Sides(NamedTuple):
    """What pairs are made of, by side."""

    players: list[Ints]  # member by member; past a smaller side's members stand players of no meaning
    members: Ints | None  # None: all sides have as many, as in every game of fixed sides
    total: Ints
    stake: Ints  # published: its table's K in micro-points; club: k(N)·w·f in tenths of 10⁻¹² points, f being summed


class Batch(NamedTuple):
    """The pairs start … end − 1: of one period, and alike in the sizes of their two sides."""

    start: int
    end: int
    members: int
    others: int
    drawn: bool  # whether any pair drew
    done: int  # where the period's rows end if this is its last batch, else 0


class Pairs(NamedTuple):
    """Pairs of sides for a run of periods, sorted by batch."""

    one: list[Ints]  # member by member, the players; past a smaller side's members stand numbers of no meaning
    other: list[Ints]
    stake: Ints
    least: Ints  # stake × S + ½, in 10⁻⁹ micro-points; less 1 for losers: rounding down then goes away from zero
    drawn: Flags
    batches: list[Batch]


def blocks(seats: SeatColumns) -> Iterator[SeatColumns]:
    """The same rows in runs of whole periods, about BLOCK rows each."""
    start, rows = 0, len(seats.period)
    while start < rows:
        last = seats.period[min(start + BLOCK, rows) - 1]
        end = int(np.searchsorted(seats.period, last, side="right"))
        yield SeatColumns(*(column[start:end] for column in seats))
        start = end


def rated_tables(seats: SeatColumns, length: Length) -> Tables:
    """Find tables and sides, and leave out the tables too short to be rated."""
    new_table = changes(seats.table) | changes(seats.period)
    start = np.flatnonzero(new_table)
    measured = np.maximum.reduceat(seats.total, start) if length.measure == "top" else seats.deals[start]
    rated = measured >= length.minimum
    if not rated.all():
        rows = np.repeat(rated, _sizes(start, len(new_table)))
        seats = SeatColumns(*(column[rows] for column in seats))
        new_table, measured = new_table[rows], measured[rated]
        start = np.flatnonzero(new_table)
    short = (measured < length.middle).astype(np.int64) + (measured < length.full)
    size = _sizes(start, len(new_table))
    row, side, members = _sides(seats, new_table)
    sides = _sizes(side, len(row))
    tenths = np.array(k_factor.TENTHS)[short]
    if length.rules == k_factor.PUBLISHED:
        rung = np.minimum((size - 1) // 2, k_factor.FIRST_RUNGS) + short
        stake = np.array(k_factor.LADDER)[rung] * POINT
    else:
        spreads = [0, 0, *map(k_factor.spread, range(2, int(sides.max(initial=0)) + 1))]
        stake = np.array(spreads)[sides] * tenths
    weight = np.repeat(tenths * (k_factor.THOUSANDTHS // 10), size)
    period = seats.period[start]
    return Tables(seats, weight, row, members, side, sides, stake, period, int(members.max(initial=0)))


def pairs(tables: Tables, factor: Ints | None) -> Pairs:
    """Return the pairs of sides; `factor` is each row's f in millionths, or None under published rules."""
    by_side = _by_side(tables, factor)
    groups = [_paired(tables, by_side, sides, factor is not None) for sides in _occurring(tables)]
    columns = groups[0] if len(groups) == 1 else [np.concatenate(each) for each in zip(*groups, strict=True)]
    batch = columns[0]
    if (batch[1:] < batch[:-1]).any():
        order = np.argsort(batch, kind="stable")
        columns = [column[order] for column in columns]
    batch, stake, total, against, *players = columns
    drawn, lost = total == against, total < against
    least = stake * (2 * (total > against).view(np.int8) + drawn.view(np.int8))
    least *= HALF
    least += HALF - lost
    batches = _batches(batch, drawn, tables)
    return Pairs(players[: tables.largest], players[tables.largest :], stake, least, drawn, batches)


def opponents(tables: Tables) -> tuple[Ints, Ints]:
    """Return the rows of every two players on different sides of a table, in order of time."""
    found = []
    for sides in _occurring(tables):
        first = tables.side[tables.sides == sides, None]
        found.append([(first + column).ravel() for column in np.triu_indices(sides, 1)])
    side, other_side = found[0] if len(found) == 1 else [np.concatenate(each) for each in zip(*found, strict=True)]
    rows, other_rows = tables.row[side], tables.row[other_side]
    if tables.largest > 1:
        apart = [
            (rows[real] + member, other_rows[real] + opponent)
            for member in range(tables.largest)
            for opponent in range(tables.largest)
            for real in [(member < tables.members[side]) & (opponent < tables.members[other_side])]
        ]
        rows, other_rows = (np.concatenate(columns) for columns in zip(*apart, strict=True))
    if (rows[1:] < rows[:-1]).any():
        order = np.argsort(rows, kind="stable")
        rows, other_rows = rows[order], other_rows[order]
    return rows, other_rows


def _occurring(tables: Tables) -> list[int]:
    """Return every number of sides that a table has."""
    numbers: list[int] = np.flatnonzero(np.bincount(tables.sides)).tolist()
    return numbers


def _by_side(tables: Tables, factor: Ints | None) -> Sides:
    player, total = tables.seats.player, tables.seats.total
    stake = np.repeat(tables.stake, tables.sides)
    if factor is not None:
        stake *= factor if tables.largest == 1 else np.add.reduceat(factor, tables.row)
    if tables.largest == 1:
        return Sides([player], None, total, stake)
    rows = [np.minimum(tables.row + member, len(player) - 1) for member in range(tables.largest)]
    members = None if (tables.members == tables.largest).all() else tables.members
    return Sides([player[row] for row in rows], members, total[tables.row], stake)


def _paired(tables: Tables, by_side: Sides, sides: int, club: bool) -> list[Ints]:
    """Return pairs of the tables of so many sides.

    Batch, stake, both totals, one's players member by member, the other's.

    Their sides make a grid, a line a table, and the same columns of it are taken for every table: cheaper than looking
    up pair by pair. A batch is numbered by period, then members, then the other side's members.
    """
    which = tables.sides == sides
    every = bool(which.all())
    mine = np.repeat(which, tables.sides)
    one, other = np.triu_indices(sides, 1)

    def both(column: Ints) -> tuple[Ints, Ints]:
        grid = (column if every else column[mine]).reshape(-1, sides)
        return grid.take(one, 1, None, "clip").ravel(), grid.take(other, 1, None, "clip").ravel()

    kinds = tables.largest + 1
    batch = np.repeat(tables.period[which] * kinds**2 + (kinds**2 - 1), len(one))
    stake, opposite = both(by_side.stake)
    if by_side.members is None:
        if club:
            _club_stakes(stake, opposite, tables.largest)
    else:
        members, others = both(by_side.members)
        batch += members * kinds + others - (kinds**2 - 1)
        if club:
            stake *= others
            opposite *= members
            _club_stakes(stake, opposite, members * others)
    players = zip(*map(both, by_side.players), strict=True)
    return [batch, stake, *both(by_side.total), *chain(*players)]


def _club_stakes(one: Ints, other: Ints, shares: Ints | int) -> None:
    """Turn k(N)·w·f of one side into the pair's K in micro-points, as k_factor.club_stake; `other` is the other side's.

    f are sums over members; `shares` is what divides their sum into means. Where it is one number for all, dividing is
    several times faster.
    """
    whole = shares * (20 * POINT)
    one += other
    one += whole // 2
    one //= whole


def _batches(batch: Ints, drawn: Flags, tables: Tables) -> list[Batch]:
    """Return where each batch begins and ends, and what its number says."""
    begins = np.flatnonzero(changes(batch))
    kinds = tables.largest + 1
    kind, others = np.divmod(batch[begins], kinds)
    period, members = np.divmod(kind, kinds)
    last = np.append(period[1:] != period[:-1], True)
    done = np.searchsorted(tables.seats.period, period, side="right") * last
    ends = np.append(begins[1:], len(batch))
    columns = (begins, ends, members, others, np.logical_or.reduceat(drawn, begins), done)
    return list(map(Batch._make, zip(*(column.tolist() for column in columns), strict=True)))


def _sides(seats: SeatColumns, new_table: Flags) -> tuple[Ints, Ints, Ints]:
    """Return each side's first row, each table's first side, each side's members."""
    row = np.flatnonzero(new_table | changes(seats.side))
    return row, np.flatnonzero(new_table[row]), _sizes(row, len(new_table))


def _sizes(starts: Ints, end: int) -> Ints:
    return np.diff(starts, append=end)
