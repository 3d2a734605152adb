"""The page that explains a player's rank in a season."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone

from league.models import Season, Standing
from league.models.season import SeasonState
from league.seasons.queries.rules_summary import season_rules_sentence, tie_break_text
from league.seasons.queries.season_evenings import UnreadableRules
from league.seasons.queries.standing_reasons import StandingReasons, explain_standing
from league.seasons.queries.unranked_reason import unranked_reason
from league.web.charts import horizontal_bars, number_line
from league.web.lookups import club_context, visible_or_404
from league.web.marks import rank_change
from league.web.page_etags import conditional_club_page
from league.web.recompute_notice import recompute_notice


@conditional_club_page(Season, club="club")
def standing(request: HttpRequest, pk: int, player: int) -> HttpResponse:
    season = visible_or_404(Season.objects.with_club(), request.user, pk=pk)
    row = get_object_or_404(Standing.objects.select_related("player"), season=season, player=player)
    row.season = season
    context = {
        **club_context(season.club, request.user),
        "season": season,
        "standing": row,
        "unranked": unranked_reason(row),
        "rules": season_rules_sentence(season, season.evenings.all()),
    }
    try:
        opened = explain_standing(row)
    except UnreadableRules:
        return render(request, "league/seasons/standing.html", context)
    context |= {
        "opened": opened,
        **_chart_context(opened, season),
        "moved": rank_change(row.rank, row.rank_before),
        "tie_break": tie_break_text(row.tie_break) if row.tie_break else "",
        "tie_breaks": [(tie_break_text(tie_break.name), tie_break.players) for tie_break in opened.tie_breaks],
        "recompute_notice": recompute_notice(season.pending_recomputes.all(), now=timezone.now())
        if season.state != SeasonState.CLOSED
        else "",
    }
    return render(request, "league/seasons/standing.html", context)


def _chart_context(opened: StandingReasons, season: Season) -> dict[str, Any]:
    bars = horizontal_bars([float(season.convert_total(part.value)) for part in opened.parts])
    above, below, own_total = opened.above, opened.below, opened.standing.total
    return {
        "parts": list(zip(opened.parts, bars.bars, strict=True)),
        "bars": bars,
        "number_line": number_line(
            None if below is None else float(below.total),
            float(own_total),
            None if above is None else float(above.total),
        ),
        "gap_above": None if above is None else above.total - own_total,
        "gap_below": None if below is None else own_total - below.total,
    }
