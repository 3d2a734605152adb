"""Each game's leaderboard."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.tables import paged
from players.leaderboard import leaderboard as board
from players.tables import LeaderboardTable
from scoring import registry

PAGE = 50


def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """The players of a game whom the reader may see, by rating."""
    try:
        game = registry.game(slug)
    except registry.UnknownGame as unknown:
        raise Http404 from unknown
    inactive = "inactive" in request.GET
    table = LeaderboardTable(board(request.user, slug, today=timezone.localdate(), inactive=inactive))
    paged(table, request, PAGE)
    context = {"game": game, "games": registry.games(), "table": table, "inactive": inactive}
    return render(request, "players/leaderboard.html", context)
