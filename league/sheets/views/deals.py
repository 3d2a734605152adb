"""Pages that record, explain, revise and void a deal. Preview and saving use the same code (scoring.entry)."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from league.actions import deals
from league.actions.refusals import StaleVersion, WrongState
from league.models import Deal, Table
from league.seasons.queries.season_game import game_of_season
from league.sheets.forms.sheet_write import SheetWriteForm
from league.sheets.queries.deal_history import deal_history
from league.sheets.queries.deal_scores import is_readable
from league.sheets.queries.score_sheet import deal_summary, explanation, first_unreadable_deal_before
from league.sheets.views.confirmation import add_success_message, redirect_if_locked
from league.sheets.views.contests import may_contest
from league.sheets.views.deal_entry import (
    DealEntryRequest,
    entry_to_show,
    is_final_submission,
    parse_deal_form,
    parse_deal_request,
    write_deal,
)
from league.web.charts import waterfall_bars
from league.web.htmx import HtmxRequest
from league.web.lookups import club_context, recordable_or_403, visible_or_404
from scoring.entry import entry_context
from scoring.facts_form import FactsForm
from scoring.phrases import Explanation


def deal(request: HtmxRequest, pk: int) -> HttpResponse:
    deal = visible_or_404(Deal.objects.with_table(), request.user, pk=pk)
    club = club_context(deal.table.round.evening.season.club, request.user)
    seats = list(deal.table.seats.select_related("player"))
    context = {
        **club,
        "can_write": club["can_record"] and deal.table.is_editable and deal.voided_at is None,
        "deal": deal,
        "table": deal.table,
        "game": game_of_season(deal.table.round.evening.season),
        "explanation": (explained := explanation(deal, seats)),
        "waterfall": _waterfall(explained) if explained else None,
        "before": None if explained or not is_readable(deal.table, deal) else first_unreadable_deal_before(deal),
        "summary": deal_summary(deal.table, deal, seats),
        "resting": [str(seat.player) for seat in seats if seat.number in deal.rests],
        "changes": deal_history(deal, seats),
        "contests": (contests := list(deal.contests.select_related("player"))),
        "can_contest": may_contest(deal, contests, request.user),
    }
    return render(request, "league/sheets/deal.html", context)


def _waterfall(explained: Explanation) -> dict[str, object] | None:
    """Return a waterfall chart of the seat with the largest gain or loss, for example the taker.

    Return None for fewer than two bars, or if the lines do not add up to the points.
    """
    seat = max(explained.seats, key=lambda seat: abs(seat.points))
    gained = [dict(line.points).get(seat.name, 0) for line in explained.lines]
    if sum(points != 0 for points in gained) < 2 or sum(gained) != seat.points:
        return None
    bars = waterfall_bars(gained)
    return {
        "seat": seat,
        "bars": bars,
        "rows": list(zip(explained.lines, bars.bars[:-1], gained, strict=True)),
        "total_bar": bars.bars[-1],
    }


@login_required
def record_deal(request: HtmxRequest, pk: int) -> HttpResponse:
    table = recordable_or_403(Table.objects.with_club(), request.user, pk=pk)
    if back := redirect_if_locked(request, table):
        return back
    if not game_of_season(table.round.evening.season).has_deals:
        return redirect("league:table-totals", pk)
    deal_request = parse_deal_request(request, parse_deal_form, table, number=request.GET.get("number", ""))
    if is_final_submission(request) and write_deal(deal_request).is_written:
        add_success_message(request, table, _("The deal is recorded."))
        next_form = reverse("league:deal-record", args=[table.pk])
        return redirect(next_form if "another" in request.POST else table.get_absolute_url())
    return _render(request, deal_request, {"inserted": deal_request.is_insertion, "another": True})


@login_required
def revise_deal(request: HtmxRequest, pk: int) -> HttpResponse:
    """Revise a deal. If another user has changed the deal in the meantime, show both versions and overwrite nothing."""
    deal = recordable_or_403(Deal.objects.with_table(), request.user, pk=pk)
    if deal.voided_at is not None and request.method != "POST":
        return redirect(deal)
    if back := redirect_if_locked(request, deal.table):
        return back
    deal_request = parse_deal_request(request, parse_deal_form, deal.table, deal=deal)
    conflict = None
    if is_final_submission(request):
        outcome = write_deal(deal_request)
        if outcome.is_written:
            add_success_message(request, deal.table, _("The deal is revised."))
            contest = deal.contests.unanswered().first()
            return redirect("league:contest-answer", contest.pk) if contest else redirect(deal)
        conflict = outcome.conflicting_deal and _conflict_context(deal_request, outcome.conflicting_deal)
    return _render(
        request, deal_request, {"deal": deal, "current": conflict, "readable": is_readable(deal.table, deal)}
    )


@login_required
def void_deal(request: HtmxRequest, pk: int) -> HttpResponse:
    deal = recordable_or_403(Deal.objects.with_table(), request.user, pk=pk)
    if deal.voided_at is not None:
        return redirect(deal)
    if back := redirect_if_locked(request, deal.table):
        return back
    form = SheetWriteForm(request.POST or None, reason_needed=deal.table.requires_reason, seen_version=deal.version)
    if request.method == "POST" and form.is_valid():
        try:
            deals.void(
                pk,
                client_key=form.idempotency_key,
                seen_version=form.cleaned_data["seen_version"] or 0,
                now=timezone.now(),
                reason=form.cleaned_data["reason"],
            )
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        except StaleVersion:
            form.add_error(None, _("This deal was changed meanwhile. Look at it again before you void it."))
            form.set_seen_version(deal.version)
        else:
            add_success_message(request, deal.table, _("The deal is voided. Its facts are kept below the sheet."))
            return redirect(deal.table)
    seats = list(deal.table.seats.select_related("player"))
    context = {
        **club_context(deal.table.round.evening.season.club, request.user),
        "deal": deal,
        "table": deal.table,
        "summary": deal_summary(deal.table, deal, seats),
        "explanation": explanation(deal, seats),
        "form": form,
    }
    return render(request, "league/sheets/deal_void.html", context, status=422 if form.errors else 200)


def _conflict_context(deal_request: DealEntryRequest[FactsForm], current: Deal) -> dict[str, object]:
    return {
        "deal": current,
        "explanation": None if current.voided_at else explanation(current, deal_request.seats),
        "summary": deal_summary(deal_request.table, current, deal_request.seats),
    }


def _render(
    request: HtmxRequest, deal_request: DealEntryRequest[FactsForm], extra: Mapping[str, object]
) -> HttpResponse:
    is_preview = bool(request.htmx)
    context = {
        **entry_context(deal_request.game, deal_request.form, entry_to_show(deal_request), is_preview=is_preview),
        "write_form": deal_request.write_form,
        "deal_number": deal_request.deal_number,
        "action": request.get_full_path(),
        **({} if is_preview else club_context(deal_request.table.round.evening.season.club, request.user)),
        "table": deal_request.table,
        **extra,
    }
    template = "league/sheets/_deal_form.html" if is_preview else "league/sheets/deal_form.html"
    has_errors = not is_preview and bool(deal_request.form.errors or deal_request.write_form.errors)
    return render(request, template, context, status=422 if has_errors else 200)
