"""Live pages at signed URLs, without a login; and the page where a secretary finds these URLs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Exists, OuterRef, Q
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.actions import evenings
from league.evenings.queries.evening_page import SelectedParts, evening_page
from league.evenings.queries.evening_ranking import ranking
from league.evenings.views.live import fragments
from league.evenings.views.live.fragments import SCREEN_CODE_VIEWER_ID, Fragment, LiveTokenContent
from league.evenings.views.live.parts import render_evening_fragment, render_screen_fragment
from league.models import Evening, Membership
from league.models.evening import EveningState
from league.models.rights import Right, roles_with_right
from league.web.lookups import club_context, recordable_or_403
from league.web.numbers import parse_number
from league.web.qr_code import qr_code_svg
from players.models import User
from players.naming import names_shown_to

# Anyone with the address may see the page, but proxies and search engines must not store it.
LIVE_PAGE_HEADERS = {"Cache-Control": "private, no-cache", "X-Robots-Tag": "noindex"}
MAX_DIGITS = 4  # of a number in the URL; limited, because each requested page fills a cache entry
STOP_POLLING = 286  # htmx stops polling at this status


@login_required
def screen_addresses(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the address and the code with which the hall's screen is opened."""
    evening = recordable_or_403(Evening.objects.with_season(), request.user, pk=pk)
    club = evening.season.club
    token_content = LiveTokenContent(evening.pk, club.language, viewer_id=request.user.pk, version=evening.live_version)
    address = reverse("league:live", args=[fragments.sign_live_token(token_content)])
    screen_code = _screen_code(evening)
    typed = request.build_absolute_uri(reverse("league:screen", args=[screen_code]))
    site = request.build_absolute_uri("/")
    context = {
        **club_context(club, request.user),
        "evening": evening,
        "address": request.build_absolute_uri(address),
        "site": site,
        "screens": typed.removeprefix(site).removesuffix(screen_code),
        "screen_code": screen_code,
        "code": qr_code_svg(typed),
    }
    return render(request, "league/evenings/screen_addresses.html", context)


@require_safe
def screen_by_code(request: HttpRequest, code: str) -> HttpResponse:
    """Show the hall's screen for the code that a user typed.

    The code works while its evening is open, for at most one day. A tournament's code works for the whole day, so that
    the screen can be started again for the prizes.
    """
    since = timezone.now() - fragments.TOKEN_LIFETIME
    has_screen = Q(state=EveningState.OPEN) | Q(state=EveningState.CLOSED, season__tournament__isnull=False)
    evenings_of_day = Evening.objects.filter(has_screen, opened_at__gt=since, season__club__delete_at=None)
    for evening in evenings_of_day.with_season():
        if constant_time_compare(_screen_code(evening), code.upper()):
            language = evening.season.club.language
            token_content = LiveTokenContent(
                evening.pk, language, viewer_id=SCREEN_CODE_VIEWER_ID, version=evening.live_version
            )
            return _screen_response(request, token_content, fragments.sign_live_token(token_content), evening)
    return render(request, "league/evenings/no_screen.html", {"code": code[:20]}, status=404)


def _screen_code(evening: Evening) -> str:
    """Return the code that opens the hall's screen. It is valid until the evening is closed: closing renews the key.

    A tournament's code contains no key, so that it stays valid after the end.
    """
    key = evening.entry_key if evening.season.tournament_id is None else ""
    return fragments.hall_screen_code(evening.pk, key, evening.live_version)


@login_required
@require_POST
def end_live_links(request: HttpRequest, pk: int) -> HttpResponse:
    evening = recordable_or_403(Evening.objects.all(), request.user, pk=pk)
    evenings.renew_live_links(evening.pk)
    messages.success(request, _("All addresses of this evening’s screens have ended. The addresses below are new."))
    return redirect("league:screen-addresses", evening.pk)


@require_safe
def screen(request: HttpRequest, token: str) -> HttpResponse:
    token_content = _read_token(token)
    with translation.override(token_content.language):
        evening = get_object_or_404(Evening.objects.with_season(), pk=token_content.evening)
    return _screen_response(request, token_content, token, evening)


