"""What a player did in a game: deal by deal, table by table, against whom and with whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from league.models import Club, Season
from league.people.queries.player_results import evenings_of
from league.statistics.queries.player_statistics import deal_counts, everybody, sections
from league.statistics.queries.season_choice import chosen_season
from league.statistics.queries.tables_played import (
    LEAST,
    EveningSum,
    evening_sums,
    names_of,
    nemesis,
    opponents,
    partners,
    run_of_wins,
    tables_played,
)
from league.web.board_tags import board_of_all
from league.web.finding import players_seen
from scoring.game import find_game
from scoring.registry import UnknownGame

PAGE = 15  # opponents


@board_of_all
def statistics(request: HttpRequest, pk: int, game: str) -> HttpResponse:
    """A player's deals and tables of a game, in all seasons that the reader may see or in one of them."""
    try:
        played = find_game(game)
    except UnknownGame:
        raise Http404 from None
    [(person, _known)] = players_seen(request.user, pk)
    sat = evenings_of(person, request.user).filter(season__game=game).order_by().values("season")
    visible = Exists(Club.objects.visible_to(request.user).filter(pk=OuterRef("club")))
    seasons: list[Any] = list(Season.objects.with_club().filter(pk__in=sat).annotate(linked=visible))
    chosen: Any = chosen_season(request, seasons)
    asked = [chosen] if chosen else seasons
    own = deal_counts(person, asked)
    tables = tables_played(person, asked, game)
    evenings = evening_sums(tables)
    names = names_of(tables)
    against = opponents(tables, names)
    page = Paginator(against, PAGE).get_page(request.GET.get("page"))
    context = {
        "person": person,
        "game": played,
        "seasons": seasons,
        "chosen": chosen,
        "own": own,
        "sections": sections(played.statistics.sections, own.counts, everybody(asked)) if own else [],
        "tables": len(tables),
        "won": tables.won,
        "run": run_of_wins(tables),
        "evenings": len(evenings),
        "best_evening": _best(evenings, 1),
        "worst_evening": _best(evenings, -1),
        "page": page,
        "partners": partners(tables, names)[:PAGE],
        "nemesis": nemesis(against),
        "least": LEAST,
        "linked": all(season.linked for season in asked),
    }
    return render(request, "league/people/statistics.html", context)


def _best(evenings: Sequence[EveningSum], sign: int) -> EveningSum | None:
    """Return the evening of the most points, or with −1 of the fewest; the latest of several."""
    return max(evenings, key=lambda evening: (sign * evening.points, evening.date), default=None)
