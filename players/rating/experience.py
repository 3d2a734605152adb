"""Computes n before and after each table of each player. n is the weighted number of the player's rated tables; it is
halved for each year without a table.

n depends only on results and dates, not on ratings, so it is computed for many periods (rounds of a date) at once.
Arrays have 64-bit integers; n is in thousandths. A row is a player at a rated table, in order of time.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from players.rating.expectation import MICRO_POINTS_PER_POINT
from players.rating.k_factor import HALF_FACTOR_N, THOUSANDTHS

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Days = NDArray[np.datetime64]

MAX_HALVINGS: Final = 62  # years away after which any n is 0; 64 bits allow no wider shift


class ExperienceByRow(NamedTuple):
    """n (the weighted number of rated tables) of the players at their tables, sorted by player, then by time.

    `row` is the row's index before sorting.
    """

    row: Ints
    player: Ints
    first: Flags  # whether this is the player's first row
    before: Ints  # n before the row's period
    after: Ints  # n after the row
    day: Ints  # as in `date_numbers`


def compute_experience(
    player: Ints, day: Ints, period: Ints, weight: Ints, experience: Ints, last: Ints
) -> ExperienceByRow:
    """Return the experience of the player before and after each row. A row is one player at one rated table.

    Experience is the weighted number of rated tables. It grows by `weight` after each row. After 12 months without a
    table it is halved, after 24 months halved twice, and so on.

    Arrays by row: `player` (index from 0), `day` (as in `date_numbers`), `period` (a round of a date), `weight`
    (thousandths). Arrays by player: `experience` before the first row, and `last`, the day of the last table.
    """
    sorted_player, row = sort_with_indexes(player)
    first = change_flags(sorted_player)
    sorted_day, sorted_period, growth = day[row], period[row], weight[row]
    total_growth = np.cumsum(growth)
    return_rows = np.flatnonzero(sorted_day[1:] - sorted_day[:-1] >= 10_000) + 1
    return_rows = return_rows[~first[return_rows]]
    starts = np.flatnonzero(first)
    players = sorted_player[starts]
    start_n = experience[players] >> _full_years(last[players], sorted_day[starts])
    years = _full_years(sorted_day[return_rows - 1], sorted_day[return_rows])
    after = total_growth + _offsets(starts, start_n, return_rows, years, total_growth)
    before = after - growth
    new_period = first | change_flags(sorted_period)
    if not new_period.all():  # two tables in one period: both use the n before the first table
        before = before[np.maximum.accumulate(np.where(new_period, np.arange(len(row)), 0))]
    return ExperienceByRow(row, sorted_player, first, before, after, sorted_day)


def sort_with_indexes(keys: Ints) -> tuple[Ints, Ints]:
    """Return the sorted keys and their indexes before sorting. Equal keys keep their order.

    Keys are at least 0. Raise ValueError if the largest key and the number of keys together need more than 63 bits.
    Sorting plain integers with the index in the low bits is several times faster than argsort.
    """
    bits = len(keys).bit_length()
    if int(keys.max(initial=0)) >= 1 << (63 - bits):
        raise ValueError("too many players and rows to be sorted together")
    packed = (keys << bits) | np.arange(len(keys))
    packed.sort()
    return packed >> bits, packed & ((1 << bits) - 1)


def experience_factors(n: Ints) -> Ints:
    """Return `k_factor.experience_factor` of each n."""
    settling = n + HALF_FACTOR_N * THOUSANDTHS
    factor: Ints = (settling >> 1) + 3 * HALF_FACTOR_N * THOUSANDTHS * MICRO_POINTS_PER_POINT
    factor //= settling
    factor += MICRO_POINTS_PER_POINT
    return factor


def change_flags(values: Ints) -> Flags:
    """Return a flag for each value that differs from the previous value; the first flag is always set."""
    flags = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=flags[1:])
    return flags


def date_numbers(dates: Days) -> Ints:
    """Return dates as numbers such as 20261002. The difference of two of them // 10,000 is the number of full years
    between.
    """
    months = dates.astype("datetime64[M]")
    years = dates.astype("datetime64[Y]")
    year = years.astype(np.int64) + 1970
    month = (months - years).astype(np.int64) + 1
    day = (dates - months).astype(np.int64) + 1
    numbers: Ints = year * 10_000 + month * 100 + day
    return numbers


def _full_years(last: Ints, day: Ints) -> Ints:
    """Return the number of full years from the day `last` to `day`, at most MAX_HALVINGS.

    For players without a rated table `last` is 0, so the result is MAX_HALVINGS, which makes n zero.
    """
    years: Ints = np.minimum((day - last) // 10_000, MAX_HALVINGS)
    return years


def _offsets(starts: Ints, start_n: Ints, return_rows: Ints, years: Ints, total_growth: Ints) -> Ints:
    """Return an offset for each row: `total_growth` + offset is n (the weighted number of rated tables) after the row.

    `starts` are the first rows of the players; their n before these rows is `start_n`. `return_rows` are the rows
    before which n is halved, each as often as `years` says. `total_growth` are the cumulative weights of all rows.
    Halvings are rare and each depends on the previous one, so they are a plain loop.
    """
    if len(return_rows):
        player_starts, starts = starts, np.union1d(starts, return_rows)
        n = np.zeros_like(starts)
        n[np.searchsorted(starts, player_starts)] = start_n
        start_n = n
    earlier = np.where(starts > 0, total_growth[starts - 1], 0)
    offset = start_n - earlier
    for index, shift in zip(np.searchsorted(starts, return_rows).tolist(), years.tolist(), strict=True):
        offset[index] = (int(earlier[index] + offset[index - 1]) >> shift) - int(earlier[index])
    return np.repeat(offset, np.diff(starts, append=len(total_growth)))
