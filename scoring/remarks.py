"""Remarkable deals of a game, for the story of an evening: a slam, a handful. Pure.

A game's folder may have a `remarks.py` with the value REMARKS; without, the story has only points.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from scoring.rules.errors import Param
from scoring.rules.words import Words


class Remark(NamedTuple):
    """A code of `Remarks.words` with its parameters. Rarer remarks have a greater `weight`."""

    code: str
    params: Mapping[str, Param]
    weight: int


def no_remarks(deal: Any) -> tuple[Remark, ...]:
    return ()


class Remarks(NamedTuple):
    """The remarks of a game.

    `find` returns the remarks on a deal; `words` has the English text of each code; `slams` are the codes of slams and
    the like, which the hall's screen announces.
    """

    find: Callable[[Any], Sequence[Remark]] = no_remarks
    words: Words = {}
    slams: frozenset[str] = frozenset()


NO_REMARKS = Remarks()
