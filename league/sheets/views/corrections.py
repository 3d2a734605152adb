"""Show the effects of a correction before it is saved."""

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
from league.sheets.queries.consequences import CorrectionEffects, compute_correction_effects
from league.sheets.views.deal_entry import parse_deal_form, parse_deal_request
from league.web.htmx import HtmxRequest
from league.web.lookups import club_context, recordable_or_403
from scoring.rules.errors import IllegalDeal

FIELDS_NOT_RESENT = frozenset({"csrfmiddlewaretoken", "preview"})  # fields that the correction's page adds itself
ROLLED_BACK_REASON = "tried out"  # reason of a change that is rolled back


@login_required
def correction_effects(request: HtmxRequest, pk: int) -> HttpResponse:
    """Show the effects of revising (POST) or voiding (GET) the deal."""
    deal = recordable_or_403(Deal.objects.with_table(), request.user, pk=pk)
    change = _revision(request, deal) if request.method == "POST" else _voiding(deal)
    incomplete = _("What changes is shown here once the deal is complete.")
    if change is None:
        return _render(request, deal, None, incomplete)
    try:
        return _render(request, deal, compute_correction_effects(deal.table.round.evening, [deal.table_id], change))
    except IllegalDeal:
        return _render(request, deal, None, incomplete)
    except WrongState as refusal:
        return _render(request, deal, None, str(refusal))
    except StaleVersion:
        return _render(request, deal, None, _("Someone else has changed this deal meanwhile."))


def _revision(request: HtmxRequest, deal: Deal) -> Callable[[], object] | None:
    deal_request = parse_deal_request(request, parse_deal_form, deal.table, deal=deal)
    if not deal_request.form.is_valid():
        return None
    return partial(
        deals.revise,
        deal.pk,
        deal_request.form.facts(),
        client_key=uuid4(),
        seen_version=deal.version,
        now=timezone.now(),
        rests=deal_request.write_form.resting_seats or None,
        reason=ROLLED_BACK_REASON,
    )


def _voiding(deal: Deal) -> Callable[[], object]:
    now, key = timezone.now(), uuid4()
    return partial(deals.void, deal.pk, client_key=key, seen_version=deal.version, now=now, reason=ROLLED_BACK_REASON)


def _render(request: HtmxRequest, deal: Deal, effects: CorrectionEffects | None, message: str = "") -> HttpResponse:
    context = {"effects": effects, "message": message, "deal": deal, "evening": deal.table.round.evening}
    if request.htmx:
        return render(request, "league/sheets/_consequences.html", context)
    form_values = [
        (name, value) for name, values in request.POST.lists() if name not in FIELDS_NOT_RESENT for value in values
    ]
    page = {
        **club_context(deal.table.round.evening.season.club, request.user),
        "table": deal.table,
        "form_values": form_values,
    }
    return render(request, "league/sheets/correction.html", {**context, **page})
