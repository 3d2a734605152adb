from __future__ import annotations

from league.models import Standing
from league.models.season import SeasonState
from league.people.queries.known_clubs import KnownClubs
from players.models import Player


def current_standings(player: Player, is_self: bool, clubs: KnownClubs) -> list[Standing]:
    rows = Standing.objects.filter(player=player, season__state=SeasonState.OPEN).select_related("season__club")
    rows = rows.exclude(season__club__in=clubs.withheld) if is_self else rows.filter(season__club__in=clubs.visible)
    return list(rows.order_by("-season__pk"))
