"""The totals on a table's paper: kept beside its deals, and accepted where they say something else."""

from __future__ import annotations

import re

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import paper
from league.actions.refusals import StaleVersion, WrongState
from league.models import Table
from league.sheets.forms.totals import WrittenForm
from league.web.finding import recordable
from league.web.reason_form import ReasonForm

SEEN = re.compile(r"(-?\d{1,6})?:(-?\d{1,9})", re.ASCII)  # a seat's total on the paper, and its points


@login_required
@require_POST
def record(request: HttpRequest, pk: int) -> HttpResponse:
    """Keep what stands on the paper, and compare it on the grid."""
    table = recordable(Table.objects.with_club(), request.user, pk=pk)
    form = WrittenForm(request.POST, seats=list(table.seats.select_related("player")))
    if not form.is_valid():
        for name, errors in form.errors.items():
            messages.error(request, f"{form[name].label}{_(': ')}{errors[0]}")
        return redirect("league:grid", pk=pk)
    try:
        paper.record(pk, form.by_seat)
    except WrongState as wrong:
        messages.error(request, str(wrong))
    return redirect("league:grid", pk=pk)


@login_required
@require_POST
def accept(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept that the paper says something else than the deals, with a reason."""
    table = recordable(Table.objects.with_club(), request.user, pk=pk)
    said = ReasonForm(request.POST)
    if not said.is_valid():
        messages.error(request, _("Say why the paper may differ, in 200 characters at most."))
        return redirect(table)
    found = [SEEN.fullmatch(text) for text in request.POST.getlist("seen")]
    seen = [(int(each[1]) if each[1] else None, int(each[2])) for each in found if each]
    try:
        paper.accept(pk, seen, reason=said.cleaned_data["reason"])
    except WrongState as wrong:
        messages.error(request, str(wrong))
    except StaleVersion:
        messages.error(request, _("The paper or the deals were changed meanwhile. Look at the difference again."))
    else:
        messages.success(request, _("The difference is accepted. The reason stands on the sheet."))
    return redirect(table)
