"""A player's standings in open seasons."""

from __future__ import annotations

from league.models import Standing
from league.models.season import SeasonState
from league.people.queries.known_clubs import KnownClubs
from players.models import Player


def current_standings(person: Player, own: bool, clubs: KnownClubs) -> list[Standing]:
    """Return the player's rows of open seasons, in clubs that the viewer may see; one query."""
    rows = Standing.objects.filter(player=person, season__state=SeasonState.OPEN).select_related("season__club")
    rows = rows.exclude(season__club__in=clubs.withheld) if own else rows.filter(season__club__in=clubs.seen)
    return list(rows.order_by("-season__pk"))
