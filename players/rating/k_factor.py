"""The size of rating changes: the weight w of a table, and Elo's K by the rating rules of the game.

K, k(N) and f are integers in micro-points, rounded half up. RATINGS.md defines them.
"""

from collections.abc import Sequence
from math import isqrt
from typing import Final

from players.rating.expectation import MICRO_POINTS_PER_POINT
from scoring.rules.interface import TableLength

CLUB_RULES: Final = "club"
PUBLISHED_RULES: Final = "published"
RULES: Final = (CLUB_RULES, PUBLISHED_RULES)

WEIGHT_TENTHS: Final = (10, 7, 5)  # w by `length_shortfall`: 1, 0.7, 0.5
# The values of K in the published rules, in points. The index for a table of full length depends on the number of
# players; from 11 players on it is MAX_FIRST_RUNG. For a middle table the index is one higher, for a short one two.
K_LADDER: Final = (48, 32, 24, 16, 12, 8, 6, 4)
MAX_FIRST_RUNG: Final = 5
THOUSANDTHS: Final = 1000  # n is counted in thousandths of a table
HALF_FACTOR_N: Final = 20  # at this n, f − 1 is half of its initial value


def length_shortfall(length: TableLength, top: int, deal_count: int | None) -> int | None:
    """Return 0 for a table of full length, 1 for a middle one, 2 for a short one, None for a table too short to be
    rated.

    `top` is the highest total at the table. `deal_count` may be None if the game measures the length by `top`.
    """
    measured = top if length.length_unit == "top" else deal_count
    if measured is None:
        raise ValueError("deals: this game's lengths are measured by the number of deals")
    if measured < length.minimum:
        return None
    return (measured < length.middle) + (measured < length.full)


def divide_half_up(numerator: int, denominator: int) -> int:
    return (2 * numerator + denominator) // (2 * denominator)


def square_root_half_up(numerator: int, denominator: int) -> int:
    """Return the square root of a fraction, rounded half up, without rounding errors.

    ⌊2√x⌋ = isqrt(⌊4x⌋), and ⌊√x + ½⌋ = (⌊2√x⌋ + 1) // 2.
    """
    return (isqrt(4 * numerator // denominator) + 1) // 2


def table_size_stake(sides: int) -> int:
    """Return the factor k(N) = 4 / √(N − 1) of the stake, in micro-points, for a table with N `sides`.

    It gives luck the same influence at all table sizes: a side has N − 1 opponents.
    """
    return square_root_half_up(16 * MICRO_POINTS_PER_POINT**2, sides - 1)


def experience_factor(n: int) -> int:
    """Return f(n) = 1 + 3·20 / (20 + n) in millionths. With it, the ratings of new players change faster.

    `n` is the player's weighted number of rated tables, in thousandths.
    """
    return MICRO_POINTS_PER_POINT + divide_half_up(
        3 * HALF_FACTOR_N * THOUSANDTHS * MICRO_POINTS_PER_POINT, HALF_FACTOR_N * THOUSANDTHS + n
    )


def published_stake(players: int, short: int) -> int:
    """Return the stake K of the published equation in micro-points.

    `short` is 0 for a table of full length, 1 for a middle one, 2 for a short one.
    """
    return K_LADDER[min((players - 1) // 2, MAX_FIRST_RUNG) + short] * MICRO_POINTS_PER_POINT


def club_stake(sides: int, short: int, side_n: Sequence[int], opponent_n: Sequence[int]) -> int:
    """Return the stake K = k(N)·w·(f_A + f_B)/2 of the club rules in micro-points.

    `short` is 0 for a table of full length, 1 for a middle one, 2 for a short one. `side_n` and `opponent_n` have n
    (the weighted number of rated tables) of each member, in thousandths; a side's f is the mean of its members' f. The
    means, w and the half are one fraction, so that K is rounded once. With 100 players at a table the numerator is at
    most 4·10⁶ · 10 · 8·10⁶ · 2500 = 8·10¹⁷ and fits into 64 bits.
    """
    factors = sum(map(experience_factor, side_n)) * len(opponent_n) + sum(map(experience_factor, opponent_n)) * len(
        side_n
    )
    return divide_half_up(
        table_size_stake(sides) * WEIGHT_TENTHS[short] * factors,
        2 * len(side_n) * len(opponent_n) * 10 * MICRO_POINTS_PER_POINT,
    )


def uncertainty(n: int) -> int:
    """Return the uncertainty of a rating, ±90·√(20 / (20 + n)), in micro-points.

    `n` is the player's weighted number of rated tables, in thousandths.
    """
    return square_root_half_up(
        (90 * MICRO_POINTS_PER_POINT) ** 2 * HALF_FACTOR_N * THOUSANDTHS, HALF_FACTOR_N * THOUSANDTHS + n
    )
