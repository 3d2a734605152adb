"""Template filters that show points as score sheets write them: `{{ seat.points|written:season|points }}`.

If the lowest total wins, the sign is the opposite of the stored one; else the points are unchanged.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from django import template

N = TypeVar("N")


class Writes(Protocol):
    def convert_points(self, points: Any, /) -> Any: ...


class WritesTotals(Protocol):
    def convert_total(self, total: Any, /) -> Any: ...


register = template.Library()


@register.filter("written")
def convert_points(points: N, game: Writes) -> N | None:
    """Convert points of a deal or a table. `game` is a season or a game."""
    return None if points is None else game.convert_points(points)


@register.filter("written_total")
def convert_total(total: N, season: WritesTotals) -> N | None:
    """Convert a total of the season, or the worth of an evening."""
    return None if total is None else season.convert_total(total)
