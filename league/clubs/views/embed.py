"""Pages for frames of other websites, and JSON: standings, next evenings and tournaments.

The responses are the same for all users: any cache may store them and any site may show them. They contain no form,
because browsers send no cookies from a frame of another site (docs/tournaments.md).
"""

from __future__ import annotations

from typing import Any, Final

from csp.constants import SELF
from csp.decorators import csp_replace
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone, translation
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import conditional_page, require_safe

from league.clubs.forms.embed import EmbedForm, StyleForm, is_allowed_style, sign_stylesheet
from league.models import Club, Evening, Season, Standing, Tournament
from league.models.evening import EveningState
from league.models.pending_recompute import pending_work_exists
from league.models.season import SeasonState
from league.tournaments.queries.announcement import announcement_context
from league.tournaments.queries.units import count_units
from league.web.lookups import club_context, managed_or_403
from scoring.numbers import round_to_decimals

DEFAULT_ROWS: Final = 10
EXAMPLE_QUERY: Final = "rows=20&language=fr"
CACHE_CONTROL: Final = "public, max-age=300"
VISITOR: Final = AnonymousUser()


@require_safe
@xframe_options_exempt
@conditional_page
def standings(request: HttpRequest, pk: int) -> HttpResponse:
    season = _season(pk)
    parameters = _parameters(request)
    context = {"season": season, "places": _standings(season)[: parameters.get("rows", DEFAULT_ROWS)]}
    return _render_for_frame(request, "league/clubs/standings.html", season.club, parameters, context)


@require_safe
@xframe_options_exempt
@conditional_page
def evenings(request: HttpRequest, slug: str) -> HttpResponse:
    club = _club(slug)
    parameters = _parameters(request)
    context = {"evenings": _coming_evenings(club)[: parameters.get("rows", DEFAULT_ROWS)]}
    return _render_for_frame(request, "league/clubs/evenings.html", club, parameters, context)


