"""Each game's leaderboard."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.boards.tables import LeaderboardTable, PastLeaderboardTable
from league.models import Due
from league.results.leaderboard import computed_at, past_leaderboard
from league.results.leaderboard import leaderboard as board
from league.web.due_notice import due_notice
from league.web.past_date import PastForm
from league.web.tables import paged
from scoring import registry
from scoring.game import all_games, find_game

PAGE = 50


def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """The players of a game whom the reader may see, by rating."""
    try:
        game = find_game(slug)
    except registry.UnknownGame as unknown:
        raise Http404 from unknown
    inactive = "inactive" in request.GET
    today = timezone.localdate()
    form = PastForm(request.GET if "on" in request.GET else None, today=today)
    table = (
        PastLeaderboardTable(past_leaderboard(request.user, slug, on=form.day, inactive=inactive))
        if form.day
        else LeaderboardTable(board(request.user, slug, today=today, inactive=inactive))
    )
    paged(table, request, PAGE)
    waits = "" if form.day else due_notice(Due.objects.filter(game=slug), now=timezone.now())
    context = {
        "game": game,
        "games": all_games(),
        "table": table,
        "past": form,
        "inactive": inactive,
        "due_notice": waits,
        "computed": None if form.day else computed_at(slug),
    }
    return render(request, "league/boards/leaderboard.html", context, status=422 if form.errors else 200)
