"""Checking off what was entered at a table: one deal, or all that are seen on its sheet."""

from __future__ import annotations

import re

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from league.actions import deals
from league.actions.refusals import WrongState
from league.models import Deal, Table
from league.web.finding import recordable

SEEN = re.compile(r"(\d{1,18}):(\d{1,9})", re.ASCII)  # a deal's id and the version that was on the page


@login_required
@require_POST
def deal(request: HttpRequest, pk: int) -> HttpResponse:
    """This deal is as it stands on the paper."""
    found = recordable(Deal.objects.with_table(), request.user, pk=pk)
    return _checked(request, found.table, {key: version for key, version in _seen(request).items() if key == pk})


@login_required
@require_POST
def table(request: HttpRequest, pk: int) -> HttpResponse:
    """So are all of the table's deals that the page showed."""
    found = recordable(Table.objects.with_club(), request.user, pk=pk)
    return _checked(request, found, _seen(request))


def _seen(request: HttpRequest) -> dict[int, int]:
    found = [SEEN.fullmatch(text) for text in request.POST.getlist("seen")]
    return {int(each[1]): int(each[2]) for each in found if each}


def _checked(request: HttpRequest, table: Table, seen: dict[int, int]) -> HttpResponse:
    try:
        number = deals.check_off(table.pk, seen)
    except WrongState as wrong:
        messages.error(request, str(wrong))
        return redirect(table)
    if number:
        words = ngettext("%(number)s deal is checked.", "%(number)s deals are checked.", number)
        messages.success(request, words % {"number": number})
    if number < len(seen) or not seen:
        messages.error(request, _("Not everything is checked: it was changed or checked meanwhile. Look at it again."))
    return redirect(table)
