"""What a game finds worth a record in a deal, beside its points: a slam, a handful, the highest contract made. Pure.

A game's folder has a `records.py` with the value RECORDS; a game without one has the records of all games: the highest
and the lowest deal, the biggest evening.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class Feat(NamedTuple):
    """What a seat did in a deal, by the name of a record of its game; its value is what the deal gave the seat."""

    record: str
    seat: int


def no_feats(deal: Any, options: Any) -> tuple[Feat, ...]:
    """Return no feat."""
    return ()


class Records(NamedTuple):
    """The feats of a deal, and in the order of the page the English of what is a record."""

    feats: Callable[[Any, Any], Sequence[Feat]] = no_feats
    of_deals: Mapping[str, str] = {}  # by the name of a feat: whose deal gave most
    of_counters: Mapping[str, str] = {}  # by the name of a counter of the game's statistics: who has most


NO_RECORDS = Records()
