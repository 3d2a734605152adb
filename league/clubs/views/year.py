"""A club's year on a page, for the annual meeting."""

from __future__ import annotations

from typing import Any

from django.db.models import Max, Min, OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.clubs.queries.club_year import Year, club_year
from league.models import Club, Evening
from league.models.club import role_of
from league.web.board_tags import board_of
from league.web.finding import frame, seen
from scoring.game import find_game


@board_of(Club, club="pk")
def year(request: HttpRequest, slug: str) -> HttpResponse:
    """The year that the address asks for, else the one of the last evening; calendar years and years from September."""
    club: Any = seen(_with_dates(request), request.user, slug=slug)
    last = club.last_evening or timezone.localdate(timezone=club.zone)
    asked = request.GET.get("of", "")
    chosen = Year.of(asked) if asked else Year.around(last)
    if chosen is None:
        raise Http404
    first = min(club.first_evening or last, last)
    autumns = range(Year.around(last).number, Year.around(first).number - 1, -1)
    found = club_year(club, chosen, request.user)
    context = {
        **frame(club, request.user, club.own_role),
        "year": chosen,
        "seasons_of": [Year(each, autumn=True) for each in autumns],
        "years": [Year(each) for each in range(last.year, first.year - 1, -1)],
        "found": found,
        "records": [(find_game(game), list(records.values())) for game, records in found.records.items()],
        "movers": [(find_game(game), found.movers[game]) for game in found.records if game in found.movers],
    }
    return render(request, "league/clubs/year.html", context)


def _with_dates(request: HttpRequest) -> Any:
    """Return clubs with the reader's role, and the dates of their first and last closed evening."""
    closed = (
        Evening.objects.closed().within_bounds().filter(season__club=OuterRef("pk")).order_by().values("season__club")
    )
    return Club.objects.annotate(
        own_role=role_of(request.user, "pk"),
        first_evening=Subquery(closed.annotate(day=Min("date")).values("day")),
        last_evening=Subquery(closed.annotate(day=Max("date")).values("day")),
    )
