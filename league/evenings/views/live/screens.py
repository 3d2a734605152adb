"""What watchers of an evening are shown, at signed addresses that know nobody; and how a secretary gets there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.actions import evenings
from league.evenings.queries.evening_page import ShownParts, evening_page
from league.evenings.queries.evening_ranking import ranking
from league.evenings.views.live import fragments
from league.evenings.views.live.address_rights import still_opens
from league.evenings.views.live.fragments import Fragment, Watched
from league.evenings.views.live.parts import evening_part, screen_part
from league.models import Evening
from league.web.finding import frame, recordable
from league.web.qr_code import code_of
from players.naming import names_shown_to

# Whoever has the address may look; no cache on the way, and no search engine, keeps what is shown there.
UNKEPT = {"Cache-Control": "private, no-cache", "X-Robots-Tag": "noindex"}
DIGITS = 4  # of a page: each that is asked for is kept for a while
STOP_POLLING = 286  # htmx stops its `every` on this answer


@login_required
def projector(request: HttpRequest, pk: int) -> HttpResponse:
    """The address for the hall's screen; it is in the club's language."""
    evening = recordable(Evening.objects.with_season(), request.user, pk=pk)
    club = evening.season.club
    given = Watched(evening.pk, club.language, reader=request.user.pk, version=evening.live_version)
    address = reverse("league:live", args=[fragments.token(given)])
    short = reverse("league:screen", args=[_code(evening)])
    typed = request.build_absolute_uri(short)
    context = {**frame(club, request.user), "evening": evening, "address": request.build_absolute_uri(address)}
    context |= {"typed": typed, "code": code_of(typed)}
    return render(request, "league/evenings/projector.html", context)


@require_safe
def screen_by_code(request: HttpRequest, code: str) -> HttpResponse:
    """The projector's page at a code that can be typed: while its evening is open, and for a day at most."""
    since = timezone.now() - fragments.LIFETIME
    staying = Evening.objects.tonight().filter(opened_at__gt=since, season__club__delete_at=None)
    for evening in staying.with_season():
        if constant_time_compare(_code(evening), code.upper()):
            language = evening.season.club.language
            watched = Watched(evening.pk, language, reader=fragments.BY_CODE, version=evening.live_version)
            return _screen(request, watched, fragments.token(watched), evening)
    return render(request, "league/evenings/no_screen.html", {"code": code[:20]}, status=404)


def _code(evening: Evening) -> str:
    return fragments.short_code(evening.pk, evening.entry_key, evening.live_version)


@login_required
@require_POST
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """End every address at which the evening is watched."""
    evening = recordable(Evening.objects.all(), request.user, pk=pk)
    evenings.end_live_addresses(evening.pk)
    messages.success(request, _("All addresses of this evening’s screens have ended. These are new."))
    return redirect("league:projector", evening.pk)


@require_safe
def screen(request: HttpRequest, token: str) -> HttpResponse:
    """The projector's page: large type, page after page."""
    watched = _watched(token)
    with translation.override(watched.language):
        evening = get_object_or_404(Evening.objects.with_season(), pk=watched.evening)
    return _screen(request, watched, token, evening)


def _screen(request: HttpRequest, watched: Watched, token: str, evening: Evening) -> HttpResponse:
    with translation.override(watched.language), names_shown_to(watched.readers):
        shown = fragments.kept(watched, "screen", lambda: screen_part(evening))
        context = {"evening": evening, "token": token, "shown": shown}
        response = render(request, "league/evenings/screen.html", context)
    for name, value in {**UNKEPT, "Content-Language": watched.language}.items():
        response[name] = value
    return response


def asked_for(query: QueryDict) -> ShownParts:
    """Return which parts of an evening an address asks for; what is no number, or none that can be, is left out."""
    page, number, tables = (_number(query.get(name, "")) for name in ("page", "round", "tables"))
    return ShownParts(page or 1, number, tables or 1)


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= DIGITS else None


@require_safe
def evening_fragment(request: HttpRequest, token: str) -> HttpResponse:
    """What changes on the evening's page, of its ranking and rounds what the page shows."""
    shown = asked_for(request.GET)
    part = "evening" if shown == ShownParts() else f"evening:{shown.page}:{shown.round}:{shown.tables}"

    def build(evening: Evening) -> Fragment:
        return evening_part(evening, evening_page(evening, ranking(evening), shown))

    return _fragment(request, token, part, build)


@require_safe
def screen_fragment(request: HttpRequest, token: str) -> HttpResponse:
    """What changes on the projector."""
    return _fragment(request, token, "screen", screen_part)


def _fragment(request: HttpRequest, token: str, part: str, build: Callable[[Evening], Fragment]) -> HttpResponse:
    watched = _watched(token)
    shown = fragments.kept(watched, part, partial(_built, watched, build))
    headers = {**UNKEPT, "ETag": shown.etag, "Content-Language": watched.language}
    if shown.over:
        return HttpResponse(shown.html, status=STOP_POLLING, headers=headers)
    answer = HttpResponse(shown.html, headers=headers)
    return get_conditional_response(request, etag=shown.etag, response=answer) or answer


def _built(watched: Watched, build: Callable[[Evening], Fragment]) -> Fragment:
    with translation.override(watched.language), names_shown_to(watched.readers):
        return build(get_object_or_404(Evening.objects.with_season(), pk=watched.evening))


def _watched(token: str) -> Watched:
    try:
        watched = fragments.read(token)
    except fragments.UnreadableAddress as wrong:
        raise Http404 from wrong
    if not fragments.opens(watched, still_opens):
        raise Http404
    return watched
