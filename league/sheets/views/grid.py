"""The grid: a table's paper sheet entered row by row. A plain form a row; the script asks `row` after every key."""

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
from league.sheets.forms.totals import WrittenForm
from league.sheets.queries.paper_check import verdict
from league.sheets.queries.score_sheet import ScoreSheet, read_sheet, summary
from league.sheets.queries.sheet_overview import next_missing
from league.sheets.views.confirmation import not_now
from league.sheets.views.deal_entry import Desk, read_desk, row_reader, write
from league.sheets.views.grid_rows import coded, own_cells, running, said, totals_before
from league.web.finding import frame, recordable

MOST_DIGITS = 18  # of an id


@login_required
def grid(request: HttpRequest, pk: int) -> HttpResponse:
    """The sheet with one row to fill in: the next, or one to insert (`?number=3`), or a deal's (`?deal=12`)."""
    desk = _desk(request, pk)
    if back := not_now(request, desk.table):
        return back
    if request.method == "POST" and _is_recorded(desk):
        messages.success(request, _("Deal %(number)s is recorded.") % {"number": desk.place})
        return redirect("league:grid", pk=pk)
    sheet = read_sheet(desk.table)
    before = running(sheet, desk.place)
    paper = WrittenForm(request.GET if "written_0" in request.GET else None, seats=desk.seats)
    context = {
        **frame(desk.table.round.evening.season.club, request.user),
        **_rows(desk, sheet, desk.place),
        "form": desk.form,
        "desk": desk,
        "entry": desk.entry,
        "before": before,
        "own_cells": own_cells(desk.form, desk.entry, before),
        "sums": list(zip(desk.seats, running(sheet, len(sheet.rows) + 1), strict=True)),
        "written": paper,
        "verdict": verdict(desk.game, sheet, desk.table.round.evening.house_rules, paper.totals),
        "legend": desk.game.row.legend(desk.table.playing),
        "done": _done(desk.table, sheet),
    }
    return render(request, "league/sheets/grid.html", context, status=422 if desk.form.errors else 200)


@login_required
@require_POST
def row(request: HttpRequest, pk: int) -> HttpResponse:
    """What the script's row comes to so far; with `record` in the data it is recorded, once for each key.

    422: refused, the reasons are in the answer. 409: someone else changed the deal meanwhile.
    """
    desk = _desk(request, pk)
    before = totals_before(request.POST.get("before", ""), len(desk.seats))
    if "record" not in request.POST:
        return JsonResponse(said(desk.form, desk.entry, before))
    if not _is_recorded(desk):
        status = 409 if desk.form.has_error(NON_FIELD_ERRORS, "stale") else 422
        again = {"version": desk.form.stands, "key": str(desk.form["client_key"].value())}
        return JsonResponse({**said(desk.form, desk.entry, before), **again}, status=status)
    now = replace(desk, table=Table.objects.with_club().get(pk=pk))
    sheet = read_sheet(now.table)
    rows = _rows(now, sheet, now.table.recorded + 1)
    return JsonResponse(
        {
            "rows": render_to_string("league/sheets/_grid_rows.html", {**rows, "rows": rows["earlier"]}, request),
            "totals": running(sheet, len(sheet.rows) + 1),
            "done": _done(now.table, sheet),
            "said": _("Deal %(number)s is recorded.") % {"number": desk.place},
        }
    )


def _desk(request: HttpRequest, pk: int) -> Desk[RowForm]:
    table = recordable(Table.objects.with_club(), request.user, pk=pk)
    asked = request.POST if request.method == "POST" else request.GET
    return read_desk(request, row_reader, table, deal=_deal(table, asked), number=asked.get("number", ""))


def _deal(table: Table, asked: QueryDict) -> Deal | None:
    key = asked.get("deal", "")
    if not key.isdecimal():
        return None
    if len(key) > MOST_DIGITS:
        raise Http404
    return get_object_or_404(Deal.objects.filter(table=table).standing(), pk=int(key))


def _is_recorded(desk: Desk[RowForm]) -> bool:
    """Write the row down if nothing is in its way; otherwise the reasons stand on it."""
    outcome = write(desk)
    if outcome.current is not None:
        _show_conflict(desk, outcome.current)
    return outcome.is_done


def _done(table: Table, sheet: ScoreSheet) -> SafeString:
    """Return the points that are held and, once all deals are in, the link to the next sheet."""
    held = format_html('<p class="held">{}</p>', sheet.held_words) if sheet.held else SafeString()
    if not (table.complete and table.recorded):
        return held
    evening = table.round.evening
    context = {"evening": evening, "next_missing": next_missing(evening, table)}
    return held + render_to_string("league/sheets/_table_done.html", context)


def _show_conflict(desk: Desk[RowForm], current: Deal) -> None:
    """Say what stands now, beside what was typed; sent again, the row replaces it."""
    if current.voided_at is not None:
        desk.form.add_error(None, _("This deal was voided meanwhile, so it can't be revised any more."))
    else:
        desk.form.conflict(current.version, summary(desk.table, current, desk.seats))


def _rows(desk: Desk[RowForm], sheet: ScoreSheet, place: int) -> dict[str, object]:
    """The recorded rows before and after the one that is typed; that of a deal to revise is not among them."""
    rows = coded(desk.game, sheet, desk.form.columns)
    own = desk.deal.pk if desk.deal else None
    return {
        "table": desk.table,
        "game": desk.game,
        "seats": desk.seats,
        "earlier": [row for row in rows if (row.row.deal.number or 0) < place],
        "later": [row for row in rows if (row.row.deal.number or 0) >= place and row.row.deal.pk != own],
        "width": len(desk.form.first_line()) + len(desk.seats) + 2,
        "address": reverse("league:grid", args=[desk.table.pk]),
    }
