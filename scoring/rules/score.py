from collections.abc import Iterable, Mapping
from operator import add
from typing import NamedTuple

from scoring.rules.errors import Param

# Named tuples: creating them is three times faster than frozen dataclasses.


class Line(NamedTuple):
    """One reason for points. `points` has the points by seat that this reason gives.

    `clause` is the number of a clause in RULES.md; if house rules change the result, the numbers of their clauses
    follow: "C4.3, C5.8".
    """

    code: str
    params: Mapping[str, Param]
    clause: str
    points: tuple[int, ...]

    @property
    def clauses(self) -> list[str]:
        return self.clause.split(", ")


class DealWarning(NamedTuple):
    """A warning about a deal: the facts are possible, but probably a mistake. The page asks the user to confirm."""

    field: str
    code: str
    params: Mapping[str, Param]


class EngineScore(NamedTuple):
    """The score of a deal. `points` has the points by seat: the sum of the points of all `lines`."""

    points: tuple[int, ...]
    lines: tuple[Line, ...]
    warnings: tuple[DealWarning, ...]


def total(seats: int, lines: Iterable[Line]) -> tuple[int, ...]:
    points: Iterable[int] = (0,) * seats
    for line in lines:
        points = map(add, points, line.points)  # twice as fast as zip and sum for the few lines of a deal
    return tuple(points)
