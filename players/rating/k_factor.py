"""How much a rated table moves the ratings: its weight by its length, and K by the game's rating rules.

K, k(N) and f are integers in micro-points, rounded half up. Knows lengths and numbers, neither games nor people.
"""

from collections.abc import Sequence
from math import isqrt
from typing import Final

from players.rating.expectation import POINT
from scoring.rules.interface import Length

CLUB: Final = "club"
PUBLISHED: Final = "published"
RULES: Final = (CLUB, PUBLISHED)

TENTHS: Final = (10, 7, 5)  # w by the steps that a table is short of full length: 1, 0.7, 0.5
LADDER: Final = (48, 32, 24, 16, 12, 8, 6, 4)  # published K in points; one rung down for each step short
FIRST_RUNGS: Final = 5  # from 11 players on, the rung stays
THOUSANDTHS: Final = 1000  # n is counted in thousandths of a table
SETTLED: Final = 20  # the tables after which f has come half-way down from its start, less the final 1


def steps_short(length: Length, top: int, deals: int | None) -> int | None:
    """Return how many steps a table is short of full length: 0, 1 or 2; None is too short to be rated.

    `top` is the table's highest total; `deals` may be None where the length is measured by the top total.
    """
    measured = top if length.measure == "top" else deals
    if measured is None:
        raise ValueError("deals: this game's lengths are measured by the number of deals")
    if measured < length.minimum:
        return None
    return (measured < length.middle) + (measured < length.full)


def half_up(numerator: int, denominator: int) -> int:
    """Return the nearest integer to a fraction, halves up; `denominator` is positive."""
    return (2 * numerator + denominator) // (2 * denominator)


def root_half_up(numerator: int, denominator: int) -> int:
    """Return the nearest integer to the square root of a fraction, halves up.

    Exact: ⌊2√x⌋ = isqrt(⌊4x⌋), and ⌊√x + ½⌋ = (⌊2√x⌋ + 1) // 2.
    """
    return (isqrt(4 * numerator // denominator) + 1) // 2


def spread(sides: int) -> int:
    """Return k(N) = 4 / √(N − 1) in micro-points: a side meets N − 1 others, so one table's luck stays alike."""
    return root_half_up(16 * POINT**2, sides - 1)


def factor(n: int) -> int:
    """Return f(n) = 1 + 3·20 / (20 + n) in millionths, n in thousandths: newcomers move faster."""
    return POINT + half_up(3 * SETTLED * THOUSANDTHS * POINT, SETTLED * THOUSANDTHS + n)


def published_stake(players: int, short: int) -> int:
    """Return K of the published equation, in micro-points, for a table of so many players.

    For a game measured by deals the same steps apply: full length none, middle one, least two.
    """
    return LADDER[min((players - 1) // 2, FIRST_RUNGS) + short] * POINT


def club_stake(sides: int, short: int, one: Sequence[int], other: Sequence[int]) -> int:
    """Return K = k(N)·w·(f_A + f_B)/2 in micro-points, from each member's n in thousandths.

    A side's f is its members' mean. The means, w and the half are one fraction, so that K is rounded once. With at most
    100 players at a table the numerator is at most 4·10⁶ · 10 · 8·10⁶ · 2500 = 8·10¹⁷: 64 bits are enough.
    """
    factors = sum(map(factor, one)) * len(other) + sum(map(factor, other)) * len(one)
    return half_up(spread(sides) * TENTHS[short] * factors, 2 * len(one) * len(other) * 10 * POINT)


def band(n: int) -> int:
    """Return the band to show beside a rating, ±90·√(20 / (20 + n)) in micro-points, n in thousandths."""
    return root_half_up((90 * POINT) ** 2 * SETTLED * THOUSANDTHS, SETTLED * THOUSANDTHS + n)
