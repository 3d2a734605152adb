"""Pages for the organisers of a tournament: its registrations, payments, and the list as paper, export and import."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from league.actions import registrations, tournament_play
from league.actions.refusals import WrongState
from league.imports.queries.list_file import MAX_UPLOADED
from league.models import Finals, Tournament, TournamentUnit
from league.models.table_codes import MAX_ID_DIGITS
from league.models.tournament import TournamentState, UnitState
from league.tournaments.forms.registration import DeskForm, PaymentForm
from league.tournaments.forms.unit_list import UnitListForm
from league.tournaments.queries.unit_list import registration_rows
from league.tournaments.queries.units import (
    DeskRow,
    check_in_words,
    count_units,
    desk_row,
    desk_units,
    must_pay_fee,
    proposed_names,
    sum_payments,
    unit_count_words,
    unit_fee,
    units_matching,
)
from league.web.action_messages import run_action
from league.web.exports import spreadsheet_response
from league.web.htmx import HtmxRequest
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, recordable_or_403
from league.web.numbers import parse_number
from league.web.printing import render_for_paper
from league.web.request_body import accept_file
from players.forms.search import SearchForm
from players.names import without_accents


@login_required
@require_safe
def desk(request: HttpRequest, pk: int) -> HttpResponse:
    """List all registrations with their states and payments. The parameter `q` shows only units whose names match."""
    row = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    context = club_context(row.club, request.user)
    search = SearchForm(request.GET)
    rows = _desk_rows(row)
    matching_units = units_matching([desk_row.unit for desk_row in rows], search.search_text)
    counts = count_units(row)
    context |= {
        "tournament": row,
        "search": search,
        "rows": [desk_row for desk_row in rows if desk_row.unit in matching_units],
        "counts": counts,
        "registered": unit_count_words(row, counts.registered),
        "unnamed": sum(must_pay_fee(row, unit) and not unit.names_public for unit in (line.unit for line in rows)),
        "payments": sum_payments(rows),
        "refunds": [desk_row for desk_row in rows if desk_row.refund_due or desk_row.unit.returned],
    }
    return render(request, "league/tournaments/desk.html", context, status=422 if search.errors else 200)


def _desk_rows(tournament: Tournament) -> list[DeskRow]:
    now = timezone.now()
    units = desk_units(tournament)
    waiting = [unit for unit in units if unit.state == UnitState.WAITING]  # in the order of the waiting list
    numbers = {unit.pk: number for number, unit in enumerate(waiting, 1)}
    return [desk_row(tournament, unit, now)._replace(waiting=numbers.get(unit.pk)) for unit in units]


@login_required
@allow_get_and_post
def add(request: HttpRequest, pk: int) -> HttpResponse:
    """Add a registration, then open the page again for the next one. With `check_in`, also check the players in."""
    row = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    context = club_context(row.club, request.user)
    form = DeskForm(request.POST if request.method == "POST" else None, tournament=row)
    if request.method == "POST" and form.is_valid():
        try:
            unit = registrations.register_at_desk(pk, form.registration(), now=timezone.now())
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            if "check_in" in request.POST and unit.state == UnitState.REGISTERED:
                return _check_in(request, row, unit)
            messages.success(
                request, _("Added: %(unit)s. %(state)s.") % {"unit": unit.title, "state": unit.get_state_display()}
            )
            return redirect("league:unit-add", pk)
    context |= {
        "tournament": row,
        "form": form,
        "names": proposed_names(row.club),
        "can_check_in": row.state == TournamentState.RUNNING and not Finals.objects.filter(tournament=row).exists(),
    }
    return render(request, "league/tournaments/unit_add.html", context, status=422 if form.errors else 200)


def _check_in(request: HttpRequest, row: Tournament, unit: TournamentUnit) -> HttpResponse:
    """Check in a player, pair or team that was just registered.

    If the check-in is refused, show the reason; the registration stays.
    """
    try:
        [unit] = tournament_play.check_in(row.pk, [unit.pk])
    except WrongState as refusal:
        messages.error(request, str(refusal))
    else:
        messages.success(request, check_in_words(row, unit, timezone.now()))
    return redirect("league:tournament-check-in", row.pk)


@login_required
@allow_get_and_post
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    unit = _recordable_unit(request, pk)
    form = DeskForm(request.POST if request.method == "POST" else None, tournament=unit.tournament, unit=unit)
    if request.method == "POST" and form.is_valid():
        try:
            registrations.change(pk, form.registration(), now=timezone.now())
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The registration is changed."))
            return redirect("league:tournament-desk", unit.tournament_id)
    return _render_unit_page(request, unit, form, PaymentForm(unit=unit, fee=unit_fee(unit.tournament, unit)))


def _render_unit_page(request: HttpRequest, unit: TournamentUnit, form: DeskForm, payment: PaymentForm) -> HttpResponse:
    context = club_context(unit.tournament.club, request.user)
    context |= {
        "tournament": unit.tournament,
        "unit": unit,
        "form": form,
        "payment": payment,
        "refund_due": desk_row(unit.tournament, unit, timezone.now()).refund_due,
        "names": proposed_names(unit.tournament.club),
        "partners": _possible_partners(unit) if unit.state == UnitState.SEEKING else [],
    }
    status = 422 if form.errors or payment.errors else 200
    return render(request, "league/tournaments/unit_edit.html", context, status=status)


def _possible_partners(unit: TournamentUnit) -> list[TournamentUnit]:
    """Return the other units (players, pairs or teams) that seek a partner and are small enough to join this unit."""
    seeking = unit.tournament.units.filter(state=UnitState.SEEKING).exclude(pk=unit.pk).with_players()
    free_seats = unit.tournament.unit_size - len(unit.members)
    return [partner for partner in seeking if len(partner.members) <= free_seats]


@login_required
@require_POST
def pay(request: HttpRequest, pk: int) -> HttpResponse:
    unit = _recordable_unit(request, pk)
    form = PaymentForm(request.POST, unit=unit, fee=unit_fee(unit.tournament, unit))
    if not form.is_valid():
        return _render_unit_page(request, unit, DeskForm(tournament=unit.tournament, unit=unit), form)
    cents, kind = form.cleaned_data["amount"], form.cleaned_data["kind"]
    run_action(request, lambda: registrations.record_payment(pk, cents=cents, kind=kind), _("The payment is stored."))
    return redirect("league:tournament-desk", unit.tournament_id)


@login_required
@require_POST
def pay_in_cash(request: HtmxRequest, pk: int) -> HttpResponse:
    """Record that a unit (player, pair or team) has paid its whole fee in cash (`paid` is "yes"), or undo this.

    A request of htmx gets only the row and the sums of the page.
    """
    unit = _recordable_unit(request, pk)
    row, is_paid = unit.tournament, request.POST.get("paid") == "yes"
    at_check_in = request.POST.get("page") == "check-in"
    message = _("%(unit)s: paid in cash.") if is_paid else _("%(unit)s: not paid.")
    problem = ""
    try:
        registrations.record_cash_payment(pk, paid=is_paid)
    except WrongState as refusal:
        problem = str(refusal)
    if not request.htmx:
        (messages.error if problem else messages.success)(request, problem or message % {"unit": unit.title})
        page = "league:tournament-check-in" if at_check_in else "league:tournament-desk"
        return redirect(reverse(page, args=[row.pk]) + f"#unit-{pk}")
    rows = _desk_rows(row)
    context = club_context(row.club, request.user) | {
        "row": next((desk_row for desk_row in rows if desk_row.unit.pk == pk), None),
        "payments": sum_payments(rows),
        "message": problem or message % {"unit": unit.title},
        "is_error": bool(problem),
        "live": True,
    }
    return render(request, "league/tournaments/_unit_answer.html", context)


@login_required
@require_POST
def give_back(request: HttpRequest, pk: int) -> HttpResponse:
    """Record that the club has returned the money for a registration (`returned` is "yes"), or undo this record."""
    unit = _recordable_unit(request, pk)
    is_returned = request.POST.get("returned") == "yes"
    message = _("%(unit)s: the money is returned.") if is_returned else _("%(unit)s: the money is not returned.")
    now = timezone.now()
    run_action(
        request,
        lambda: registrations.record_refund(pk, returned=is_returned, now=now),
        message % {"unit": unit.title},
    )
    return redirect("league:tournament-desk", unit.tournament_id)


@login_required
@require_POST
def cancel(request: HttpRequest, pk: int) -> HttpResponse:
    unit = _recordable_unit(request, pk)
    now = timezone.now()
    message = _("The registration is cancelled. A free place goes to the next of the waiting list.")
    run_action(request, lambda: registrations.cancel(pk, now=now), message)
    return redirect("league:tournament-desk", unit.tournament_id)


@login_required
@require_POST
def approve(request: HttpRequest, pk: int) -> HttpResponse:
    unit = _recordable_unit(request, pk)
    now = timezone.now()
    run_action(request, lambda: registrations.approve(pk, now=now), _("The registration is approved."))
    return redirect("league:tournament-desk", unit.tournament_id)


@login_required
@require_POST
def promote(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a unit (player, pair or team) of the waiting list a place, even if all places are taken."""
    unit = _recordable_unit(request, pk)
    now = timezone.now()
    run_action(request, lambda: registrations.promote_from_waiting_list(pk, now=now), _("The unit has a place now."))
    return redirect("league:tournament-desk", unit.tournament_id)


