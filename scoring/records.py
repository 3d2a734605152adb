"""Records of a game beside points: slams, handfuls, the highest contract made. Pure.

A game's folder may have a `records.py` with the value RECORDS; all games have the highest and the lowest deal and the
best evening.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple


class Feat(NamedTuple):
    """A feat of a seat in a deal, by the name of a record; its value is the seat's points."""

    record: str
    seat: int


def no_feats(deal: Any, options: Any) -> tuple[Feat, ...]:
    return ()


class Records(NamedTuple):
    """The feats of a deal, and the titles of the records in the order of the page."""

    feats: Callable[[Any, Any], Sequence[Feat]] = no_feats
    of_deals: Mapping[str, str] = {}  # titles by feat: the deal with the most points
    of_counters: Mapping[str, str] = {}  # titles by counter of the game's statistics: the player with the highest count


NO_RECORDS = Records()
