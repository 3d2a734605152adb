"""What a rating difference makes a side expect: Elo's curve from committed data, in integers only.

expectation.txt holds 10⁹ / (1 + 10^(−q / 400)) for q = 0 … 1200 points, one a line, rounded half even.
It is data because a power computed in floats may differ from one machine to the next.
"""

from importlib.resources import files
from typing import Final

POINT: Final = 1_000_000  # micro-points in a point of rating
CERTAIN: Final = 1_000_000_000  # expectations are counted in 10⁻⁹
FLAT: Final = 1200  # points of difference from where on the curve stays as it is

TABLE: Final = tuple(map(int, files("players.rating").joinpath("expectation.txt").read_text("ascii").split()))


def expected(difference: int) -> int:
    """Return E in 10⁻⁹ of the side that is `difference` micro-points stronger (negative: weaker).

    Straight lines between whole points, rounded down for the stronger side; the weaker has the rest,
    so that expected(d) + expected(−d) is exactly 1.
    """
    whole, rest = divmod(min(abs(difference), FLAT * POINT), POINT)
    following = TABLE[min(whole + 1, FLAT)]
    stronger = TABLE[whole] + (following - TABLE[whole]) * rest // POINT
    return stronger if difference >= 0 else CERTAIN - stronger
