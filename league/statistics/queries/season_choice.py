"""The season that the user chose by the parameter `season` of the query string."""

from collections.abc import Iterable
from typing import Any, Protocol, TypeVar

from django.http import HttpRequest


class _Season(Protocol):
    @property
    def pk(self) -> Any: ...


S = TypeVar("S", bound=_Season)


def chosen_season(request: HttpRequest, seasons: Iterable[S]) -> S | None:
    return next((season for season in seasons if str(season.pk) == request.GET.get("season")), None)
