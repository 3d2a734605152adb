"""Records of a game other than points, such as slams, handfuls and the highest contract made. No Django.

A game's folder may have a `records.py` with the value RECORDS. The highest deal, the lowest deal and the best evening
are records in all games, and are not listed there.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class RecordCandidate(NamedTuple):
    """A seat that may get the record with the name `record`, such as "slam", for its points in one deal. The candidate
    with the most points holds the record.
    """

    record: str
    seat: int


def no_candidates(deal: Any, options: Any) -> tuple[RecordCandidate, ...]:
    return ()


class Records(NamedTuple):
    """The records of a game: a function that returns the candidates of a deal, and the titles of the records in the
    order of the page.
    """

    candidates: Callable[[Any, Any], Sequence[RecordCandidate]] = no_candidates
    deal_record_titles: Mapping[str, str] = {}  # titles by the name of a record: the candidate with the most points
    counter_record_titles: Mapping[
        str, str
    ] = {}  # titles by counter of the game's statistics: the player with the highest count


NO_RECORDS = Records()
