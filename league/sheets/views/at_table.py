"""Entry by phone at the table: totals or deals, at the URL on the printed score sheet, without a login.

The page shows only this table. A phone may correct only the last deal that it sent, until a secretary has checked the
deal. A cookie contains the key of that deal.
"""

from __future__ import annotations

from uuid import UUID

from allauth.core.ratelimit import consume
from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league.models import Deal, Table, table_codes
from league.models.deal import DealSource
from league.seasons.queries.season_game import game_of_season
from league.sheets.forms.totals import TotalsForm
from league.sheets.queries.score_sheet import read_sheet
from league.sheets.views.deal_entry import (
    DealEntryRequest,
    entry_to_show,
    is_final_submission,
    parse_deal_form,
    parse_deal_request,
    write_deal,
)
from league.sheets.views.tables import record_totals
from league.web.htmx import HtmxRequest
from league.web.http_methods import allow_get_and_post
from scoring.entry import entry_context
from scoring.facts_form import FactsForm

COOKIE_NAME = "at-table"
COOKIE_SECONDS = 24 * 3600
CODE_ENDED_TEMPLATE = "league/sheets/at_ended.html"


@never_cache
@allow_get_and_post
def at_table(request: HtmxRequest, token: str) -> HttpResponse:
    """Show and store what players at a table enter by phone. `token` is the code in the URL on the printed score sheet.

    Respond 410 to a genuine code that is no longer valid, 404 to any other invalid code, and 429 to too many requests.
    """
    try:
        table = table_codes.table_of_code(token, now=timezone.now())
    except table_codes.InactiveCode:
        return _render_code_ended(request, 410)
    except table_codes.InvalidCode:
        return _render_code_ended(request, 404)
    if not game_of_season(table.round.evening.season).has_deals:
        return _totals(request, table)
    own_deal = _correctable_deal(request, table)
    if "correct" in request.GET and own_deal is None:
        messages.error(request, _("This deal can't be corrected here any more. Tell the secretary what is wrong."))
        return redirect(request.path)
    deal = own_deal if "correct" in request.GET else None
    is_allowed = consume(
        request, action="at_table_record" if is_final_submission(request) else "at_table_look", key=str(table.pk)
    )
    if not is_allowed and not is_final_submission(request):
        return HttpResponse(status=429)
    deal_request = parse_deal_request(request, parse_deal_form, table, deal=deal)
    if not is_allowed and deal_request.form.is_bound:
        deal_request.add_error(_("So many deals at once can't be right. Wait a minute, then send it again."))
    elif is_allowed and is_final_submission(request) and _write_deal(deal_request):
        messages.success(request, _("The deal is corrected.") if deal else _("The deal is recorded."))
        return _redirect_with_key(request, deal_request)
    return _render(request, deal_request, own_deal, status=200 if is_allowed else 429)


def _totals(request: HtmxRequest, table: Table) -> HttpResponse:
    """Show and store totals, for a game without deals. Only the phone that sent the totals may correct them, until
    a secretary has checked them.

    A form whose key is stored was sent before, and its response was lost: it is accepted again. Respond 409 to totals
    that another phone or the desk has entered first.
    """
    is_sent_form = request.method == "POST"
    is_allowed = consume(request, action="at_table_record" if is_sent_form else "at_table_look", key=str(table.pk))
    if not is_allowed and not is_sent_form:
        return HttpResponse(status=429)
    seats = list(table.seats.select_related("player"))
    key = str(table.totals_key)
    sent_here = key == request.COOKIES.get(COOKIE_NAME) and not table.totals_checked
    is_repeated = is_sent_form and key == request.POST.get("client_key")
    is_open = sent_here or is_repeated or all(seat.written is None for seat in seats)
    data = request.POST if is_sent_form and is_open else None
    game = game_of_season(table.round.evening.season)
    form = TotalsForm(data, table=table, seats=seats, game=game, reason_needed=table.requires_reason)
    if not is_allowed and form.is_bound:
        form.add_error(None, _("So many deals at once can't be right. Wait a minute, then send it again."))
    elif form.is_bound and form.is_valid() and record_totals(form, table, at_table=True):
        messages.success(request, _("The totals are recorded."))
        return _store_key(redirect(request.path), request, form.idempotency_key)
    context = {
        "table": table,
        "evening": table.round.evening,
        "game": game,
        "sheet": read_sheet(table),
        "form": form if is_open else None,
        "is_too_late": is_sent_form and not is_open,
    }
    status = 429 if not is_allowed else 422 if form.is_bound and not form.is_valid() else 200
    if status == 200 and is_sent_form and not is_open:
        status = 409
    return _add_noindex_headers(render(request, "league/sheets/at_totals.html", context, status=status))


def _correctable_deal(request: HtmxRequest, table: Table) -> Deal | None:
    try:
        key = UUID(request.COOKIES.get(COOKIE_NAME, ""))
    except ValueError:
        return None
    own_deals = Deal.objects.not_voided().filter(table=table, client_key=key, source=DealSource.TABLE, checked=False)
    last_deal: Deal | None = own_deals.filter(number=table.recorded).first()
    return last_deal


def _write_deal(deal_request: DealEntryRequest[FactsForm]) -> bool:
    outcome = write_deal(deal_request, DealSource.TABLE)
    if outcome.conflicting_deal is not None:
        deal_request.add_error(_("This deal was changed meanwhile. Look at it again before you correct it."))
    return outcome.is_written


def _redirect_with_key(request: HtmxRequest, deal_request: DealEntryRequest[FactsForm]) -> HttpResponse:
    """Redirect to the page. After a new deal, a cookie for this table has its key: this browser may correct it."""
    response = redirect(request.path)
    return response if deal_request.deal else _store_key(response, request, deal_request.write_form.idempotency_key)


def _store_key(response: HttpResponse, request: HtmxRequest, key: UUID) -> HttpResponse:
    response.set_cookie(
        COOKIE_NAME,
        str(key),
        max_age=COOKIE_SECONDS,
        path=request.path,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
    return response


def _render(
    request: HtmxRequest, deal_request: DealEntryRequest[FactsForm], own_deal: Deal | None, *, status: int
) -> HttpResponse:
    is_preview = bool(request.htmx)
    context = {
        **entry_context(deal_request.game, deal_request.form, entry_to_show(deal_request), is_preview=is_preview),
        "write_form": deal_request.write_form,
        "action": request.get_full_path(),
        "table": deal_request.table,
    }
    if is_preview:
        return render(request, "league/sheets/_deal_form.html", context)
    extra = {
        "evening": deal_request.table.round.evening,
        "sheet": read_sheet(deal_request.table),
        "last": own_deal,
        "correcting": deal_request.deal,
    }
    if status == 200 and (deal_request.form.errors or deal_request.write_form.errors):
        status = 422
    return _add_noindex_headers(render(request, "league/sheets/at_table.html", {**context, **extra}, status=status))


def _render_code_ended(request: HtmxRequest, status: int) -> HttpResponse:
    return _add_noindex_headers(render(request, CODE_ENDED_TEMPLATE, status=status))


def _add_noindex_headers(response: HttpResponse) -> HttpResponse:
    """Ask search engines to ignore the page. The site's referrer policy already hides the URL from other sites."""
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response
