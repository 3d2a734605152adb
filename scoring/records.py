"""Records of a game beside points: slams, handfuls, the highest contract made. Pure.

A game's folder may have a `records.py` with the value RECORDS; all games have the highest and the lowest deal and the
best evening.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class RecordCandidate(NamedTuple):
    """A seat that may hold the record `record`, such as "slam", by a deal. Of several, the one with the most points
    holds it.
    """

    record: str
    seat: int


def no_candidates(deal: Any, options: Any) -> tuple[RecordCandidate, ...]:
    return ()


class Records(NamedTuple):
    """A function that finds the candidates in a deal, and the titles of records in the order of the page."""

    candidates: Callable[[Any, Any], Sequence[RecordCandidate]] = no_candidates
    of_deals: Mapping[str, str] = {}  # titles by the name of a record: the candidate with the most points
    of_counters: Mapping[str, str] = {}  # titles by counter of the game's statistics: the player with the highest count


NO_RECORDS = Records()