@require_safe
@xframe_options_exempt
@conditional_page
def tournament(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a tournament: date, place, fee, numbers of registered units and places, and names.

    Its button opens the registration outside the frame.
    """
    row = _tournament(pk)
    parameters = _parameters(request)
    with translation.override(parameters.get("language", row.club.language)):
        context = announcement_context(row, timezone.now())
    return _render_for_frame(request, "league/clubs/tournament.html", row.club, parameters, context)


@require_safe
@conditional_page
def tournament_data(request: HttpRequest, pk: int) -> HttpResponse:
    row = _tournament(pk)
    counts = count_units(row)
    content = {
        "club": str(row.club),
        "tournament": str(row),
        "date": row.date.isoformat(),
        "begins": row.begins.isoformat() if row.begins else None,
        "place": row.where,
        "state": row.state,
        "places": row.places,
        "registered": counts.registered,
        "waiting": counts.waiting,
        "open": row.accepts_registrations(timezone.now()),
        "register": request.build_absolute_uri(reverse("league:tournament-register", args=[pk])),
    }
    return _json_response(request, content, row.get_absolute_url())


@require_safe
@conditional_page
def standings_data(request: HttpRequest, pk: int) -> HttpResponse:
    season = _season(pk)
    rows = [
        {
            "rank": place.rank,
            "rank_before": place.rank_before,
            "player": str(place.player),
            "points": float(round_to_decimals(place.written_total)),
            "evenings": place.evenings,
            "deals": place.deals,
        }
        for place in _standings(season)
    ]
    content = {"club": str(season.club), "season": str(season), "game": season.game_key, "standings": rows}
    return _json_response(request, content, season.get_absolute_url())


@require_safe
@conditional_page
def evenings_data(request: HttpRequest, slug: str) -> HttpResponse:
    club = _club(slug)
    rows = [
        {
            "date": evening.date.isoformat(),
            "begins": evening.begins.isoformat() if evening.begins else None,
            "name": evening.name,
            "on": evening.state == EveningState.OPEN,
            "season": str(evening.season),
            "place": evening.where,
            "url": request.build_absolute_uri(evening.get_absolute_url()),
        }
        for evening in _coming_evenings(club)
    ]
    return _json_response(request, {"club": str(club), "evenings": rows}, club.get_absolute_url())


@login_required
def embed_guide(request: HttpRequest, slug: str) -> HttpResponse:
    club = managed_or_403(Club.objects, request.user, slug=slug)
    form = StyleForm(request.GET if "style" in request.GET else None)
    style = form.cleaned_data["style"] if form.is_valid() else ""
    query = {"style": style, "key": sign_stylesheet(club, style)} if style else None

    def addresses(names: tuple[str, str], argument: object) -> list[str]:
        page, data = names
        paths = reverse(f"league:{page}", args=[argument], query=query), reverse(f"league:{data}", args=[argument])
        return [request.build_absolute_uri(path) for path in paths]

    seasons = club.seasons.without_tournaments().exclude(state=SeasonState.DRAFT)
    boards = [(season, *addresses(_STANDINGS_URL_NAMES, season.pk)) for season in seasons]
    coming = addresses(_EVENINGS_URL_NAMES, club.slug)
    today = timezone.localdate(timezone=club.zone)
    tournaments = [
        (tournament, *addresses(_TOURNAMENT_URL_NAMES, tournament.pk))
        for tournament in Tournament.objects.open_to_all().filter(club=club, date__gte=today)
    ]
    example = f"{'&' if style else '?'}{EXAMPLE_QUERY}"
    context = {
        **club_context(club, request.user),
        "boards": boards,
        "coming": coming,
        "tournaments": tournaments,
        "form": form,
        "example": example,
    }
    return render(request, "league/clubs/guide.html", context)


_STANDINGS_URL_NAMES: Final = ("embed-standings", "embed-standings-json")
_EVENINGS_URL_NAMES: Final = ("embed-evenings", "embed-evenings-json")
_TOURNAMENT_URL_NAMES: Final = ("embed-tournament", "embed-tournament-json")


def _season(pk: int) -> Season:
    season: Season = get_object_or_404(
        Season.objects.with_club().visible_to(VISITOR).annotate(is_due=pending_work_exists()), pk=pk
    )
    return season


def _club(slug: str) -> Club:
    club: Club = get_object_or_404(Club.objects.visible_to(VISITOR), slug=slug)
    return club


def _tournament(pk: int) -> Tournament:
    tournament: Tournament = get_object_or_404(Tournament.objects.with_club().open_to_all(), pk=pk)
    return tournament


def _standings(season: Season) -> list[Standing]:
    return list(season.standings.select_related("player").defer("counted", "dropped", "worth", "extras"))


def _coming_evenings(club: Club) -> list[Evening]:
    today = timezone.localdate(timezone=club.zone)
    return list(Evening.objects.with_season().open_or_announced(today).filter(season__club=club))


def _parameters(request: HttpRequest) -> dict[str, Any]:
    form = EmbedForm(request.GET)
    if not form.is_valid():
        raise BadRequest("; ".join(f"{name}: {error}" for name, errors in form.errors.items() for error in errors))
    return form.parameters()


def _render_for_frame(
    request: HttpRequest, template: str, club: Club, parameters: dict[str, Any], context: dict[str, Any]
) -> HttpResponse:
    """Render a page that any site may show in a frame. Ignore the stylesheet of the URL if its signature is invalid."""
    style = parameters.get("style", "")
    if style and not is_allowed_style(club, style, parameters.get("key", "")):
        style = ""
    policy = {"frame-ancestors": ["*"], "style-src": [SELF, *([style] if style else [])]}
    with translation.override(parameters.get("language", club.language)):
        response = csp_replace(policy)(render)(request, template, {**context, "club": club, "style": style})  # type: ignore[call-arg, arg-type]
    assert isinstance(response, HttpResponse)
    response.headers["Cache-Control"] = CACHE_CONTROL
    return response


def _json_response(request: HttpRequest, content: dict[str, Any], page: str) -> HttpResponse:
    """Respond with JSON that scripts of any site may read. `page` is the path of the page with the same content."""
    response = JsonResponse(
        {**content, "url": request.build_absolute_uri(page)}, json_dumps_params={"ensure_ascii": False}
    )
    response.headers["Cache-Control"] = CACHE_CONTROL
    response.headers["Access-Control-Allow-Origin"] = "*"
    return response