def _screen_response(
    request: HttpRequest, token_content: LiveTokenContent, token: str, evening: Evening
) -> HttpResponse:
    with translation.override(token_content.language), names_shown_to(token_content.audience):
        content = fragments.cached_fragment(token_content, "screen", lambda: render_screen_fragment(evening))
        public = request.build_absolute_uri(_results_url(evening))
        context = {"evening": evening, "token": token, "shown": content, "code": qr_code_svg(public)}
        response = render(request, "league/evenings/screen.html", context)
    for name, value in {**LIVE_PAGE_HEADERS, "Content-Language": token_content.language}.items():
        response[name] = value
    return response


def _results_url(evening: Evening) -> str:
    """Return the URL of the page on which spectators follow the results."""
    tournament = evening.season.tournament_id
    return evening.get_absolute_url() if tournament is None else reverse("league:tournament", args=[tournament])


def parse_selected_parts(query: QueryDict) -> SelectedParts:
    """Read the selected parts of an evening's page from the query string. Ignore invalid numbers."""
    names = ("page", "round", "tables")
    page, number, tables = (parse_number(query.get(name, ""), max_digits=MAX_DIGITS) for name in names)
    return SelectedParts(page or 1, number, tables or 1)


@require_safe
def evening_fragment(request: HttpRequest, token: str) -> HttpResponse:
    parts = parse_selected_parts(request.GET)
    part = "evening" if parts == SelectedParts() else f"evening:{parts.ranking_page}:{parts.round}:{parts.tables_page}"

    def build(evening: Evening) -> Fragment:
        return render_evening_fragment(evening, evening_page(evening, ranking(evening), parts))

    return _fragment_response(request, token, part, build)


@require_safe
def screen_fragment(request: HttpRequest, token: str) -> HttpResponse:
    return _fragment_response(request, token, "screen", render_screen_fragment)


def _fragment_response(
    request: HttpRequest, token: str, part: str, build: Callable[[Evening], Fragment]
) -> HttpResponse:
    token_content = _read_token(token)
    content = fragments.cached_fragment(token_content, part, partial(_build_fragment, token_content, build))
    headers = {**LIVE_PAGE_HEADERS, "ETag": content.etag, "Content-Language": token_content.language}
    if content.is_over:
        return HttpResponse(content.html, status=STOP_POLLING, headers=headers)
    answer = HttpResponse(content.html, headers=headers)
    return get_conditional_response(request, etag=content.etag, response=answer) or answer


def _build_fragment(token_content: LiveTokenContent, build: Callable[[Evening], Fragment]) -> Fragment:
    with translation.override(token_content.language), names_shown_to(token_content.audience):
        return build(get_object_or_404(Evening.objects.with_season(), pk=token_content.evening))


def _read_token(token: str) -> LiveTokenContent:
    try:
        token_content = fragments.read_live_token(token)
    except fragments.InvalidLiveToken as error:
        raise Http404 from error
    if not fragments.has_token_rights(token_content, _is_allowed):
        raise Http404
    return token_content


def _is_allowed(token_content: LiveTokenContent) -> bool:
    """Return whether the URL may still be used.

    A URL from a public page works while the club is public. A URL from a user's page works while this user has a right
    in the club: the right to read if the page shows names as members see them, else the right to record, for the hall's
    screen. The URL of a screen that was opened by its code needs no user. No URL works after a secretary has ended the
    evening's live URLs (`live_version`), or once the club is to be deleted.
    """
    staying = Evening.objects.filter(season__club__delete_at=None)
    evenings = staying.filter(pk=token_content.evening, live_version=token_content.version)
    if token_content.viewer_id is None:
        evenings = evenings.filter(season__club__public=True)
    elif token_content.viewer_id != SCREEN_CODE_VIEWER_ID:
        givers = User.objects.filter(pk=token_content.viewer_id, is_active=True)
        roles = roles_with_right(Right.READ if token_content.shows_member_names else Right.RECORD)
        belongs = Membership.objects.filter(
            club=OuterRef("season__club"), player__user__in=givers, role__in=roles, login_unconfirmed=False
        )
        evenings = evenings.filter(Exists(belongs) | Exists(givers.filter(is_superuser=True)))
    return evenings.exists()
