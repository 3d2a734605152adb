"""The expected score of a side for a rating difference: Elo's curve, in integers.

expectation.txt has 10⁹ / (1 + 10^(−q / 400)) for q = 0 … 1200 rating points, one per line, rounded half even. The
values are stored because powers of floats may differ between machines.
"""

from importlib.resources import files
from typing import Final

MICRO_POINTS_PER_POINT: Final = 1_000_000  # micro-points in a point of rating
CERTAINTY: Final = 1_000_000_000  # expectations are counted in 10⁻⁹
MAX_DIFFERENCE_POINTS: Final = 1200  # points of difference; the curve is constant beyond

EXPECTATION_TABLE: Final = tuple(
    map(int, files("players.rating").joinpath("expectation.txt").read_text("ascii").split())
)


def expected_score(difference: int) -> int:
    """Return the expected score, in 10⁻⁹, of a side whose rating is `difference` micro-points above its opponents'
    rating.

    The curve is linear between whole points. The stronger side's score is rounded down, so that expected_score(d) +
    expected_score(−d) is exactly CERTAINTY.
    """
    points, rest = divmod(min(abs(difference), MAX_DIFFERENCE_POINTS * MICRO_POINTS_PER_POINT), MICRO_POINTS_PER_POINT)
    following = EXPECTATION_TABLE[min(points + 1, MAX_DIFFERENCE_POINTS)]
    stronger = EXPECTATION_TABLE[points] + (following - EXPECTATION_TABLE[points]) * rest // MICRO_POINTS_PER_POINT
    return stronger if difference >= 0 else CERTAINTY - stronger
