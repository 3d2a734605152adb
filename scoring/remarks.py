"""Sentences about remarkable deals of a game (a slam, a handful) for the report of an evening. No Django.

A game's folder may have a `remarks.py` with the value REMARKS. Without it, the report mentions only points.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from scoring.rules.errors import Param
from scoring.rules.words import Words


class Remark(NamedTuple):
    """A remarkable event of a deal: a code of `Remarks.words` with its parameters. Rarer events have a greater
    `weight`.
    """

    code: str
    params: Mapping[str, Param]
    weight: int


def no_remarks(deal: Any) -> tuple[Remark, ...]:
    return ()


class Remarks(NamedTuple):
    """The remarks of a game.

    `find_remarks` returns the remarks on a deal. `words` has the English text of each code. `slams` are the codes of
    the greatest events, which the screen in the hall announces.
    """

    find_remarks: Callable[[Any], Sequence[Remark]] = no_remarks
    words: Words = {}
    slams: frozenset[str] = frozenset()


NO_REMARKS = Remarks()
