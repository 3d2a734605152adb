"""A table on whatever phone has scanned the code on its sheet: its totals so far, and its deals, for tonight.

Nobody signs in here, so the page shows this table and nothing else of the club. A phone corrects only its own last
deal, as long as nobody has checked it: a cookie keeps the key with which that deal was sent.
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
from django.views.decorators.http import require_http_methods

from league.models import Deal, Table, table_codes
from league.models.deal import Source
from league.sheets.queries.score_sheet import read_sheet
from league.sheets.views.deal_entry import Desk, form_reader, is_sent, read_desk, shown_entry, write
from league.web.htmx import HtmxRequest
from scoring.entry import entry_context
from scoring.facts_form import FactsForm

COOKIE = "at-table"
ONE_EVENING = 24 * 3600  # seconds
ENDED = "league/sheets/at_ended.html"


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def at_table(request: HtmxRequest, token: str) -> HttpResponse:
    """The table with the form of its next deal, or (`?correct`) of this phone's own last one.

    A code that was right and can't be used now answers 410, any other that doesn't work 404, with the same page.
    """
    try:
        table = table_codes.read(token, now=timezone.now())
    except table_codes.Ended:
        return _ended(request, 410)
    except table_codes.Unknown:
        return _ended(request, 404)
    own = _own(request, table)
    if "correct" in request.GET and own is None:
        messages.error(request, _("This deal can't be corrected here any more. Tell the secretary what is wrong."))
        return redirect(request.path)
    deal = own if "correct" in request.GET else None
    patient = consume(request, action="at_table_record" if is_sent(request) else "at_table_look", key=str(table.pk))
    if not patient and not is_sent(request):
        return HttpResponse(status=429)
    desk = read_desk(request, form_reader, table, deal=deal)
    if not patient and desk.form.is_bound:
        desk.add_error(_("So many deals at once can't be right. Wait a minute, then send it again."))
    elif patient and is_sent(request) and _is_written(desk):
        messages.success(request, _("The deal is corrected.") if deal else _("The deal is recorded."))
        return _remembering(request, desk)
    return _page(request, desk, own, status=200 if patient else 429)


def _own(request: HtmxRequest, table: Table) -> Deal | None:
    """The deal that this phone may still correct."""
    try:
        key = UUID(request.COOKIES.get(COOKIE, ""))
    except ValueError:
        return None
    mine = Deal.objects.standing().filter(table=table, client_key=key, source=Source.TABLE, checked=False)
    found: Deal | None = mine.filter(number=table.recorded).first()
    return found


def _is_written(desk: Desk[FactsForm]) -> bool:
    """Whether the deal is recorded or corrected; if not, why stands on the forms."""
    outcome = write(desk, Source.TABLE)
    if outcome.current is not None:
        desk.form.add_error(None, _("This deal was changed meanwhile. Look at it again before you correct it."))
    return outcome.is_done


def _remembering(request: HtmxRequest, desk: Desk[FactsForm]) -> HttpResponse:
    """Back to the table; a new deal's key stays on the phone that sent it, for this table alone."""
    answer = redirect(request.path)
    if desk.deal is None:
        answer.set_cookie(
            COOKIE,
            str(desk.own.key),
            max_age=ONE_EVENING,
            path=request.path,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return answer


def _page(request: HtmxRequest, desk: Desk[FactsForm], own: Deal | None, *, status: int) -> HttpResponse:
    """The page, or to htmx the form alone."""
    live = bool(request.htmx)
    context = {
        **entry_context(desk.game, desk.form, shown_entry(desk), live=live),
        "own": desk.own,
        "action": request.get_full_path(),
        "table": desk.table,
    }
    if live:
        return render(request, "league/sheets/_deal_form.html", context)
    more = {"evening": desk.table.round.evening, "sheet": read_sheet(desk.table), "last": own, "correcting": desk.deal}
    if status == 200 and (desk.form.errors or desk.own.errors):
        status = 422
    return _private(render(request, "league/sheets/at_table.html", {**context, **more}, status=status))


def _ended(request: HtmxRequest, status: int) -> HttpResponse:
    return _private(render(request, ENDED, status=status))


def _private(answer: HttpResponse) -> HttpResponse:
    """Not for search engines; that no other site learns the address, the site's referrer policy sees to."""
    answer["X-Robots-Tag"] = "noindex, nofollow"
    return answer
