"""Version numbers of the arithmetic; increase one with each change of a result.

Stored numbers have a version; the next tick of the job runner computes numbers of other versions again.
"""

from collections.abc import Mapping
from typing import Final

RATINGS: int = 1
STATISTICS: int = 2  # and records
# Each version of the standings, with the digest of its results for the seasons of a test.
STANDINGS_DIGESTS: Final[Mapping[int, str]] = {
    2: "4a5d37cfdc40ea9c46a8559d6822aebbffe0e78585809275a41ed143cd8f77c2",
    3: "44c9400c3cafd83f9725107f52b3a5972d3d9473bcd9466c65d999701575a420",
}
STANDINGS: int = max(STANDINGS_DIGESTS)
