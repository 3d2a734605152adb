"""Which of a player's seasons an address asks for."""

from collections.abc import Iterable

from django.http import HttpRequest

from league.models import Season


def chosen_season(request: HttpRequest, seasons: Iterable[Season]) -> Season | None:
    """Return the one that `?season=` names; None for all of them, also where it names none of these."""
    return next((season for season in seasons if str(season.pk) == request.GET.get("season")), None)
