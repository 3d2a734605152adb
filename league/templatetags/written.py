"""Template filters for points with the sign of the score sheet: `{{ seat.points|written:season|points }}`.

If the lowest total wins a game, points are stored with the opposite sign. In other games the filters change nothing.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from django import template

N = TypeVar("N")


class ConvertsPoints(Protocol):
    """An object that converts points: a season or a game."""

    def convert_points(self, points: Any, /) -> Any: ...


class ConvertsTotals(Protocol):
    """An object that converts totals: a season."""

    def convert_total(self, total: Any, /) -> Any: ...


register = template.Library()


@register.filter("written")
def convert_points(points: N, game: ConvertsPoints) -> N | None:
    """Return stored points of a deal or a table with the sign of the score sheet. `game` is a season or a game."""
    return None if points is None else game.convert_points(points)


@register.filter("written_total")
def convert_total(total: N, season: ConvertsTotals) -> N | None:
    """Return a stored total of the season, or worth of an evening, with the sign of the score sheet."""
    return None if total is None else season.convert_total(total)
