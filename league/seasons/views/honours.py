"""What a season ends with: its champion and honours, a final table on paper, and the club's hall of fame."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from league.models import Club, Evening, Season, SeasonClosing, Standing
from league.models.season import SeasonState
from league.results.honours import biggest_jump, champions
from league.results.honours import honours as honours_of
from league.seasons.rules_summary import summary_of
from league.seasons.tables import unranked
from league.web.finding import frame, seen
from league.web.printing import on_paper

PODIUM = 3  # ranks


def honours(request: HttpRequest, pk: int) -> HttpResponse:
    """A closed season's champion, its podium and its records."""
    season = _closed(request, pk)
    evenings = list(season.evenings.closed().order_by("date", "pk"))
    podium = list(season.standings.filter(rank__lte=PODIUM).select_related("player"))
    context = {
        **frame(season.club, request.user),
        "season": season,
        "podium": podium,
        "champions": [row for row in podium if row.rank == 1],
        "honours": honours_of([season], evenings),
        "jump": biggest_jump(season, evenings, request.user),
        "evenings": len(evenings),
    }
    return render(request, "league/seasons/honours.html", context)


def final_table(request: HttpRequest, pk: int) -> HttpResponse:
    """A closed season's standings for the printer, in the club's language."""
    season = _closed(request, pk)

    def context() -> dict[str, object]:
        rows = list(season.standings.select_related("player"))
        closing = SeasonClosing.objects.filter(season=season).first()
        return {
            "season": season,
            "rows": [(row, unranked(row)) for row in rows],
            "champions": [row for row in rows if row.rank == 1],
            "rules": summary_of(season, season.evenings.all()),
            "closed_at": closing.closed_at if closing else None,
        }

    return on_paper(request, season.club, "league/seasons/final_table.html", context)


def hall_of_fame(request: HttpRequest, slug: str) -> HttpResponse:
    """The champions of a club's closed seasons, and the records of all its closed evenings, game by game."""
    club = seen(Club.objects, request.user, slug=slug)
    seasons = list(club.seasons.exclude(state=SeasonState.DRAFT))
    games = {season.game: season.game_title for season in sorted(seasons, key=lambda each: each.game)}
    game = request.GET.get("game", "")
    if game not in games:
        ended = {season.game for season in seasons if season.state == SeasonState.CLOSED}
        game = next((each for each in games if each in ended), next(iter(games), ""))
    of_game = [season for season in seasons if season.game == game]
    closed = [season for season in of_game if season.state == SeasonState.CLOSED]
    evenings = list(Evening.objects.closed().filter(season__in=of_game).order_by("date", "pk"))
    first = champions(closed)
    context = {
        **frame(club, request.user),
        "games": games,
        "game": game,
        "champions": [(season, first.get(season.pk, list[Standing]())) for season in closed],
        "honours": honours_of(of_game, evenings),
    }
    return render(request, "league/seasons/hall_of_fame.html", context)


def _closed(request: HttpRequest, pk: int) -> Season:
    """Return a season that the reader may see; 404 while it is not closed: nobody has won it yet."""
    season = seen(Season.objects.with_club(), request.user, pk=pk)
    if season.state != SeasonState.CLOSED:
        raise Http404
    return season
