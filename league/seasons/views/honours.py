from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.contrib import messages
from django.db.models import Count, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from league.models import Club, Evening, Season, SeasonClosing
from league.models.club import role_expression
from league.models.season import SeasonQuerySet, SeasonState
from league.seasons.queries.honours import hall_of_fame as hall_of_fame_of
from league.seasons.queries.honours import largest_rating_gain, past_champions, podiums, records
from league.seasons.queries.rules_summary import season_rules_sentence
from league.seasons.queries.season_race import with_standings_digest
from league.seasons.queries.season_results import matrix_evenings
from league.seasons.queries.unranked_reason import unranked_reason
from league.seasons.tables import evening_heading
from league.seasons.views.race_panel import race_panel
from league.tournaments.queries.tournament_results import winners_in_club
from league.web.game import game_or_404
from league.web.lookups import club_context, show_known_names, visible_or_404
from league.web.page_etags import conditional_club_page, conditional_page_of_all_clubs
from league.web.printing import render_for_paper
from players.models.person import Viewer


@conditional_club_page(Season, club="club")
def honours(request: HttpRequest, pk: int) -> HttpResponse:
    season: Any = visible_or_404(with_standings_digest(_seasons_with_evening_count(request.user)), request.user, pk=pk)
    if season.state != SeasonState.CLOSED:
        messages.info(request, _("The season is not closed: nobody has won it yet."))
        return redirect(season)
    framed = club_context(season.club, request.user, season.own_role)
    podium = podiums([season]).get(season.pk, [])
    champions = [row for row in podium if row.rank == 1]
    headings = [evening_heading(evening) for evening in matrix_evenings(season.evenings.all())]
    context = {
        **framed,
        "season": season,
        "podium": podium,
        "champions": champions,
        "race": race_panel(season, headings, champions[0].player_id if champions else None),
        "shields": past_champions(season),
        **_record_context(season.game_key, [season], request.user),
        "evenings": season.held,
    }
    return render(request, "league/seasons/honours.html", context)


def final_standings_for_paper(request: HttpRequest, pk: int) -> HttpResponse:
    season = visible_or_404(Season.objects.with_club(), request.user, pk=pk)
    if season.state != SeasonState.CLOSED:
        raise Http404

    def context() -> dict[str, object]:
        rows = list(season.standings.select_related("player"))
        closing = SeasonClosing.objects.filter(season=season).first()
        return {
            "season": season,
            "rows": [(row, unranked_reason(row)) for row in rows],
            "champions": [row for row in rows if row.rank == 1],
            "rules": season_rules_sentence(season, season.evenings.all()),
            "closed_at": closing.closed_at if closing else None,
        }

    return render_for_paper(request, season.club, "league/seasons/final_table.html", context)


@conditional_club_page(Club, club="pk")
def hall_of_fame(request: HttpRequest, slug: str) -> HttpResponse:
    club: Any = visible_or_404(
        Club.objects.annotate(own_role=role_expression(request.user, "pk")), request.user, slug=slug
    )
    hall = hall_of_fame_of(club, request.GET.get("game", ""))
    context = {
        **club_context(club, request.user, club.own_role),
        "games": hall.games,
        "game": hall.game,
        "shields": hall.champions,
        "podium": hall.podium,
        "medals": hall.medals,
        "tournament_winners": winners_in_club(club, request.user),
        **_record_context(hall.game, hall.seasons, request.user),
    }
    return render(request, "league/seasons/hall_of_fame.html", context)


@conditional_club_page(Season, club="club")
def season_records(request: HttpRequest, pk: int) -> HttpResponse:
    season: Any = visible_or_404(_seasons_with_evening_count(request.user), request.user, pk=pk)
    context = {
        **club_context(season.club, request.user, season.own_role),
        "season": season,
        **_record_context(season.game_key, [season], request.user),
        "evenings": season.held,
    }
    return render(request, "league/seasons/season_records.html", context)


@conditional_page_of_all_clubs
def game_records(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the records of a game in all seasons that the viewer may see."""
    game = game_or_404(slug, request.user)
    show_known_names(request.user)
    seasons = list(Season.objects.visible_to(request.user).filter(game_key=slug).values_list("pk", flat=True))
    context = {"game": game, "records": list(records(slug, seasons).values())}
    return render(request, "league/seasons/game_records.html", context)


def _record_context(game: str, seasons: Collection[Season], viewer: Viewer) -> dict[str, object]:
    pks = [season.pk for season in seasons]
    return {"records": list(records(game, pks).values()), "jump": largest_rating_gain(game, pks, viewer)}


def _seasons_with_evening_count(viewer: Viewer) -> SeasonQuerySet:
    closed = Evening.objects.closed().filter(season=OuterRef("pk")).order_by().values("season")
    closed_count = Coalesce(Subquery(closed.annotate(count=Count("pk")).values("count")), 0)
    rows: SeasonQuerySet = Season.objects.with_club().annotate(
        own_role=role_expression(viewer, "club"), held=closed_count
    )
    return rows
