"""Which of a player's seasons an address asks for."""

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

from django.http import HttpRequest


class _Season(Protocol):
    @property
    def pk(self) -> Any: ...


S = TypeVar("S", bound=_Season)


def chosen_season(request: HttpRequest, seasons: Iterable[S]) -> S | None:
    """Return the one that `?season=` names; None for all of them, also where it names none of these."""
    return next((season for season in seasons if str(season.pk) == request.GET.get("season")), None)
