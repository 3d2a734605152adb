"""Version numbers of the arithmetic of ratings, standings and statistics. Increase a number if the arithmetic changes
results.

A stored result has the version that computed it. The job runner computes results of other versions again.
"""

from collections.abc import Mapping
from typing import Final

RATINGS: int = 1
STATISTICS: int = 2  # of statistics and records
# By version: a digest of the standings of test seasons. A test compares it with the newest version's results.
STANDINGS_DIGESTS: Final[Mapping[int, str]] = {
    2: "4a5d37cfdc40ea9c46a8559d6822aebbffe0e78585809275a41ed143cd8f77c2",
    3: "44c9400c3cafd83f9725107f52b3a5972d3d9473bcd9466c65d999701575a420",
}
STANDINGS: int = max(STANDINGS_DIGESTS)
