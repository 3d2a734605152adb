"""A player's standings in all seasons, with the evenings won, and the results of the last evenings."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any, Final, NamedTuple

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, JSONArray

from league.evenings.queries.json_rows import json_rows
from league.models import Evening, SeasonRecord, Standing
from league.models.season import SeasonState
from league.people.queries.known_clubs import KnownClubs
from league.seasons.queries.season_results import ResultKind, evening_results
from league.standings.season import ExactNumber
from league.statistics.queries.evening_records import WINS
from players.models import Player

MAX_RECENT_EVENINGS: Final = 10
MEDAL_RANKS: Final = 3  # ranks that count as medals


class RecentResult(NamedTuple):
    evening: int
    date: date
    kind: ResultKind
    value: ExactNumber | None  # in the sign on score sheets; None if the player has no result


def player_standings(player: Player, is_self: bool, clubs: KnownClubs) -> list[Any]:
    """Return the player's standings in open and closed seasons, without tournaments, the newest season first.

    Each standing is annotated with `ranked` (number of ranked players), `won` (number of evenings that the player won)
    and `last_evenings` (id and date of the season's last closed evenings, the newest first). `is_self`: the player is
    the viewer, who sees all seasons except those of withheld clubs; other viewers see the seasons of visible clubs.
    """
    ranked = Standing.objects.filter(season=OuterRef("season"), rank__isnull=False).order_by().values("season")
    wins = SeasonRecord.objects.filter(season=OuterRef("season"), player=OuterRef("player"), name=WINS)
    closed = Evening.objects.closed().filter(season=OuterRef("season"))
    last = closed.order_by("-date", "-pk").annotate(row=JSONArray("pk", "date"))[:MAX_RECENT_EVENINGS]
    rows: QuerySet[Any, Any] = _visible_standings(player, is_self, clubs).select_related("season__club_game")
    rows = rows.filter(Q(season__state=SeasonState.OPEN) | Q(season__state=SeasonState.CLOSED))
    return list(
        rows.annotate(
            ranked=Coalesce(Subquery(ranked.annotate(number=Count("pk")).values("number")), 0),
            won=Coalesce(Subquery(wins.order_by().values("player").annotate(sum=Sum("value")).values("sum")), 0),
            last_evenings=json_rows(last),
        ).order_by("-season__pk")
    )


def open_season_standings(player: Player, is_self: bool, clubs: KnownClubs) -> list[Standing]:
    """Return the player's standings in open seasons, without tournaments, the newest season first.

    The arguments are those of `player_standings`.
    """
    rows = _visible_standings(player, is_self, clubs).filter(season__state=SeasonState.OPEN)
    return list(rows.order_by("-season__pk"))


def _visible_standings(player: Player, is_self: bool, clubs: KnownClubs) -> QuerySet[Standing]:
    rows = Standing.objects.filter(player=player, season__tournament=None).select_related("season__club")
    if is_self:
        return rows.exclude(season__club__in=clubs.withheld_ids)
    return rows.filter(season__club__in=clubs.visible_ids)


def recent_results(standing: Any) -> list[RecentResult]:
    """Return the player's results at the last evenings of the season, oldest first.

    `standing` is a row of `player_standings`.
    """
    dates = {pk: date.fromisoformat(day) for pk, day in reversed(standing.last_evenings)}
    convert = standing.season.convert_total
    return [
        RecentResult(evening, dates[evening], kind, None if value is None else convert(value))
        for evening, kind, value in evening_results(standing, list(dates))
    ]


def medal_standings(standings: Iterable[Any]) -> list[Any]:
    """Return the standings of closed seasons that have one of the first three ranks."""
    return [row for row in standings if row.season.state == SeasonState.CLOSED and row.rank and row.rank <= MEDAL_RANKS]
