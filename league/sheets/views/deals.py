"""A deal: record, explain, revise, void. The form's preview and its saving go the same way (scoring.entry)."""

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
from league.sheets.forms.desk import DeskForm
from league.sheets.queries.deal_history import changes
from league.sheets.queries.deal_scores import is_readable
from league.sheets.queries.score_sheet import explanation, summary, unreadable_before
from league.sheets.views.confirmation import confirm, not_now
from league.sheets.views.contests import may_contest
from league.sheets.views.deal_entry import Desk, form_reader, is_sent, read_desk, shown_entry, write
from league.web.finding import frame, recordable, seen
from league.web.htmx import HtmxRequest
from scoring.entry import entry_context
from scoring.facts_form import FactsForm
from scoring.game import find_game


def deal(request: HtmxRequest, pk: int) -> HttpResponse:
    """The explanation, line by line, and the deal's history."""
    found = seen(Deal.objects.with_table(), request.user, pk=pk)
    club = frame(found.table.round.evening.season.club, request.user)
    seats = list(found.table.seats.select_related("player"))
    context = {
        **club,
        "can_write": club["can_record"] and found.table.may_be_written and found.voided_at is None,
        "deal": found,
        "table": found.table,
        "game": find_game(found.table.round.evening.season.game),
        "explanation": (explained := explanation(found, seats)),
        "before": None if explained or not is_readable(found.table, found) else unreadable_before(found),
        "summary": summary(found.table, found, seats),
        "resting": [str(seat.player) for seat in seats if seat.number in found.rests],
        "changes": changes(found, seats),
        "contests": (contests := list(found.contests.select_related("player"))),
        "can_contest": may_contest(found, contests, request.user),
    }
    return render(request, "league/sheets/deal.html", context)


@login_required
def record(request: HtmxRequest, pk: int) -> HttpResponse:
    """A new deal, as the last one or (`?number=3`) before the one that has that number."""
    table = recordable(Table.objects.with_club(), request.user, pk=pk)
    if back := not_now(request, table):
        return back
    desk = read_desk(request, form_reader, table, number=request.GET.get("number", ""))
    if is_sent(request) and write(desk).is_done:
        confirm(request, table, _("The deal is recorded."))
        again = reverse("league:deal-record", args=[table.pk])
        return redirect(again if "another" in request.POST else table.get_absolute_url())
    return _answer(request, desk, {"inserted": desk.inserted, "another": True})


@login_required
def revise(request: HtmxRequest, pk: int) -> HttpResponse:
    """Correct a deal; if someone else did meanwhile, show both and overwrite nothing."""
    found = recordable(Deal.objects.with_table(), request.user, pk=pk)
    if found.voided_at is not None and request.method != "POST":
        return redirect(found)
    if back := not_now(request, found.table):
        return back
    desk = read_desk(request, form_reader, found.table, deal=found)
    current = None
    if is_sent(request):
        outcome = write(desk)
        if outcome.is_done:
            confirm(request, found.table, _("The deal is revised."))
            contest = found.contests.waiting().first()
            return redirect("league:contest-answer", contest.pk) if contest else redirect(found)
        current = outcome.current and _conflict(desk, outcome.current)
    return _answer(request, desk, {"deal": found, "current": current, "readable": is_readable(found.table, found)})


@login_required
def void(request: HtmxRequest, pk: int) -> HttpResponse:
    """Cancel a deal: asked for once, with a reason where the evening is closed."""
    found = recordable(Deal.objects.with_table().standing(), request.user, pk=pk)
    if back := not_now(request, found.table):
        return back
    form = DeskForm(request.POST or None, reason_needed=found.table.wants_reason, seen_version=found.version)
    if request.method == "POST" and form.is_valid():
        try:
            deals.void(
                pk,
                client_key=form.key,
                seen_version=form.cleaned_data["seen_version"] or 0,
                now=timezone.now(),
                reason=form.cleaned_data["reason"],
            )
        except WrongState as wrong:
            form.add_error(None, str(wrong))
        except StaleVersion:
            form.add_error(None, _("This deal was changed meanwhile. Look at it again before you void it."))
            form.saw(found.version)
        else:
            confirm(request, found.table, _("The deal is voided. Its facts are kept below the sheet."))
            return redirect(found.table)
    seats = list(found.table.seats.select_related("player"))
    context = {
        **frame(found.table.round.evening.season.club, request.user),
        "deal": found,
        "table": found.table,
        "summary": summary(found.table, found, seats),
        "explanation": explanation(found, seats),
        "form": form,
    }
    return render(request, "league/sheets/deal_void.html", context, status=422 if form.errors else 200)


def _conflict(desk: Desk[FactsForm], current: Deal) -> dict[str, object]:
    """What stands now, to be shown beside what was typed; sending again means to replace it."""
    return {
        "deal": current,
        "explanation": None if current.voided_at else explanation(current, desk.seats),
        "summary": summary(desk.table, current, desk.seats),
    }


def _answer(request: HtmxRequest, desk: Desk[FactsForm], more: Mapping[str, object]) -> HttpResponse:
    """The page, or to htmx the form alone."""
    live = bool(request.htmx)
    context = {
        **entry_context(desk.game, desk.form, shown_entry(desk), live=live),
        "own": desk.own,
        "place": desk.place,
        "action": request.get_full_path(),
        **({} if live else frame(desk.table.round.evening.season.club, request.user)),
        "table": desk.table,
        **more,
    }
    template = "league/sheets/_deal_form.html" if live else "league/sheets/deal_form.html"
    wrong = not live and bool(desk.form.errors or desk.own.errors)
    return render(request, template, context, status=422 if wrong else 200)