@login_required
@require_POST
def pair(request: HttpRequest, pk: int) -> HttpResponse:
    unit = _recordable_unit(request, pk)
    partner = parse_number(request.POST.get("partner", ""), max_digits=MAX_ID_DIGITS) or 0
    now = timezone.now()
    run_action(request, lambda: registrations.pair_units(pk, partner, now=now), _("They play together now."))
    return redirect("league:tournament-desk", unit.tournament_id)


@login_required
@require_safe
def printed_registrations(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the printable list for the entrance: registrations by name, then the waiting list in order."""
    row = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)

    def context() -> dict[str, Any]:
        units = desk_units(row)
        registered = (unit for unit in units if unit.state == UnitState.REGISTERED)
        waiting = (unit for unit in units if unit.state == UnitState.WAITING)
        shown_units = [*sorted(registered, key=lambda unit: without_accents(unit.title)), *waiting]
        now = timezone.now()
        return {"tournament": row, "rows": [desk_row(row, unit, now) for unit in shown_units]}

    return render_for_paper(request, row.club, "league/tournaments/unit_paper.html", context)


@login_required
@require_safe
def unit_file(request: HttpRequest, pk: int, extension: str) -> HttpResponse:
    row = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    title = _("Registrations")
    return spreadsheet_response(
        registration_rows(row, desk_units(row)), extension, title, f"{row} {row.date.isoformat()} {title}"
    )


@login_required
@accept_file(MAX_UPLOADED)
@allow_get_and_post
def import_units(request: HttpRequest, pk: int) -> HttpResponse:
    """Preview a list of registrations. A POST with `store` imports it, unless a line is wrong."""
    row = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    context = club_context(row.club, request.user)
    posted = (request.POST, request.FILES) if request.method == "POST" else ()
    form = UnitListForm(*posted, tournament=row)
    new: list[registrations.Registration] = []
    if request.method == "POST" and form.is_valid():
        new = form.new_registrations()
        if "store" in request.POST and not form.invalid_units:
            try:
                units = registrations.register_list(pk, new, now=timezone.now())
            except WrongState as refusal:
                messages.error(request, str(refusal))
            else:
                message = ngettext("%(count)s registration is new.", "%(count)s registrations are new.", len(units))
                messages.success(request, message % {"count": len(units)})
            return redirect("league:tournament-desk", pk)
    titles = [" – ".join(entry.name for entry in registration.entries) for registration in new]
    context |= {"tournament": row, "form": form, "titles": titles}
    return render(request, "league/tournaments/import_units.html", context, status=422 if form.errors else 200)


def _recordable_unit(request: HttpRequest, pk: int) -> TournamentUnit:
    units = TournamentUnit.objects.select_related("tournament__club").with_players()
    return recordable_or_403(units, request.user, pk=pk)
