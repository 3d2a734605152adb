from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from typing import Any, Final

from django.db.models import Max, Min, OuterRef, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import ngettext

from league.clubs.queries.club_year import ClosedEveningCounts, YearPeriod, club_year
from league.models import Club, Evening, Season
from league.models.club import role_expression
from league.seasons.queries.honours import SeasonChampion
from league.seasons.queries.season_game import visible_games
from league.statistics.queries.evening_records import RUN_OF_EVENINGS, RUN_OF_WINS
from league.web.calendar_chart import DayOfEvenings, month_calendars
from league.web.lookups import club_context, visible_or_404
from league.web.page_etags import conditional_club_page
from players.dates import date_format

STREAK_RECORDS: Final = (RUN_OF_EVENINGS, RUN_OF_WINS)


@conditional_club_page(Club, club="pk")
def year(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a year of a club. The parameter `of` selects it (see `YearPeriod.from_key`).

    The default is the year from September to August that contains the last closed evening.
    """
    club: Any = visible_or_404(_clubs_with_evening_dates(request), request.user, slug=slug)
    last = club.last_evening or timezone.localdate(timezone=club.zone)
    key = request.GET.get("of", "")
    selected = YearPeriod.from_key(key) if key else YearPeriod.season_year_of(last)
    if selected is None:
        raise Http404
    first = min(club.first_evening or last, last)
    autumns = range(YearPeriod.season_year_of(last).number, YearPeriod.season_year_of(first).number - 1, -1)
    page_context = club_context(club, request.user, club.own_role)  # sets the audience of names
    statistics = club_year(club, selected, request.user)
    games = visible_games(statistics.records, request.user)
    champions: dict[Season, list[SeasonChampion]] = defaultdict(list)
    for row in statistics.champions:
        champions[row.season].append(SeasonChampion(row.season.pk, row.player, row.name))
    context = {
        **page_context,
        "year": selected,
        "seasons_of": [YearPeriod(number, autumn=True) for number in autumns],
        "years": [YearPeriod(number) for number in range(last.year, first.year - 1, -1)],
        "statistics": statistics,
        "shields": list(champions.items()),
        "calendar": month_calendars(_calendar_days(statistics.closed_evenings), selected.first_day, selected.last_day),
        "streaks": [
            (game, statistics.records[key][name])
            for key, game in games.items()
            for name in STREAK_RECORDS
            if name in statistics.records[key]
        ],
        "records": [
            (game, [record for name, record in statistics.records[key].items() if name not in STREAK_RECORDS])
            for key, game in games.items()
        ],
        "movers": [(game, statistics.movers[key]) for key, game in games.items() if key in statistics.movers],
    }
    return render(request, "league/clubs/year.html", context)


def _calendar_days(evenings: Iterable[ClosedEveningCounts]) -> dict[date, DayOfEvenings]:
    by_date: dict[date, list[ClosedEveningCounts]] = defaultdict(list)
    for evening in evenings:
        by_date[evening.date].append(evening)
    address = reverse("league:evening", args=[0]).removesuffix("0/")
    days = {}
    for day, evenings_of_day in by_date.items():
        players = sum(evening.players for evening in evenings_of_day)
        largest = max(evenings_of_day, key=lambda evening: evening.players)
        label = ngettext("%(day)s: %(number)s player", "%(day)s: %(number)s players", players)
        words = label % {"day": date_format(day, "DATE_FORMAT"), "number": players}
        days[day] = DayOfEvenings(players, f"{address}{largest.evening}/", words)
    return days


def _clubs_with_evening_dates(request: HttpRequest) -> Any:
    closed = (
        Evening.objects.closed().within_bounds().filter(season__club=OuterRef("pk")).order_by().values("season__club")
    )
    return Club.objects.annotate(
        own_role=role_expression(request.user, "pk"),
        first_evening=Subquery(closed.annotate(day=Min("date")).values("day")),
        last_evening=Subquery(closed.annotate(day=Max("date")).values("day")),
    )
