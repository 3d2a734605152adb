"""The expected score of a side by its rating difference: Elo's curve, in integers only.

expectation.txt has 10⁹ / (1 + 10^(−q / 400)) for q = 0 … 1200 points, one per line, rounded half even. It is stored
because a power of floats may differ between machines.
"""

from importlib.resources import files
from typing import Final

POINT: Final = 1_000_000  # micro-points in a point of rating
CERTAIN: Final = 1_000_000_000  # expectations are counted in 10⁻⁹
MAX_DIFFERENCE_POINTS: Final = 1200  # points of difference; the curve is constant beyond

EXPECTATION_TABLE: Final = tuple(
    map(int, files("players.rating").joinpath("expectation.txt").read_text("ascii").split())
)


def expected(difference: int) -> int:
    """Return the expectation, in 10⁻⁹, of a side that is `difference` micro-points stronger than its opponents.

    Linear between whole points, and rounded down for the stronger side: expected(d) + expected(−d) is exactly 1.
    """
    points, rest = divmod(min(abs(difference), MAX_DIFFERENCE_POINTS * POINT), POINT)
    following = EXPECTATION_TABLE[min(points + 1, MAX_DIFFERENCE_POINTS)]
    stronger = EXPECTATION_TABLE[points] + (following - EXPECTATION_TABLE[points]) * rest // POINT
    return stronger if difference >= 0 else CERTAIN - stronger
