from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import tables
from league.actions import totals as totals_actions
from league.actions.refusals import StaleVersion, WrongState
from league.models import Evening, Table
from league.seasons.queries.season_game import game_of_season
from league.sheets.forms.totals import TotalsForm
from league.sheets.queries.score_sheet import ScoreSheet, read_sheet
from league.sheets.queries.sheet_overview import count_unreadable, next_incomplete_table, sheet_overview
from league.sheets.views.confirmation import add_success_message, redirect_if_locked
from league.web.action_messages import run_action
from league.web.charts import score_chart
from league.web.forms import ReasonForm
from league.web.lookups import club_context, recordable_or_403, visible_or_404
from scoring.numbers import localise

MAX_LABEL_LENGTH = 16  # characters of a name beside the chart


def table(request: HttpRequest, pk: int) -> HttpResponse:
    table = visible_or_404(Table.objects.with_club(), request.user, pk=pk)
    evening = table.round.evening
    season = evening.season
    club = club_context(season.club, request.user)
    sheet = read_sheet(table)
    context = {
        **club,
        "season": season,
        "evening": evening,
        "table": table,
        "sheet": sheet,
        "scores": _running_totals_chart(sheet),
        "unchecked": [row.deal for row in sheet.rows if not row.deal.checked],
        "game": game_of_season(season),
        "has_deals": game_of_season(season).has_deals,
        "next_missing": next_incomplete_table(evening, table) if club["can_record"] and table.complete else None,
        "voided": table.dealt.exclude(voided_at=None).order_by("voided_at"),
        "can_write": club["can_record"] and table.is_editable,
    }
    return render(request, "league/sheets/table.html", context)


def _running_totals_chart(sheet: ScoreSheet) -> dict[str, object] | None:
    """Return the chart of the running totals; None for fewer than two deals."""
    if len(sheet.rows) < 2:
        return None
    chart = score_chart([[row.cells[index].total for row in sheet.rows] for index in range(len(sheet.seats))])
    return {
        "chart": chart,
        "ticks": [(y, localise(value), value == 0) for y, value in chart.ticks],
        "lines": list(
            zip(chart.lines, (Truncator(seat.player).chars(MAX_LABEL_LENGTH) for seat in sheet.seats), strict=True)
        ),
        "deals": list(zip(chart.marks, (row.deal for row in sheet.rows), strict=True)),
    }


@login_required
def totals(request: HttpRequest, pk: int) -> HttpResponse:
    table = recordable_or_403(Table.objects.with_club(), request.user, pk=pk)
    if back := redirect_if_locked(request, table):
        return back
    season = table.round.evening.season
    form = TotalsForm(
        request.POST or None,
        table=table,
        seats=list(table.seats.select_related("player")),
        game=game_of_season(season),
        reason_needed=table.requires_reason,
    )
    if request.method == "POST" and form.is_valid() and record_totals(form, table):
        add_success_message(request, table, _("The totals are recorded."))
        return redirect(table)
    context = {
        **club_context(season.club, request.user),
        "evening": table.round.evening,
        "table": table,
        "form": form,
        "has_deals": form.game.has_deals,
    }
    return render(
        request, "league/sheets/totals.html", context, status=422 if form.is_bound and not form.is_valid() else 200
    )


def record_totals(form: TotalsForm, table: Table, *, at_table: bool = False) -> bool:
    """Record the totals of a valid form. Return True on success; otherwise add errors to the form and return False.

    `at_table`: a player sent the totals by phone.
    """
    try:
        totals_actions.record(
            table.pk,
            form.totals_by_seat,
            client_key=form.idempotency_key,
            seen_version=form.cleaned_data["seen_version"] or 0,
            now=timezone.now(),
            reason=form.cleaned_data["reason"],
            at_table=at_table,
        )
    except WrongState as refusal:
        form.add_error(None, str(refusal))
    except StaleVersion:
        message = _("Someone else changed the totals or the players meanwhile. Each seat shows both as they are now.")
        form.add_error(None, message)
        form.show_stored_totals(Table.objects.get(pk=table.pk))
    else:
        return True
    return False


@login_required
@require_POST
def finish_table(request: HttpRequest, pk: int) -> HttpResponse:
    table = recordable_or_403(Table.objects.with_club(), request.user, pk=pk)
    finished = request.POST.get("finished") == "yes"
    form = ReasonForm(request.POST)
    if not form.is_valid() and table.requires_reason:
        messages.error(request, _("The evening is closed: a change needs a reason, of 200 characters at most."))
        return redirect(table)
    reason = form.cleaned_data.get("reason", "")
    if run_action(request, lambda: tables.finish(pk, finished=finished, now=timezone.now(), reason=reason)):
        add_success_message(request, table, _("The table is complete.") if finished else _("The table continues."))
    return redirect(table)


@login_required
def sheet_list(request: HttpRequest, pk: int) -> HttpResponse:
    evening = recordable_or_403(Evening.objects.with_season(), request.user, pk=pk)
    context = {
        **club_context(evening.season.club, request.user),
        "evening": evening,
        "rounds": count_unreadable(sheet_overview(evening)),
    }
    return render(request, "league/sheets/sheets.html", context)
