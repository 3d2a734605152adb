from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Max, Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import seating as seating_actions
from league.actions.attendance import NotClubMembers
from league.actions.refusals import WrongState
from league.evenings.forms.seating import ChangedSeatsForm, NewTableForm, SeatChoices, SeatsForm, seat_choices
from league.models import Evening, Round, Table, visible
from league.models.evening import UNFINISHED_STATES, EveningState
from league.seasons.queries.season_game import game_of_season
from league.web.action_messages import run_action
from league.web.lookups import club_context, recordable_or_403

MIN_SIZE_WITH_REST = 4  # smallest table with a player who sits out each deal; a database constraint has the same number


@login_required
def seating(request: HttpRequest, pk: int) -> HttpResponse:
    evening = recordable_or_403(Evening.objects.with_season(), request.user, pk=pk)
    rounds = list(evening.rounds.accepted().prefetch_related(Prefetch("tables", Table.objects.with_seats())))
    context = {
        **_context(request, evening),
        "rounds": rounds,
        "next_round": max((round_.number for round_ in rounds), default=0) + 1,
        "sizes": sorted(evening.season.table_sizes),
        "present": evening.attendances.count(),
        "may_add": evening.state in UNFINISHED_STATES,
    }
    return render(request, "league/evenings/seating.html", context)


@login_required
def add_table(request: HttpRequest, pk: int) -> HttpResponse:
    """Add a table by hand.

    `?size=` is its number of seats, `?round=` the number of an existing round or of the next.
    """
    evening = recordable_or_403(Evening.objects.with_season(), request.user, pk=pk)
    sizes = sorted(evening.season.table_sizes)
    last = evening.rounds.accepted().aggregate(last=Max("number"))["last"] or 0
    size = _chosen_number(sizes, request.GET.get("size"), sizes[0])
    number = _chosen_number(range(1, last + 2), request.GET.get("round"), max(last, 1))
    form = _new_table_form(request, evening, number, size)
    if form.is_valid():
        rests = form.cleaned_data.get("one_rests", False)
        if _write_seats(
            form, lambda: seating_actions.add_table(evening.pk, number, form.players, with_resting_player=rests)
        ):
            messages.success(request, _("The table is set in round %(round)s.") % {"round": number})
            return redirect("league:seating", evening.pk)
    context = {**_context(request, evening), "form": form, "number": number, "size": size, "sizes": sizes}
    return render(request, "league/evenings/table_add.html", context, status=422 if form.errors else 200)


@login_required
def change_seats(request: HttpRequest, pk: int) -> HttpResponse:
    table = recordable_or_403(Table.objects.with_club().with_seats(), request.user, pk=pk)
    evening = table.round.evening
    form = _changed_seats_form(request, table)
    if form.is_valid():
        reason, now = form.cleaned_data.get("reason", ""), timezone.now()
        if _write_seats(form, lambda: seating_actions.change_seats(table.pk, form.players, now=now, reason=reason)):
            if form.players != [seat.player_id for seat in table.seats.all()]:
                messages.success(request, _("The players of %(table)s are changed.") % {"table": table})
            return redirect(table)
    context = {**_context(request, evening), "form": form, "table": table}
    return render(request, "league/evenings/table_seats.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def remove_table(request: HttpRequest, pk: int) -> HttpResponse:
    table = recordable_or_403(Table.objects.with_club(), request.user, pk=pk)
    message = _("%(table)s of round %(round)s is gone.") % {"table": table, "round": table.round.number}
    run_action(request, lambda: seating_actions.remove_table(table.pk), message)
    return redirect("league:seating", table.round.evening_id)


def _context(request: HttpRequest, evening: Evening) -> dict[str, object]:
    return {**club_context(evening.season.club, request.user), "evening": evening}


def _chosen_number(numbers: Collection[int], typed: str | None, usual: int) -> int:
    return next((number for number in numbers if str(number) == typed), usual)


def _write_seats(form: SeatsForm, write: Callable[[], Table]) -> bool:
    try:
        write()
    except seating_actions.AlreadySeated as already_seated:  # by another request
        form.add_already_seated_error(already_seated)
    except NotClubMembers:
        form.add_error(None, _("One of these players has left the club."))
    except seating_actions.WrongTableSize:
        form.add_error(None, _("The table has another number of seats."))
    except WrongState as refusal:
        form.add_error(None, str(refusal))
    return form.is_valid()


def _new_table_form(request: HttpRequest, evening: Evening, number: int, size: int) -> NewTableForm:
    season = evening.season
    round_ = Round.objects.filter(evening=evening, number=number).first()
    table_numbers = seating_actions.table_numbers_by_player(round_) if round_ else {}
    return NewTableForm(
        request.POST or None,
        choices=_seat_choices(evening, table_numbers),
        size=size,
        table_numbers=table_numbers,
        may_rest=size >= MIN_SIZE_WITH_REST and game_of_season(season).may_rest,
        initial={"one_rests": size == season.resting_size},
    )


def _changed_seats_form(request: HttpRequest, table: Table) -> ChangedSeatsForm:
    evening, seats = table.round.evening, list(table.seats.all())
    table_numbers = seating_actions.table_numbers_by_player(table.round, excluded_table=table.pk)
    return ChangedSeatsForm(
        request.POST or None,
        choices=_seat_choices(evening, table_numbers),
        size=len(seats),
        table_numbers=table_numbers,
        needs_reason=evening.state == EveningState.CLOSED or seating_actions.has_points(table, seats),
        initial={f"seat_{seat.number}": seat.player_id for seat in seats},
    )


def _seat_choices(evening: Evening, table_numbers: Mapping[int, int]) -> SeatChoices:
    present = [row.player for row in evening.attendances.select_related("player")]
    absent_players = visible.players_of(evening.season.club).exclude(attendances__evening=evening)
    return seat_choices(present, absent_players, table_numbers)
