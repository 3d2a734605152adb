"""What a correction of a deal would change, shown before it is saved."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from uuid import uuid4

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from league.actions import deals
from league.actions.refusals import StaleVersion, WrongState
from league.models import Deal
from league.sheets.queries.consequences import Consequences, consequences
from league.sheets.views.deal_entry import form_reader, read_desk
from league.web.finding import frame, recordable
from league.web.htmx import HtmxRequest
from scoring.rules.errors import IllegalDeal

SENT_ANEW = frozenset({"csrfmiddlewaretoken", "preview"})  # what the form's own page puts on it again
TRIED = "tried out"  # the reason of a change that is taken back: nobody ever reads it


@login_required
def deal(request: HtmxRequest, pk: int) -> HttpResponse:
    """To a POST of the deal's form what that revision would change; to a GET what voiding the deal would."""
    found = recordable(Deal.objects.with_table(), request.user, pk=pk)
    change = _revision(request, found) if request.method == "POST" else _voiding(found)
    incomplete = _("What changes is shown here once the deal is complete.")
    if change is None:
        return _answer(request, found, None, incomplete)
    try:
        return _answer(request, found, consequences(found.table.round.evening, [found.table_id], change))
    except IllegalDeal:
        return _answer(request, found, None, incomplete)
    except WrongState as wrong:
        return _answer(request, found, None, str(wrong))
    except StaleVersion:
        return _answer(request, found, None, _("Someone else has changed this deal meanwhile."))


def _revision(request: HtmxRequest, deal: Deal) -> Callable[[], object] | None:
    """The revision that the form asks for; None while the deal is not complete."""
    desk = read_desk(request, form_reader, deal.table, deal=deal)
    if not desk.form.is_valid():
        return None
    return partial(
        deals.revise,
        deal.pk,
        desk.form.facts(),
        client_key=uuid4(),
        seen_version=deal.version,
        now=timezone.now(),
        rests=desk.own.resting or None,
        reason=TRIED,
    )


def _voiding(deal: Deal) -> Callable[[], object]:
    now, key = timezone.now(), uuid4()
    return partial(deals.void, deal.pk, client_key=key, seen_version=deal.version, now=now, reason=TRIED)


def _answer(request: HtmxRequest, deal: Deal, found: Consequences | None, why: str = "") -> HttpResponse:
    context = {"found": found, "why": why, "deal": deal, "evening": deal.table.round.evening}
    if request.htmx:
        return render(request, "league/sheets/_consequences.html", context)
    kept = [(name, value) for name, values in request.POST.lists() if name not in SENT_ANEW for value in values]
    page = {**frame(deal.table.round.evening.season.club, request.user), "table": deal.table, "kept": kept}
    return render(request, "league/sheets/correction.html", {**context, **page})
