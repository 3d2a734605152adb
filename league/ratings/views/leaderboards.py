from __future__ import annotations

from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from league.models import PendingRecompute
from league.ratings.forms import LeaderboardFilter
from league.ratings.queries.leaderboard import LeaderboardScope, computed_at, past_leaderboard
from league.ratings.queries.leaderboard import leaderboard as board
from league.ratings.tables import LeaderboardTable, PastLeaderboardTable
from league.web.exports import export_addresses, spreadsheet_response
from league.web.game import game_or_404
from league.web.page_cache import cached_template, viewer_kind
from league.web.page_etags import conditional_page_of_all_clubs
from league.web.recompute_notice import recompute_notice
from league.web.tables import paginate, sort_by_request
from scoring.game import Game, all_games

ROWS_PER_PAGE = 50


@conditional_page_of_all_clubs
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    game, form, table = _read_leaderboard(request, slug)

    def context() -> dict[str, Any]:
        return {"game": game, "table": table, **_leaderboard_context(request, slug, form, table)}

    content = cached_template(request, "league/ratings/_leaderboard.html", viewer_kind(request), context)
    status = 422 if form.errors else 200
    return render(request, "league/ratings/leaderboard.html", {"game": game, "content": content}, status=status)


def _leaderboard_context(
    request: HttpRequest, slug: str, form: LeaderboardFilter, table: LeaderboardTable
) -> dict[str, Any]:
    paginate(table, request, ROWS_PER_PAGE)
    notice = "" if form.day else recompute_notice(PendingRecompute.objects.filter(game=slug), now=timezone.now())
    return {
        "games": all_games(),
        "past": form,
        "of_club": form.field_value("club"),
        "inactive": bool(form.field_value("inactive")),
        "recompute_notice": notice,
        "computed": None if form.day else computed_at(slug),
        "files": export_addresses(request, "leaderboard", slug),
    }


def leaderboard_file(request: HttpRequest, slug: str, extension: str) -> HttpResponse:
    game, form, table = _read_leaderboard(request, slug)
    if form.errors:
        raise BadRequest
    sort_by_request(table, request)
    title = _("Leaderboard")
    return spreadsheet_response(table.as_values(), extension, title, f"{game.name} {title} {form.day or ''}".strip())


def _read_leaderboard(request: HttpRequest, slug: str) -> tuple[Game, LeaderboardFilter, LeaderboardTable]:
    game = game_or_404(slug, request.user)
    today = timezone.localdate()
    form = LeaderboardFilter(request.GET, today=today, viewer=request.user)
    scope = LeaderboardScope(
        include_inactive=bool(form.field_value("inactive")),
        club=form.field_value("club"),
        only_established=bool(form.field_value("established")),
        searched_players=form.matching_players,
    )
    rows = (
        past_leaderboard(request.user, slug, day=form.day, scope=scope)
        if form.day
        else board(request.user, slug, today=today, scope=scope)
    )
    return game, form, PastLeaderboardTable(rows) if form.day else LeaderboardTable(rows)
