"""Computes the ratings of a whole game at once, on arrays of 64-bit integers. The results are equal to reference.py's.

Stakes and ranks do not depend on ratings, so they are computed for many periods (rounds of a date) at once (tables.py).
The loop over periods computes only rating differences, expectations and exchanges. There are no floats.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy import add, floor_divide, multiply, subtract

from players.rating.expectation import CERTAINTY, EXPECTATION_TABLE, MAX_DIFFERENCE_POINTS, MICRO_POINTS_PER_POINT
from players.rating.experience import (
    Days,
    Ints,
    change_flags,
    compute_experience,
    date_numbers,
    experience_factors,
    sort_with_indexes,
)
from players.rating.k_factor import PUBLISHED_RULES
from players.rating.state import (
    EMPTY_STATE,
    History,
    Meetings,
    RatingColumns,
    RatingSteps,
    StateArrays,
    pair_keys,
    ratings_of,
)
from players.rating.tables import (
    HALF_CERTAINTY,
    OpposingSides,
    SeatColumns,
    Tables,
    blocks,
    opponents,
    opposing_sides,
    rated_tables,
)
from scoring.rules.interface import TableLength

MAX_DENSE_ID: Final = 1 << 22  # ids below this are looked up in an array, larger ones sorted

# Constants of the inner loop are 0-dimensional arrays: numpy is half a microsecond faster with them than with integers.
POINT_ARRAY: Final = np.array(MICRO_POINTS_PER_POINT)
CERTAINTY_ARRAY: Final = np.array(CERTAINTY)
HALF_ARRAY: Final = np.array(HALF_CERTAINTY)
TABLE_OFFSET: Final = np.array(
    (MAX_DIFFERENCE_POINTS + 1) * MICRO_POINTS_PER_POINT
)  # added to differences so that the curve's table starts at 0

Buffers = tuple[Ints, Ints, Ints]


class RatedTables(NamedTuple):
    """The result of `rate_tables`."""

    player: Ints  # ids of all players with a rated table, ascending; `micro` and `experience` are in the same order
    micro: Ints
    experience: Ints
    blocks: list[tuple[Tables, Ints]]  # the rated tables, with each row's rating after its period; players are indexes
    ids: Ints  # the player ids for these indexes
    dates: Days
    before: RatingColumns  # ratings of the players `ids` before the first table
    met_before: Ints  # pairs of opponents from before the first table, as `pair_keys`


def rate_tables(seats: SeatColumns, dates: Days, length: TableLength, before: StateArrays = EMPTY_STATE) -> RatedTables:
    """Return the ratings after the tables of one game, starting from the state `before`.

    The results are equal to reference.recompute's. `dates` has the date of each period (one round of one date) as
    datetime64[D], ascending, and later than all dates of `before`. Player ids are integers from 0.
    """
    ids, player_indexes = _index_players(before.player, seats.player)
    days = date_numbers(dates)
    ratings = ratings_of(before, ids)
    micro, experience, last = ratings.micro.copy(), ratings.experience.copy(), ratings.last.copy()
    rated_blocks = []
    for block in blocks(seats._replace(player=player_indexes)):
        tables = rated_tables(block, length)
        rows = tables.seats
        if not len(rows.period):
            continue
        career = compute_experience(rows.player, days[rows.period], rows.period, tables.weight, experience, last)
        factor = None
        if length.rating_equation != PUBLISHED_RULES:
            factor = np.empty_like(career.before)
            factor[career.row] = experience_factors(career.before)
        last_rows = np.flatnonzero(np.append(career.first[1:], True))
        players = career.player[last_rows]
        experience[players], last[players] = career.after[last_rows], career.day[last_rows]
        rated_blocks.append((tables, _rate_block(micro, opposing_sides(tables, factor), rows)))
    rated = np.flatnonzero(last)
    met_before = pair_keys(before.low, before.high, ids)
    return RatedTables(ids[rated], micro[rated], experience[rated], rated_blocks, ids, dates, ratings, met_before)


def history(rated: RatedTables) -> History:
    """Return the rating steps and the new pairs of opponents of the rated tables."""
    empty = np.empty(0, np.int64)
    period, player, weight, after = (
        np.concatenate([empty, *columns])
        for columns in (
            [tables.seats.period for tables, _ in rated.blocks],
            [tables.seats.player for tables, _ in rated.blocks],
            [tables.weight for tables, _ in rated.blocks],
            [after for _, after in rated.blocks],
        )
    )
    before = rated.before
    low, high, row, opponent_row = _first_meetings(rated)
    meetings = Meetings(rated.ids[low], rated.ids[high], rated.dates[period[row]])
    new_opponents = np.bincount(row, minlength=len(player)) + np.bincount(opponent_row, minlength=len(player))
    career = compute_experience(
        player, date_numbers(rated.dates)[period], period, weight, before.experience, before.last
    )
    new_date = career.first | change_flags(career.day)
    last_of_date = np.flatnonzero(np.append(new_date[1:], True)[: len(player)])
    source_row, players = career.row[last_of_date], career.player[last_of_date]
    first_row = np.flatnonzero(career.first)[np.cumsum(career.first)[last_of_date] - 1]
    steps = RatingSteps(
        player=rated.ids[players],
        date=rated.dates[period[source_row]],
        micro=after[source_row],
        experience=career.after[last_of_date],
        tables=before.tables[players] + last_of_date - first_row + 1,
        dates=before.dates[players] + _sum_since(np.cumsum(new_date), last_of_date, first_row),
        opponents=before.opponents[players] + _sum_since(np.cumsum(new_opponents[career.row]), last_of_date, first_row),
    )
    return History(steps, meetings)


def _first_meetings(rated: RatedTables) -> tuple[Ints, Ints, Ints, Ints]:
    """Return each new pair of opponents, as four arrays: the indexes of both players, and their rows at their first
    common table.
    """
    empty = np.empty(0, np.int64)
    rows, opponent_rows, keys = [empty], [empty], [empty]
    offset, players = 0, len(rated.ids)
    for tables, after in rated.blocks:
        row, opponent_row = opponents(tables)
        player, opponent = tables.seats.player[row], tables.seats.player[opponent_row]
        keys.append(np.minimum(player, opponent) * players + np.maximum(player, opponent))
        rows.append(row + offset)
        opponent_rows.append(opponent_row + offset)
        offset += len(after)
    key, order = sort_with_indexes(np.concatenate(keys))
    first = change_flags(key)
    key, order = key[first], order[first]
    if len(rated.met_before):
        new = rated.met_before.take(np.searchsorted(rated.met_before, key), mode="clip") != key
        key, order = key[new], order[new]
    low, high = np.divmod(key, players)
    return low, high, np.concatenate(rows)[order], np.concatenate(opponent_rows)[order]


def _curve_segments() -> tuple[Ints, Ints]:
    """Return the arrays CURVE_BASE and CURVE_SLOPE of the linear segments of the expectation curve.

    E(d) = (CURVE_BASE[i] + CURVE_SLOPE[i]·(d + TABLE_OFFSET)) // 10⁶ with i = (d + TABLE_OFFSET) // 10⁶, limited to the
    table. For negative d the weaker side's expectation is rounded up, hence 10⁶ − 1. All numbers are below 5·10¹⁵.
    """
    table = np.array(EXPECTATION_TABLE)
    slope = np.zeros(2 * MAX_DIFFERENCE_POINTS + 2, dtype=np.int64)
    slope[MAX_DIFFERENCE_POINTS + 1 : -1] = np.diff(table)
    slope[1 : MAX_DIFFERENCE_POINTS + 1] = np.diff(table)[::-1]
    start = np.empty_like(slope)
    start[MAX_DIFFERENCE_POINTS + 1 :] = table * MICRO_POINTS_PER_POINT
    start[1 : MAX_DIFFERENCE_POINTS + 1] = (
        (CERTAINTY - table[:0:-1]) * MICRO_POINTS_PER_POINT + MICRO_POINTS_PER_POINT - 1
    )
    start[0] = (CERTAINTY - table[-1]) * MICRO_POINTS_PER_POINT
    return start - slope * np.arange(len(slope)) * MICRO_POINTS_PER_POINT, slope


CURVE_BASE, CURVE_SLOPE = _curve_segments()


def _rate_block(micro: Ints, paired: OpposingSides, rows: SeatColumns) -> Ints:
    """Update `micro` (the ratings) period by period, and return each row's rating after its period.

    All batches of a period use the ratings from before the period.
    """
    after = np.empty_like(rows.player)
    begin = 0
    buffers_by_size: dict[int, Buffers] = {}  # reused: allocating arrays costs more than overwriting them
    pending: list[tuple[list[Ints], list[Ints], Ints]] = []  # exchanges of the period's earlier batches
    stake, offset, draws = paired.stake, paired.offset, paired.drawn
    for start, end, members, opponent_members, drawn, period_end in paired.batches:
        players = [column[start:end] for column in paired.players[:members]]
        opponent_players = [column[start:end] for column in paired.opponents[:opponent_members]]
        size = end - start
        if size not in buffers_by_size:
            buffers_by_size[size] = (np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64))
        exchange, opponent_mean, scratch = buffers = buffers_by_size[size]
        _store_mean(micro, players, exchange, scratch)
        _store_mean(micro, opponent_players, opponent_mean, scratch)
        replace_by_expectations(*buffers)
        multiply(exchange, stake[start:end], exchange)
        subtract(offset[start:end], exchange, exchange)
        if drawn:
            subtract(exchange, (exchange < HALF_ARRAY) & draws[start:end], exchange)
        floor_divide(exchange, CERTAINTY_ARRAY, exchange)
        if not period_end:
            pending.append((players, opponent_players, exchange.copy()))
            continue
        for earlier in pending:
            _transfer_points(micro, *earlier)
        pending.clear()
        _transfer_points(micro, players, opponent_players, exchange)
        micro.take(rows.player[begin:period_end], None, after[begin:period_end], "clip")
        begin = period_end
    return after


def replace_by_expectations(ratings: Ints, opponents: Ints, scratch: Ints) -> None:
    """Replace `ratings` by the expected scores (`expected_score`). Overwrite the other two arrays."""
    subtract(ratings, opponents, ratings)
    add(ratings, TABLE_OFFSET, ratings)
    floor_divide(ratings, POINT_ARRAY, opponents)
    CURVE_SLOPE.take(opponents, None, scratch, "clip")
    multiply(ratings, scratch, ratings)
    CURVE_BASE.take(opponents, None, scratch, "clip")
    add(ratings, scratch, ratings)
    floor_divide(ratings, POINT_ARRAY, ratings)


def _store_mean(micro: Ints, members: Sequence[Ints], mean: Ints, scratch: Ints) -> None:
    """Store the members' mean rating in `mean`, rounded down. `members` has an array of player indexes for each member
    of a side.
    """
    micro.take(members[0], None, mean, "clip")
    if len(members) > 1:
        for member in members[1:]:
            mean += micro.take(member, None, scratch, "clip")
        mean //= len(members)


def _transfer_points(micro: Ints, members: list[Ints], opponents: list[Ints], exchange: Ints) -> None:
    """Add the exchanged points to the members' ratings in `micro`, and subtract them from the opponents' ratings.

    `exchange` has the micro-points for each pair of sides. If both sides have the same number of members, each member
    gains or loses them; otherwise each side divides a pot among its members (see `reference._pair_lines`).
    """
    if len(members) == len(opponents):  # each member gains or loses the exchange
        for players in members:
            add.at(micro, players, exchange)
        for players in opponents:
            subtract.at(micro, players, exchange)
        return
    twice = exchange * (len(members) + len(opponents))
    pot = (twice + (twice > 0)) // 2  # half away from zero
    for side, side_pot in ((members, pot), (opponents, -pot)):
        for remainder, players in enumerate(reversed(side)):
            add.at(micro, players, (side_pot + remainder) // len(side))


def _index_players(state_ids: Ints, ids: Ints) -> tuple[Ints, Ints]:
    """Return the ids of all players, ascending, and for each of `ids` its index among them."""
    if max(int(ids.max(initial=0)), int(state_ids.max(initial=0))) >= MAX_DENSE_ID:
        distinct = np.union1d(state_ids, ids)
        return distinct, np.searchsorted(distinct, ids)
    is_used = np.zeros(max(int(ids.max(initial=-1)), int(state_ids.max(initial=-1))) + 1, dtype=np.bool_)
    is_used[ids] = True
    is_used[state_ids] = True
    return np.flatnonzero(is_used), (np.cumsum(is_used) - 1)[ids]


def _sum_since(cumulative: Ints, rows: Ints, first_rows: Ints) -> Ints:
    """Return the sums of the values from `first_rows` to `rows`, both included, from the values' cumulative sums."""
    sums: Ints = cumulative[rows] - np.where(first_rows > 0, cumulative[first_rows - 1], 0)
    return sums
