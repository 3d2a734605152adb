"""Preview pictures for links on other sites: of a season, and of a player's rank in a season."""

from __future__ import annotations

from typing import Any

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import conditional_page, require_safe

from league.models import Season, Standing
from league.standings.podium import MAX_PODIUM_ROWS, PODIUM_RANKS
from league.web.lookups import visible_or_404
from league.web.marks import ordinal
from league.web.share_picture import PictureTexts, PodiumRow
from league.web.share_picture_response import picture_response
from scoring.numbers import localise, round_to_decimals


@require_safe
@conditional_page
def season_picture(request: HttpRequest, pk: int) -> HttpResponse:
    season = visible_or_404(Season.objects.without_tournaments().with_club(), request.user, pk=pk)
    return picture_response(request, season.club, lambda: _season_texts(season))


def _season_texts(season: Season) -> PictureTexts:
    ranked = Standing.objects.filter(season=season, rank__isnull=False).select_related("player").order_by("rank", "pk")
    count = ranked.count()
    players = ngettext("%(count)s player", "%(count)s players", count) % {"count": count}
    podium = [_podium_row(row, season) for row in ranked.filter(rank__lte=PODIUM_RANKS)[:MAX_PODIUM_ROWS]]
    return PictureTexts(str(season.club), str(season), f"{season.game_title} · {players}", tuple(podium))


@require_safe
@conditional_page
def standing_picture(request: HttpRequest, pk: int, player: int) -> HttpResponse:
    season = visible_or_404(Season.objects.without_tournaments().with_club(), request.user, pk=pk)
    ranked = Standing.objects.select_related("player").annotate(ranked=Count("season__standings__rank"))
    row: Any = get_object_or_404(ranked, season=season, player=player)
    return picture_response(request, season.club, lambda: _standing_texts(row, season))


def _standing_texts(row: Any, season: Season) -> PictureTexts:
    """Return the texts of the picture for a standing. `row.ranked` is the number of ranked players."""
    subtitle = f"{season} · {season.game_title}"
    if row.rank is None:
        return PictureTexts(str(season.club), str(row.player), subtitle)
    of_all = _("%(rank)s of %(count)s") % {"rank": ordinal(row.rank), "count": row.ranked}
    return PictureTexts(str(season.club), str(row.player), subtitle, (_podium_row(row, season)._replace(name=of_all),))


def _podium_row(row: Standing, season: Season) -> PodiumRow:
    return PodiumRow(row.rank or 0, str(row.player), localise(round_to_decimals(season.convert_total(row.total))))
