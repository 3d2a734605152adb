"""What the engine answers: points, the lines that make them, and doubts.

Knows seats and codes, never people, rows or words.
"""

from collections.abc import Iterable, Mapping
from operator import add
from typing import NamedTuple

from scoring.rules.errors import Param

# Named tuples, not dataclasses: as immutable, and three times cheaper to make.


class Line(NamedTuple):
    """One reason, and what it gives or costs each seat (`points[i]` is seat i's, an integer)."""

    code: str
    params: Mapping[str, Param]
    clause: str
    points: tuple[int, ...]


class Suspicion(NamedTuple):
    """Possible, but probably a slip of the pen: scored, and asked about."""

    field: str
    code: str
    params: Mapping[str, Param]


class EngineScore(NamedTuple):
    """`points` is the sum of `lines`, seat by seat."""

    points: tuple[int, ...]
    lines: tuple[Line, ...]
    warnings: tuple[Suspicion, ...]


def total(seats: int, lines: Iterable[Line]) -> tuple[int, ...]:
    """Add the lines up, seat by seat; `seats` zeros when there are none."""
    added: Iterable[int] = (0,) * seats
    for line in lines:
        added = map(add, added, line.points)  # half the time of zip and sum, for the few lines of a deal
    return tuple(added)
