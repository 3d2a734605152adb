from __future__ import annotations

from typing import Any

from django.db.models import Max, Min, OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.clubs.queries.club_year import Year, club_year
from league.models import Club, Evening
from league.models.club import role_of
from league.seasons.queries.season_game import visible_games
from league.web.board_tags import conditional_page
from league.web.finding import frame, seen


@conditional_page(Club, club="pk")
def year(request: HttpRequest, slug: str) -> HttpResponse:
    club: Any = seen(_with_dates(request), request.user, slug=slug)
    last = club.last_evening or timezone.localdate(timezone=club.zone)
    key = request.GET.get("of", "")
    selected = Year.parse(key) if key else Year.around(last)
    if selected is None:
        raise Http404
    first = min(club.first_evening or last, last)
    autumns = range(Year.around(last).number, Year.around(first).number - 1, -1)
    club_context = frame(club, request.user, club.own_role)  # sets the audience of names
    statistics = club_year(club, selected, request.user)
    games = visible_games(statistics.records, request.user)
    context = {
        **club_context,
        "year": selected,
        "seasons_of": [Year(number, autumn=True) for number in autumns],
        "years": [Year(number) for number in range(last.year, first.year - 1, -1)],
        "statistics": statistics,
        "records": [(game, list(statistics.records[key].values())) for key, game in games.items()],
        "movers": [(game, statistics.movers[key]) for key, game in games.items() if key in statistics.movers],
    }
    return render(request, "league/clubs/year.html", context)


def _with_dates(request: HttpRequest) -> Any:
    closed = (
        Evening.objects.closed().within_bounds().filter(season__club=OuterRef("pk")).order_by().values("season__club")
    )
    return Club.objects.annotate(
        own_role=role_of(request.user, "pk"),
        first_evening=Subquery(closed.annotate(day=Min("date")).values("day")),
        last_evening=Subquery(closed.annotate(day=Max("date")).values("day")),
    )
