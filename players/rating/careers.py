"""What ratings depend on besides ratings: each player's n before each of his tables.

n follows from results and dates alone, so it is known for many periods before their ratings move. Arrays of 64-bit
integers; a row is a player at a rated table, in order of time. Units as in reference.py.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from players.rating.expectation import POINT
from players.rating.k_factor import SETTLED, THOUSANDTHS

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
Days = NDArray[np.datetime64]

LONGEST_SHIFT: Final = 62  # years away after which any n is 0, and the widest shift that 64 bits allow


class Careers(NamedTuple):
    """Rows by player, each player's in order of time; every array is in that order."""

    row: Ints
    player: Ints
    first: Flags  # a player's first row here
    before: Ints  # n before the row's period
    after: Ints  # n after the row
    day: Ints  # as `numbers` writes it


def careers(player: Ints, day: Ints, period: Ints, weight: Ints, n: Ints, last: Ints) -> Careers:
    """Return everyone's n, from what it was before the first of these rows.

    `n` and `last`, the day last rated, are by player.

    By row: `player` (numbers from 0), `day` (as `numbers`), `period`, `weight` (thousandths). n grows by the weight
    after each row and halves before a period for each full 12 months away.
    """
    sorted_player, row = in_order(player)
    first = changes(sorted_player)
    sorted_day, when, grew = day[row], period[row], weight[row]
    grown = np.cumsum(grew)
    away = np.flatnonzero(sorted_day[1:] - sorted_day[:-1] >= 10_000) + 1
    away = away[~first[away]]
    starts = np.flatnonzero(first)
    people = sorted_player[starts]
    held = n[people] >> _years(last[people], sorted_day[starts])
    years = _years(sorted_day[away - 1], sorted_day[away])
    after = grown + _offsets(starts, held, away, years, grown)
    before = after - grew
    new_period = first | changes(when)
    if not new_period.all():  # two tables in one period: both from the n before the first of them
        before = before[np.maximum.accumulate(np.where(new_period, np.arange(len(row)), 0))]
    return Careers(row, sorted_player, first, before, after, sorted_day)


def in_order(keys: Ints) -> tuple[Ints, Ints]:
    """Return keys ascending, and where each stood; equal keys keep their order.

    Keys from 0; ValueError when a key and their number together need more than 63 bits. One sort of plain integers, the
    place in the low bits, is several times faster than an indirect one.
    """
    bits = len(keys).bit_length()
    if int(keys.max(initial=0)) >= 1 << (63 - bits):
        raise ValueError("too many players and rows to be sorted together")
    packed = (keys << bits) | np.arange(len(keys))
    packed.sort()
    return packed >> bits, packed & ((1 << bits) - 1)


def factors(n: Ints) -> Ints:
    """Return f(n) in millionths, as k_factor.factor."""
    settling = n + SETTLED * THOUSANDTHS
    factor: Ints = (settling >> 1) + 3 * SETTLED * THOUSANDTHS * POINT
    factor //= settling
    factor += POINT
    return factor


def changes(values: Ints) -> Flags:
    """Return where a value differs from the one before; the first always does."""
    changed = np.ones(len(values), dtype=np.bool_)
    np.not_equal(values[1:], values[:-1], out=changed[1:])
    return changed


def numbers(dates: Days) -> Ints:
    """Return dates as numbers like 20261002.

    The difference of two, divided by 10,000, is the full years between them.
    """
    months = dates.astype("datetime64[M]")
    years = dates.astype("datetime64[Y]")
    year = years.astype(np.int64) + 1970
    month = (months - years).astype(np.int64) + 1
    day = (dates - months).astype(np.int64) + 1
    written: Ints = year * 10_000 + month * 100 + day
    return written


def _years(last: Ints, day: Ints) -> Ints:
    """Return full years away, as reference.years_away; so many that nothing is left when it was never."""
    years: Ints = np.minimum((day - last) // 10_000, LONGEST_SHIFT)
    return years


def _offsets(starts: Ints, held: Ints, away: Ints, years: Ints, grown: Ints) -> Ints:
    """Return what to add to `grown` for n after each row.

    It changes where players begin (`starts`, with the n `held`) and where n is halved (`away`, for `years`). Halvings
    are rare, and each depends on the one before: a plain loop.
    """
    if len(away):
        player_starts, starts = starts, np.union1d(starts, away)
        everyones = np.zeros_like(starts)
        everyones[np.searchsorted(starts, player_starts)] = held
        held = everyones
    earlier = np.where(starts > 0, grown[starts - 1], 0)
    offset = held - earlier
    for place, shift in zip(np.searchsorted(starts, away).tolist(), years.tolist(), strict=True):
        offset[place] = (int(earlier[place] + offset[place - 1]) >> shift) - int(earlier[place])
    return np.repeat(offset, np.diff(starts, append=len(grown)))
