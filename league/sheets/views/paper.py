"""The totals on a table's paper score sheet: store them beside the recorded deals, and accept a difference."""

from __future__ import annotations

import re

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import paper_totals
from league.actions.refusals import StaleVersion, WrongState
from league.models import Table
from league.sheets.forms.totals import PaperTotalsForm
from league.web.action_messages import run_action
from league.web.forms import ReasonForm
from league.web.lookups import recordable_or_403

MAX_TYPED_LENGTH = 40  # characters of a refused total that go into the URL of the grid
# a seat's total on the paper (may be missing) and its recorded points, as the page showed them
SEEN_DIFFERENCE_PATTERN = re.compile(r"(-?\d{1,6})?:(-?\d{1,9})", re.ASCII)


@login_required
@require_POST
def record_paper_totals(request: HttpRequest, pk: int) -> HttpResponse:
    table = recordable_or_403(Table.objects.with_club(), request.user, pk=pk)
    form = PaperTotalsForm(request.POST, seats=list(table.seats.select_related("player")))
    if not form.is_valid():
        for name, errors in form.errors.items():
            messages.error(request, f"{form[name].label}{_(': ')}{errors[0]}")
        typed = {name: request.POST[name][:MAX_TYPED_LENGTH] for name in form.fields if name in request.POST}
        return redirect(reverse("league:grid", args=[pk], query=typed))
    run_action(request, lambda: paper_totals.record(pk, form.totals_by_seat))
    return redirect("league:grid", pk=pk)


@login_required
@require_POST
def accept_difference(request: HttpRequest, pk: int) -> HttpResponse:
    table = recordable_or_403(Table.objects.with_club(), request.user, pk=pk)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Say why the paper may differ, in 200 characters at most."))
        return redirect(table)
    matches = [SEEN_DIFFERENCE_PATTERN.fullmatch(text) for text in request.POST.getlist("seen")]
    differences = [(int(match[1]) if match[1] else None, int(match[2])) for match in matches if match]
    try:
        paper_totals.accept(pk, differences, reason=form.cleaned_data["reason"])
    except WrongState as refusal:
        messages.error(request, str(refusal))
    except StaleVersion:
        messages.error(request, _("The paper or the deals were changed meanwhile. Look at the difference again."))
    else:
        messages.success(request, _("The difference is accepted. The reason is shown on the sheet."))
    return redirect(table)
