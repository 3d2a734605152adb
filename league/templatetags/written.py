"""Points as the sheets write them, where the lowest total wins: `{{ seat.points|written:season|points }}`."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from django import template

N = TypeVar("N")


class Writes(Protocol):
    def written(self, points: Any, /) -> Any: ...


class WritesTotals(Protocol):
    def written_total(self, total: Any, /) -> Any: ...


register = template.Library()


@register.filter
def written(points: N, game: Writes) -> N | None:
    """`game` is a season or a game."""
    return None if points is None else game.written(points)


@register.filter
def written_total(total: N, season: WritesTotals) -> N | None:
    """A total of the season, or the worth of an evening."""
    return None if total is None else season.written_total(total)
