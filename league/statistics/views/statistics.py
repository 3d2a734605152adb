"""The page of a player's statistics in a game: deals, tables, partners and opponents that the viewer may see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from league.models import Club, Season
from league.people.queries.player_results import visible_evenings
from league.statistics.queries.player_statistics import counts_of_all_players, deal_counts, evaluate_sections
from league.statistics.queries.season_choice import chosen_season
from league.statistics.queries.tables_played import (
    MIN_SHARED_TABLES,
    EveningSum,
    evening_sums,
    table_statistics,
)
from league.statistics.views.statistic_bars import MIN_RELIABLE_CASES, opponent_row, statistic_sections
from league.web.game import game_or_404
from league.web.lookups import visible_players_or_404
from league.web.page_cache import cached_template, viewer_kind
from league.web.page_etags import conditional_page_of_all_clubs
from players.models import Player
from scoring.game import Game

OPPONENTS_PER_PAGE = 15


@conditional_page_of_all_clubs
def statistics(request: HttpRequest, pk: int, game: str) -> HttpResponse:
    played = game_or_404(game, request.user)
    [(person, _is_known)] = visible_players_or_404(request.user, pk)

    def context() -> dict[str, Any]:
        return _statistics_context(request, person, played)

    content = cached_template(request, "league/people/_statistics.html", viewer_kind(request), context)
    return render(request, "league/people/statistics.html", {"person": person, "game": played, "content": content})


def _statistics_context(request: HttpRequest, person: Player, played: Game) -> dict[str, Any]:
    season_ids = visible_evenings(person, request.user).filter(season__game_key=played.slug).order_by().values("season")
    visible = Exists(Club.objects.visible_to(request.user).filter(pk=OuterRef("club")))
    seasons: list[Any] = list(Season.objects.with_club().filter(pk__in=season_ids).annotate(linked=visible))
    selected_season: Any = chosen_season(request, seasons)
    selected = [selected_season] if selected_season else seasons
    counts = deal_counts(person, selected)
    at_tables = table_statistics(person, selected, played.slug)
    evenings = evening_sums(at_tables.tables)
    page = Paginator(at_tables.opponents, OPPONENTS_PER_PAGE).get_page(request.GET.get("page"))
    return {
        "person": person,
        "game": played,
        "seasons": seasons,
        "chosen": selected_season,
        "own": counts,
        "sections": statistic_sections(
            evaluate_sections(played.statistics.sections, counts.counts, counts_of_all_players(selected))
            if counts
            else []
        ),
        "few": MIN_RELIABLE_CASES,
        "tables": len(at_tables.tables),
        "won": at_tables.tables.won,
        "run": at_tables.run,
        "evenings": len(evenings),
        "best_evening": _extreme_evening(evenings, 1),
        "worst_evening": _extreme_evening(evenings, -1),
        "page": page,
        "opponents": [opponent_row(shared) for shared in page],
        "partners": at_tables.partners[:OPPONENTS_PER_PAGE],
        "nemesis": at_tables.nemesis,
        "least": MIN_SHARED_TABLES,
        "linked": all(row.linked for row in selected),
    }


def _extreme_evening(evenings: Sequence[EveningSum], sign: int) -> EveningSum | None:
    return max(evenings, key=lambda evening: (sign * evening.points, evening.date), default=None)
