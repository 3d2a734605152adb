"""The rated tables of some periods (rounds of a date) as arrays, with their pairs of sides: everything that does not
depend on ratings.

Numbers are 64-bit integers. A stake is at most 48·10⁶ and an expectation below 10⁹, so their product is below 4.8·10¹⁶.
See k_factor.club_stake for the stake itself.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Final, NamedTuple

import numpy as np

from players.rating import k_factor
from players.rating.expectation import CERTAINTY, MICRO_POINTS_PER_POINT
from players.rating.experience import Flags, Ints, change_flags
from scoring.rules.interface import TableLength

ROWS_PER_BLOCK: Final = 65_536  # enough to make the cost of calls small, few enough for the CPU's cache
HALF_CERTAINTY: Final = CERTAINTY // 2


class SeatColumns(NamedTuple):
    """One row for each player at a table, sorted by period, table, side and player.

    `period` is an index into the dates; `total` is the total of the player's side. `deals` is ignored if the game
    measures the length of a table by its highest total. `table` and `side` are any numbers that differ between
    neighbours.
    """

    period: Ints
    table: Ints
    side: Ints
    player: Ints
    total: Ints
    deals: Ints


class Tables(NamedTuple):
    """Rated tables as arrays: some by row (a player at a table), some by side, some by table.

    `largest` is the number of members of the largest side.
    """

    seats: SeatColumns
    weight: Ints  # by row, in thousandths
    row: Ints  # by side: its first row
    members: Ints  # by side: its number of members
    side: Ints  # by table: its first side
    sides: Ints  # by table: its number of sides
    stake: Ints  # by table: K in micro-points (published rules), or k(N)·w in tenths of micro-points (club rules)
    period: Ints  # by table
    largest: int


class Sides(NamedTuple):
    players: list[Ints]  # one array per member; undefined beyond the members of a smaller side
    members: Ints | None  # None if all sides have the same number of members
    total: Ints
    stake: Ints  # published: K of the table in micro-points; club: k(N)·w·(sum of f) in tenths of 10⁻¹² points


class Batch(NamedTuple):
    """The pairs from index `start` to `end` − 1: all of one period, with equal numbers of members and opponents."""

    start: int
    end: int
    members: int
    opponents: int
    drawn: bool  # whether any pair is a draw
    period_end: int  # the end of the period's rows if this is its last batch, else 0


class OpposingSides(NamedTuple):
    """OpposingSides of opposing sides of several periods, sorted by batch."""

    players: list[Ints]  # one array per member; undefined beyond the members of a smaller side
    opponents: list[Ints]
    stake: Ints
    offset: Ints  # stake × S + ½, in 10⁻⁹ micro-points, less 1 for losers so that rounding down is away from zero
    drawn: Flags
    batches: list[Batch]


def blocks(seats: SeatColumns) -> Iterator[SeatColumns]:
    """Yield the seats in blocks of at least ROWS_PER_BLOCK rows (the last may have fewer). No period is divided."""
    start, rows = 0, len(seats.period)
    while start < rows:
        last = seats.period[min(start + ROWS_PER_BLOCK, rows) - 1]
        end = int(np.searchsorted(seats.period, last, side="right"))
        yield SeatColumns(*(column[start:end] for column in seats))
        start = end


def rated_tables(seats: SeatColumns, length: TableLength) -> Tables:
    """Return the tables that are long enough to be rated."""
    new_table = change_flags(seats.table) | change_flags(seats.period)
    start = np.flatnonzero(new_table)
    measured = np.maximum.reduceat(seats.total, start) if length.length_unit == "top" else seats.deals[start]
    rated = measured >= length.minimum
    if not rated.all():
        rows = np.repeat(rated, _sizes(start, len(new_table)))
        seats = SeatColumns(*(column[rows] for column in seats))
        new_table, measured = new_table[rows], measured[rated]
        start = np.flatnonzero(new_table)
    short = (measured < length.middle).astype(np.int64) + (measured < length.full)
    size = _sizes(start, len(new_table))
    row = np.flatnonzero(new_table | change_flags(seats.side))
    side, members = np.flatnonzero(new_table[row]), _sizes(row, len(new_table))
    sides = _sizes(side, len(row))
    tenths = np.array(k_factor.WEIGHT_TENTHS)[short]
    if length.rating_equation == k_factor.PUBLISHED_RULES:
        rung = np.minimum((size - 1) // 2, k_factor.MAX_FIRST_RUNG) + short
        stake = np.array(k_factor.K_LADDER)[rung] * MICRO_POINTS_PER_POINT
    else:
        spreads = [0, 0, *map(k_factor.table_size_stake, range(2, int(sides.max(initial=0)) + 1))]
        stake = np.array(spreads)[sides] * tenths
    weight = np.repeat(tenths * (k_factor.THOUSANDTHS // 10), size)
    period = seats.period[start]
    return Tables(seats, weight, row, members, side, sides, stake, period, int(members.max(initial=0)))


def opposing_sides(tables: Tables, factor: Ints | None) -> OpposingSides:
    """Return the pairs of sides of all tables. `factor` is the experience factor f of each row, in millionths; None
    under published rules.
    """
    sides = _side_columns(tables, factor)
    groups = [_pair_columns(tables, sides, number, factor is not None) for number in _numbers_of_sides(tables)]
    columns = groups[0] if len(groups) == 1 else [np.concatenate(parts) for parts in zip(*groups, strict=True)]
    batch = columns[0]
    if (batch[1:] < batch[:-1]).any():
        order = np.argsort(batch, kind="stable")
        columns = [column[order] for column in columns]
    batch, stake, total, opponent_total, *players = columns
    drawn, lost = total == opponent_total, total < opponent_total
    offset = stake * (2 * (total > opponent_total).view(np.int8) + drawn.view(np.int8))
    offset *= HALF_CERTAINTY
    offset += HALF_CERTAINTY - lost
    batches = _batches(batch, drawn, tables)
    return OpposingSides(players[: tables.largest], players[tables.largest :], stake, offset, drawn, batches)


def opponents(tables: Tables) -> tuple[Ints, Ints]:
    """Return all pairs of opponents at a table, as two arrays of rows in `tables.seats`, in order of time."""
    groups = []
    for number in _numbers_of_sides(tables):
        first = tables.side[tables.sides == number, None]
        groups.append([(first + column).ravel() for column in np.triu_indices(number, 1)])
    side, opponent = groups[0] if len(groups) == 1 else [np.concatenate(parts) for parts in zip(*groups, strict=True)]
    rows, opponent_rows = tables.row[side], tables.row[opponent]
    if tables.largest > 1:
        members = [
            (rows[exists] + member, opponent_rows[exists] + opponent_member)
            for member in range(tables.largest)
            for opponent_member in range(tables.largest)
            for exists in [(member < tables.members[side]) & (opponent_member < tables.members[opponent])]
        ]
        rows, opponent_rows = (np.concatenate(columns) for columns in zip(*members, strict=True))
    if (rows[1:] < rows[:-1]).any():
        order = np.argsort(rows, kind="stable")
        rows, opponent_rows = rows[order], opponent_rows[order]
    return rows, opponent_rows


def _numbers_of_sides(tables: Tables) -> list[int]:
    numbers: list[int] = np.flatnonzero(np.bincount(tables.sides)).tolist()
    return numbers


def _side_columns(tables: Tables, factor: Ints | None) -> Sides:
    player, total = tables.seats.player, tables.seats.total
    stake = np.repeat(tables.stake, tables.sides)
    if factor is not None:
        stake *= factor if tables.largest == 1 else np.add.reduceat(factor, tables.row)
    if tables.largest == 1:
        return Sides([player], None, total, stake)
    rows = [np.minimum(tables.row + member, len(player) - 1) for member in range(tables.largest)]
    members = None if (tables.members == tables.largest).all() else tables.members
    return Sides([player[row] for row in rows], members, total[tables.row], stake)


def _pair_columns(tables: Tables, by_side: Sides, sides: int, club: bool) -> list[Ints]:
    """Return the pairs of the tables that have this number of sides.

    The result is a list of columns: batch, stake, total, total of the opponents, then a column of players for each
    member, then the same for the opponents. A batch number sorts by period, then number of members, then number of
    opponents. The sides form a grid with a row for each table, and each pair is two columns of the grid: this is faster
    than indexing pair by pair.
    """
    has_sides = tables.sides == sides
    all_tables = bool(has_sides.all())
    side_rows = np.repeat(has_sides, tables.sides)
    first, second = np.triu_indices(sides, 1)

    def both(column: Ints) -> tuple[Ints, Ints]:
        grid = (column if all_tables else column[side_rows]).reshape(-1, sides)
        return grid.take(first, 1, None, "clip").ravel(), grid.take(second, 1, None, "clip").ravel()

    sizes = tables.largest + 1
    batch = np.repeat(tables.period[has_sides] * sizes**2 + (sizes**2 - 1), len(first))
    stake, opponent_stake = both(by_side.stake)
    if by_side.members is None:
        if club:
            _apply_club_stakes(stake, opponent_stake, tables.largest)
    else:
        members, opponents = both(by_side.members)
        batch += members * sizes + opponents - (sizes**2 - 1)
        if club:
            stake *= opponents
            opponent_stake *= members
            _apply_club_stakes(stake, opponent_stake, members * opponents)
    players = zip(*map(both, by_side.players), strict=True)
    return [batch, stake, *both(by_side.total), *chain(*players)]


def _apply_club_stakes(stake: Ints, opponent_stake: Ints, shares: Ints | int) -> None:
    """Replace `stake` by the stake K of each pair in micro-points, as k_factor.club_stake computes it.

    Before, the stakes are k(N)·w·(sum of f). `shares` divides the sums of f into means. Division by one integer is
    several times faster than by an array.
    """
    divisor = shares * (20 * MICRO_POINTS_PER_POINT)
    stake += opponent_stake
    stake += divisor // 2
    stake //= divisor


def _batches(batch: Ints, drawn: Flags, tables: Tables) -> list[Batch]:
    starts = np.flatnonzero(change_flags(batch))
    sizes = tables.largest + 1
    quotient, opponents = np.divmod(batch[starts], sizes)
    period, members = np.divmod(quotient, sizes)
    is_last = np.append(period[1:] != period[:-1], True)
    period_end = np.searchsorted(tables.seats.period, period, side="right") * is_last
    ends = np.append(starts[1:], len(batch))
    columns = (starts, ends, members, opponents, np.logical_or.reduceat(drawn, starts), period_end)
    return list(map(Batch._make, zip(*(column.tolist() for column in columns), strict=True)))


def _sizes(starts: Ints, end: int) -> Ints:
    """Return the sizes of adjacent groups, from the index of each group's first row and the end of the last group."""
    return np.diff(starts, append=end)
