"""What is remarkable about a deal, so that the story of an evening tells it: a slam, a handful. Pure.

A game's folder has a `remarks.py` with the value REMARKS; of a game without one nothing is told but points.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from scoring.rules.errors import Param
from scoring.rules.words import Words


class Remark(NamedTuple):
    """A code of the game's words with its parameters; the greater the `weight`, the rarer it is."""

    code: str
    params: Mapping[str, Param]
    weight: int


def no_remarks(deal: Any) -> tuple[Remark, ...]:
    """Return no remark."""
    return ()


class Remarks(NamedTuple):
    """What a game finds in a deal, and the English of its codes."""

    of: Callable[[Any], Sequence[Remark]] = no_remarks
    words: Words = {}


NO_REMARKS = Remarks()
