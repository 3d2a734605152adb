"""The grid: the deals of a table's score sheet, entered as rows of short codes.

The script requests the view `grid_row` after every key.
"""

from __future__ import annotations

from dataclasses import replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import NON_FIELD_ERRORS
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.models import Deal, Table
from league.sheets.forms.row import RowForm
from league.sheets.forms.totals import PaperTotalsForm
from league.sheets.queries.paper_check import check_paper
from league.sheets.queries.score_sheet import ScoreSheet, deal_summary, read_sheet
from league.sheets.queries.sheet_overview import next_incomplete_table
from league.sheets.views.confirmation import redirect_if_locked
from league.sheets.views.deal_entry import DealEntryRequest, parse_deal_request, parse_deal_row, write_deal
from league.sheets.views.grid_rows import open_row_cells, parse_totals, recorded_grid_rows, row_json, running_totals
from league.web.lookups import club_context, recordable_or_403

MAX_DIGITS = 18  # digits of an id


@login_required
def grid(request: HttpRequest, pk: int) -> HttpResponse:
    """Show all deals of a table as rows of short codes, with an open row to enter a deal. A POST records the open row.

    The open row is the next deal, an inserted deal (`?number=3`), or an existing deal (`?deal=12`).
    """
    deal_request = _parse_grid_request(request, pk)
    if deal_request.deal is not None and deal_request.deal.voided_at is not None and request.method != "POST":
        return redirect(deal_request.deal)
    if back := redirect_if_locked(request, deal_request.table):
        return back
    if not deal_request.game.has_deals:
        return redirect("league:table-totals", pk)
    if request.method == "POST" and _record_row(deal_request):
        messages.success(request, _("Deal %(number)s is recorded.") % {"number": deal_request.deal_number})
        return redirect("league:grid", pk=pk)
    sheet = read_sheet(deal_request.table)
    before = running_totals(sheet, deal_request.deal_number)
    paper_totals = PaperTotalsForm(request.GET if "written_0" in request.GET else None, seats=deal_request.seats)
    context = {
        **club_context(deal_request.table.round.evening.season.club, request.user),
        **_rows_context(deal_request, sheet, deal_request.deal_number),
        "form": deal_request.form,
        "deal_request": deal_request,
        "entry": deal_request.entry,
        "before": before,
        "open_row_cells": open_row_cells(deal_request.form, deal_request.entry, before),
        "sums": list(zip(deal_request.seats, running_totals(sheet, len(sheet.rows) + 1), strict=True)),
        "written": paper_totals,
        "verdict": check_paper(
            deal_request.game, sheet, deal_request.table.round.evening.house_rules, paper_totals.totals
        ),
        "legend": deal_request.game.row.legend(deal_request.table.players_of_deal),
        "done": _table_end_text(deal_request.table, sheet),
    }
    return render(request, "league/sheets/grid.html", context, status=422 if deal_request.form.errors else 200)


@login_required
@require_POST
def grid_row(request: HttpRequest, pk: int) -> HttpResponse:
    """Score a row of short codes that the page's script sends, and respond in JSON. With `record` in the POST data,
    also record the deal.

    A repeated request with the same `client_key` records nothing new. Respond 422 with reasons if the row is refused,
    and 409 if another user has changed the deal.
    """
    deal_request = _parse_grid_request(request, pk)
    if not deal_request.game.has_deals:
        raise Http404
    before = parse_totals(request.POST.get("before", ""), len(deal_request.seats))
    if "record" not in request.POST:
        return JsonResponse(row_json(deal_request.form, deal_request.entry, before))
    if not _record_row(deal_request):
        status = 409 if deal_request.form.has_error(NON_FIELD_ERRORS, "stale") else 422
        resend = {"version": deal_request.form.current_version, "key": str(deal_request.form["client_key"].value())}
        return JsonResponse({**row_json(deal_request.form, deal_request.entry, before), **resend}, status=status)
    updated = replace(deal_request, table=Table.objects.with_club().get(pk=pk))
    sheet = read_sheet(updated.table)
    rows = _rows_context(updated, sheet, updated.table.recorded + 1)
    return JsonResponse(
        {
            "rows": render_to_string("league/sheets/_grid_rows.html", {**rows, "rows": rows["earlier"]}, request),
            "totals": running_totals(sheet, len(sheet.rows) + 1),
            "done": _table_end_text(updated.table, sheet),
            "said": _("Deal %(number)s is recorded.") % {"number": deal_request.deal_number},
        }
    )


def _parse_grid_request(request: HttpRequest, pk: int) -> DealEntryRequest[RowForm]:
    table = recordable_or_403(Table.objects.with_club(), request.user, pk=pk)
    data = request.POST if request.method == "POST" else request.GET
    return parse_deal_request(
        request, parse_deal_row, table, deal=_deal_to_revise(table, data), number=data.get("number", "")
    )


def _deal_to_revise(table: Table, data: QueryDict) -> Deal | None:
    key = data.get("deal", "")
    if not key.isdecimal():
        return None
    if len(key) > MAX_DIGITS:
        raise Http404
    return get_object_or_404(Deal.objects.filter(table=table), pk=int(key))


def _record_row(deal_request: DealEntryRequest[RowForm]) -> bool:
    outcome = write_deal(deal_request)
    if outcome.conflicting_deal is not None:
        _show_conflict(deal_request, outcome.conflicting_deal)
    return outcome.is_written


def _table_end_text(table: Table, sheet: ScoreSheet) -> SafeString:
    """Return HTML about held points, and about the next incomplete table if this table is complete."""
    held_points = format_html('<p class="held">{}</p>', sheet.held_points_text) if sheet.held_points else SafeString()
    if not (table.complete and table.recorded):
        return held_points
    evening = table.round.evening
    context = {"evening": evening, "next_missing": next_incomplete_table(evening, table)}
    return held_points + render_to_string("league/sheets/_table_done.html", context)


def _show_conflict(deal_request: DealEntryRequest[RowForm], current: Deal) -> None:
    if current.voided_at is not None:
        deal_request.form.add_error(None, _("This deal was voided meanwhile, so it can't be revised any more."))
    else:
        deal_request.form.show_conflict(current.version, deal_summary(deal_request.table, current, deal_request.seats))


def _rows_context(deal_request: DealEntryRequest[RowForm], sheet: ScoreSheet, deal_number: int) -> dict[str, object]:
    rows = recorded_grid_rows(deal_request.game, sheet, deal_request.form.columns)
    revised_id = deal_request.deal.pk if deal_request.deal else None
    return {
        "table": deal_request.table,
        "game": deal_request.game,
        "seats": deal_request.seats,
        "earlier": [row for row in rows if (row.row.deal.number or 0) < deal_number],
        "later": [row for row in rows if (row.row.deal.number or 0) >= deal_number and row.row.deal.pk != revised_id],
        "width": len(deal_request.form.first_line()) + len(deal_request.seats) + 2,
        "address": reverse("league:grid", args=[deal_request.table.pk]),
    }
