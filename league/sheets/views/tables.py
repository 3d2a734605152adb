"""A table's sheet, its totals without deals, and its end by hand."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import tables
from league.actions import totals as totals_actions
from league.actions.refusals import StaleVersion, WrongState
from league.models import Table
from league.sheets.forms.totals import TotalsForm
from league.sheets.queries.score_sheet import read_sheet
from league.sheets.queries.sheet_overview import next_missing
from league.sheets.views.confirmation import confirm, not_now
from league.web.finding import frame, recordable, seen
from league.web.reason_form import ReasonForm
from scoring.game import find_game


def table(request: HttpRequest, pk: int) -> HttpResponse:
    """The sheet: deals with running totals, or the totals that were handed in."""
    found = seen(Table.objects.with_club(), request.user, pk=pk)
    evening = found.round.evening
    season = evening.season
    club = frame(season.club, request.user)
    sheet = read_sheet(found)
    context = {
        **club,
        "season": season,
        "evening": evening,
        "table": found,
        "sheet": sheet,
        "unchecked": [row.deal for row in sheet.rows if not row.deal.checked],
        "game": find_game(season.game),
        "next_missing": next_missing(evening, found) if club["can_record"] and found.complete else None,
        "voided": found.dealt.exclude(voided_at=None).order_by("voided_at"),
        "can_write": club["can_record"] and found.may_be_written,
    }
    return render(request, "league/sheets/table.html", context)


@login_required
def totals(request: HttpRequest, pk: int) -> HttpResponse:
    """Record what a sheet says in total."""
    found = recordable(Table.objects.with_club(), request.user, pk=pk)
    if back := not_now(request, found):
        return back
    season = found.round.evening.season
    form = TotalsForm(
        request.POST or None,
        table=found,
        seats=list(found.seats.select_related("player")),
        game=find_game(season.game),
        reason_needed=found.wants_reason,
    )
    if request.method == "POST" and form.is_valid() and _record_totals(form, found):
        confirm(request, found, _("The totals are recorded."))
        return redirect(found)
    context = {**frame(season.club, request.user), "evening": found.round.evening, "table": found, "form": form}
    return render(request, "league/sheets/totals.html", context, status=422 if form.errors else 200)


def _record_totals(form: TotalsForm, table: Table) -> bool:
    try:
        totals_actions.record(
            table.pk,
            form.written,
            client_key=form.key,
            seen_version=form.cleaned_data["seen_version"] or 0,
            now=timezone.now(),
            reason=form.cleaned_data["reason"],
        )
    except WrongState as wrong:
        form.add_error(None, str(wrong))
    except StaleVersion:
        form.add_error(None, _("Someone else wrote these totals meanwhile. What stands now is said at each seat."))
        form.show_current(Table.objects.get(pk=table.pk))
    else:
        return True
    return False


@login_required
@require_POST
def finish(request: HttpRequest, pk: int) -> HttpResponse:
    """The secretary says that the table is complete, or goes on."""
    found = recordable(Table.objects.with_club(), request.user, pk=pk)
    finished = request.POST.get("finished") == "yes"
    said = ReasonForm(request.POST)
    if not said.is_valid() and found.wants_reason:
        messages.error(request, _("The evening is closed: a change needs a reason, of 200 characters at most."))
        return redirect(found)
    try:
        tables.finish(pk, finished=finished, now=timezone.now(), reason=said.cleaned_data.get("reason", ""))
    except WrongState as wrong:
        messages.error(request, str(wrong))
    else:
        confirm(request, found, _("The table is complete.") if finished else _("The table goes on."))
    return redirect(found)
