"""Mark entries from a phone as checked: one deal, all deals of a sheet, or the totals of a table."""

from __future__ import annotations

import re

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from league.actions import deals, totals
from league.actions.refusals import WrongState
from league.models import Deal, Table
from league.web.lookups import recordable_or_403

SEEN_DEAL_PATTERN = re.compile(r"(\d{1,18}):(\d{1,9})", re.ASCII)  # a deal's id and the version that was on the page
SEEN_VERSION_PATTERN = re.compile(r"\d{1,9}", re.ASCII)  # the version of the table that was on the page


@login_required
@require_POST
def check_deal(request: HttpRequest, pk: int) -> HttpResponse:
    deal = recordable_or_403(Deal.objects.with_table(), request.user, pk=pk)
    versions = {key: version for key, version in _seen_versions(request).items() if key == pk}
    return _check_off_deals(request, deal.table, versions)


@login_required
@require_POST
def check_table(request: HttpRequest, pk: int) -> HttpResponse:
    table = recordable_or_403(Table.objects.with_club(), request.user, pk=pk)
    if "seen_totals" in request.POST:
        return _check_off_totals(request, table)
    return _check_off_deals(request, table, _seen_versions(request))


def _check_off_totals(request: HttpRequest, table: Table) -> HttpResponse:
    match = SEEN_VERSION_PATTERN.fullmatch(request.POST["seen_totals"])
    try:
        is_checked = match is not None and totals.check_off(table.pk, int(match[0]))
    except WrongState as refusal:
        messages.error(request, str(refusal))
        return redirect(table)
    if is_checked:
        messages.success(request, _("The totals are checked."))
    else:
        messages.error(request, _("Not everything is checked: it was changed or checked meanwhile. Look at it again."))
    return redirect(table)


def _seen_versions(request: HttpRequest) -> dict[int, int]:
    matches = [SEEN_DEAL_PATTERN.fullmatch(text) for text in request.POST.getlist("seen")]
    return {int(match[1]): int(match[2]) for match in matches if match}


def _check_off_deals(request: HttpRequest, table: Table, versions: dict[int, int]) -> HttpResponse:
    try:
        number = deals.check_off(table.pk, versions)
    except WrongState as refusal:
        messages.error(request, str(refusal))
        return redirect(table)
    if number:
        words = ngettext("%(number)s deal is checked.", "%(number)s deals are checked.", number)
        messages.success(request, words % {"number": number})
    if number < len(versions) or not versions:
        messages.error(request, _("Not everything is checked: it was changed or checked meanwhile. Look at it again."))
    return redirect(table)
