"""Why a player has a rank in a season."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from league.models import Season, Standing
from league.models.season import SeasonState
from league.seasons.queries.rules_summary import summary, tie_break_words, unreadable
from league.seasons.queries.season_evenings import UnreadableRules
from league.seasons.queries.standing_reasons import reasons
from league.seasons.queries.unranked import unranked
from league.web.board_tags import board_of
from league.web.due_notice import due_notice
from league.web.finding import frame, seen
from league.web.marks import rank_change


@board_of(Season, club="club")
def standing(request: HttpRequest, pk: int, player: int) -> HttpResponse:
    season = seen(Season.objects.with_club(), request.user, pk=pk)
    row = get_object_or_404(Standing.objects.select_related("player"), season=season, player=player)
    row.season = season
    context = {**frame(season.club, request.user), "season": season, "standing": row, "unranked": unranked(row)}
    try:
        opened = reasons(row)
    except UnreadableRules:
        context["rules"] = unreadable()
        return render(request, "league/seasons/standing.html", context)
    context |= {
        "opened": opened,
        "moved": rank_change(row.rank, row.rank_before),
        "rules": summary(opened.rules, evenings=season.evenings.not_cancelled().count()),
        "tie_break": tie_break_words(row.tie_break) if row.tie_break else "",
        "tie_breaks": [(tie_break_words(tie_break.name), tie_break.players) for tie_break in opened.tie_breaks],
        "due_notice": due_notice(season.dues.all(), now=timezone.now()) if season.state != SeasonState.CLOSED else "",
    }
    return render(request, "league/seasons/standing.html", context)
