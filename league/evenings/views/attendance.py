from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST
from django_htmx.http import HttpResponseClientRedirect

from league.actions import attendance as attendance_actions
from league.actions import clubs, evenings, people
from league.actions.refusals import WrongState
from league.evenings.forms.attendance import (
    AttendanceForm,
    CheckInForm,
    CheckInSearchForm,
    GuestForm,
    GuestNameForm,
    IntentionForm,
)
from league.evenings.queries import checkin
from league.models import Attendance, Evening
from league.models.evening import UNFINISHED_STATES
from league.seasons.queries.season_game import game_of_season
from league.web.action_messages import run_action
from league.web.htmx import HtmxRequest
from league.web.lookups import club_context, collectable_or_403, recordable_or_403, visible_or_404
from league.web.printing import render_for_paper

BLANK_GUEST_LINES = 6  # on the printed list, for unexpected guests


@login_required
def attendance(request: HtmxRequest, pk: int) -> HttpResponse:
    evening = collectable_or_403(Evening.objects.with_season(), request.user, pk=pk)
    if evening.season.tournament_id is not None:
        return redirect("league:tournament-check-in", evening.season.tournament_id)
    if request.htmx:
        context = {
            **_list_context(request, evening),
            "cash_box": checkin.cash_box(evening),
            "live": True,
        }
        # Also with an error the status is 200, because htmx would not show the response otherwise.
        return render(request, "league/evenings/_people.html", context)
    return _render_page(request, evening, GuestForm(club=evening.season.club))


def _render_page(request: HtmxRequest, evening: Evening, form: GuestForm) -> HttpResponse:
    context = {**_list_context(request, evening), "cash_box": checkin.cash_box(evening), "form": form}
    search = context["search"]
    assert isinstance(search, CheckInSearchForm)
    focused = form.fields["name"] if form.errors else search.fields["q"]
    focused.widget.attrs["autofocus"] = True
    status = 422 if form.errors or search.errors else 200
    return render(request, "league/evenings/attendance.html", context, status=status)


def _list_context(request: HtmxRequest, evening: Evening) -> dict[str, object]:
    filter_labels = {
        checkin.SHOW_ALL: _("Everyone"),
        checkin.SHOW_PRESENT: _("There"),
        checkin.SHOW_ABSENT: _("Not there"),
    }
    context = _context(request, evening)
    # A treasurer looks for people who have to pay.
    default_filter = checkin.SHOW_ALL if context["can_record"] else checkin.SHOW_PRESENT
    search = CheckInSearchForm(request.GET, may_change=bool(context["may_change"]))
    typed, show = search.search_text, request.GET.get("show", default_filter)
    return {
        **context,
        "search": search,
        "typed": typed,
        "show": show if show in filter_labels else default_filter,
        "shows": filter_labels,
        "search_result": checkin.SearchResult() if search.errors else checkin.search_people(evening, typed, show),
    }


def _context(request: HtmxRequest, evening: Evening) -> dict[str, object]:
    club = club_context(evening.season.club, request.user)
    return {
        **club,
        "evening": evening,
        "may_change": evening.state in UNFINISHED_STATES and club["can_record"],
        "next_round": attendance_actions.next_round_number(evening),
    }


@login_required
@require_POST
def record_own_intention(request: HtmxRequest, pk: int) -> HttpResponse:
    evening = visible_or_404(Evening.objects.with_season(), request.user, pk=pk)
    membership = evening.season.club.memberships.filter(player__user=request.user.pk, login_unconfirmed=False).first()
    if membership is None:
        raise PermissionDenied
    form = IntentionForm(request.POST)
    if form.is_valid():
        player_id, comes = membership.player_id, form.cleaned_data["comes"]
        run_action(request, lambda: attendance_actions.record_intention(pk, player_id, comes=comes))
    else:
        messages.error(request, _("Say whether you come or not."))
    pages = {"home": reverse("league:home"), "club": evening.season.club.get_absolute_url()}
    page = pages.get(request.POST.get("back", ""), evening.get_absolute_url())
    return redirect(f"{page}#comes-{evening.pk}")


@login_required
@require_POST
def add_attendance(request: HtmxRequest, pk: int) -> HttpResponse:
    evening = recordable_or_403(Evening.objects.with_season(), request.user, pk=pk)
    try:
        return _add_guest(request, evening) if "name" in request.POST else _check_in(request, evening)
    except WrongState as refusal:
        return _respond_with_error(request, evening, str(refusal))
    except attendance_actions.NotClubMembers:
        return _respond_with_error(request, evening, _("The club’s people changed meanwhile. Look at the list again."))


def _check_in(request: HtmxRequest, evening: Evening) -> HttpResponse:
    form = CheckInForm(request.POST, evening=evening)
    if not form.is_valid():
        return _respond_with_error(request, evening, str(form.errors["players"][0]))
    players = list(form.cleaned_data["players"])
    with_plan_note = _plan_note(evening)
    new = len(attendance_actions.check_in(evening.pk, [player.pk for player in players]))
    if len(players) == 1:
        message = _("%(player)s is there.")
        if request.POST.get("paid") == "yes":  # check-in and payment were recorded while the device had no network
            attendance_actions.set_paid(evening.attendances.get(player=players[0]).pk, paid=True)
            message = _("%(player)s is there and has paid.")
        return _respond_with_person(
            request, evening, players[0].pk, with_plan_note(message % {"player": players[0]}), undo="mark"
        )
    message = ngettext("%(count)d checked in.", "%(count)d checked in.", new) % {"count": new}
    messages.success(request, with_plan_note(message))
    return redirect("league:attendance", evening.pk)


def _add_guest(request: HtmxRequest, evening: Evening) -> HttpResponse:
    club = evening.season.club
    form = GuestForm(request.POST, club=club)
    with clubs.lock_club(club):
        if not form.is_valid():
            return _render_page(request, evening, form)
        with_plan_note = _plan_note(evening)
        guest = people.check_in_guest(evening, form.cleaned_data["name"])
    message = _("%(player)s is checked in as a guest.") % {"player": guest}
    messages.success(request, with_plan_note(message))
    return redirect("league:attendance", evening.pk)


@login_required
@require_POST
def remove_attendance(request: HtmxRequest, pk: int) -> HttpResponse:
    row = _attendance_or_403(request, pk)
    with_plan_note = _plan_note(row.evening)
    try:
        gone = people.check_out_guest(row.pk)
    except attendance_actions.StillSeated:
        return _respond_with_error(
            request, row.evening, _("%(player)s has a seat in this evening, and stays.") % {"player": row.player}, row
        )
    except WrongState as refusal:
        return _respond_with_error(request, row.evening, str(refusal), row)
    if gone:
        message = _("%(player)s is no longer checked in. This guest never played and is removed from the club.")
        return _respond_guest_removed(request, row, with_plan_note(message % {"player": row.player}))
    message = with_plan_note(_("%(player)s is no longer checked in.") % {"player": row.player})
    return _respond_with_person(request, row.evening, row.player_id, message, undo="mark")


@login_required
@require_POST
def mark_paid(request: HtmxRequest, pk: int) -> HttpResponse:
    row, is_paid = _attendance_or_403(request, pk, collectable_or_403), request.POST.get("paid") == "yes"
    message = _("%(player)s has paid.") if is_paid else _("%(player)s has not paid.")
    return _change_attendance(
        request,
        row,
        lambda: attendance_actions.set_paid(row.pk, paid=is_paid),
        message % {"player": row.player},
        undo="paid",
    )


@login_required
@require_POST
def mark_leaving(request: HtmxRequest, pk: int) -> HttpResponse:
    row, leaves = _attendance_or_403(request, pk), request.POST.get("leaves") == "yes"
    message = _("%(player)s leaves early.") if leaves else _("%(player)s stays.")
    return _change_attendance(
        request, row, lambda: attendance_actions.set_leaving(row.pk, leaves=leaves), message % {"player": row.player}
    )


@login_required
def edit_attendance(request: HtmxRequest, pk: int) -> HttpResponse:
    row = _attendance_or_403(request, pk)
    has_pairs = game_of_season(row.evening.season).has_pairs
    form = AttendanceForm(None, attendance=row, has_pairs=has_pairs)
    if request.method == "POST":
        with evenings.lock_evening(row.evening_id):
            row.refresh_from_db(fields=AttendanceForm.attendance_fields)
            form = AttendanceForm(request.POST, attendance=row, has_pairs=has_pairs)
            with_plan_note = _plan_note(row.evening)
            if form.is_valid() and _store_attendance(row, form):
                message = _("%(player)s's evening is changed.") % {"player": row.player}
                messages.success(request, with_plan_note(message))
                return redirect("league:attendance", row.evening_id)
    context = {**_context(request, row.evening), "row": row, "form": form}
    return render(request, "league/evenings/attendance_edit.html", context, status=422 if form.errors else 200)


def _store_attendance(row: Attendance, form: AttendanceForm) -> bool:
    """Store the fields that the user changed. Return False, with an error in the form, if they are refused."""
    try:
        attendance_actions.change(row.pk, {name: form.cleaned_data[name] for name in form.changed_data})
    except attendance_actions.PartnerNotAvailable:
        form.add_error("partner", _("This player has come with somebody else."))
    except WrongState as refusal:
        form.add_error(None, str(refusal))
    else:
        return True
    return False


@login_required
def rename_guest(request: HtmxRequest, pk: int) -> HttpResponse:
    row = _attendance_or_403(request, pk)
    names = {"given_name": row.player.given_name, "family_name": row.player.family_name}
    form = GuestNameForm(request.POST if request.method == "POST" else None, initial=names)
    back = reverse("league:evening-close" if "close" in request.GET else "league:attendance", args=[row.evening_id])
    if request.method == "POST" and form.is_valid():
        try:
            guest = people.correct_guest_name(row.pk, **form.cleaned_data)
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The guest is known as %(player)s.") % {"player": guest})
            return redirect(back)
    context = {**_context(request, row.evening), "row": row, "form": form, "back": back}
    return render(request, "league/evenings/guest_name.html", context, status=422 if form.errors else 200)


def _attendance_or_403(
    request: HtmxRequest, pk: int, evening_or_403: Callable[..., Evening] = recordable_or_403
) -> Attendance:
    row = get_object_or_404(Attendance.objects.select_related("player"), pk=pk)
    row.evening = evening_or_403(Evening.objects.with_season(), request.user, pk=row.evening_id)
    return row


def _plan_note(evening: Evening) -> Callable[[str], str]:
    """Return a function that adds a note to a message if the planned rounds were deleted since this call."""
    had_plan = evening.rounds.planned().exists()

    def with_plan_note(message: str) -> str:
        if not had_plan or evening.rounds.planned().exists():
            return message
        note = _("The planned rounds no longer fit and are dropped: draw them again.")
        return f"{message} {note}"

    return with_plan_note


def _change_attendance(
    request: HtmxRequest, row: Attendance, action: Callable[[], Attendance], message: str, *, undo: str = ""
) -> HttpResponse:
    with_plan_note = _plan_note(row.evening)
    try:
        action()
    except WrongState as refusal:
        return _respond_with_error(request, row.evening, str(refusal), row)
    return _respond_with_person(request, row.evening, row.player_id, with_plan_note(message), undo=undo)


def _respond_with_person(
    request: HtmxRequest, evening: Evening, player_id: int, message: str, *, undo: str = "", is_error: bool = False
) -> HttpResponse:
    """Respond with the person's new row of the list, or redirect to the list if there is no row or no htmx.

    `undo` is the name of the button that undoes the change; "" if there is none.
    """
    back = reverse("league:attendance", args=[evening.pk])
    person = checkin.find_check_in_person(evening, player_id) if request.htmx else None
    if person is None:  # for htmx: the player has left the club, and is checked out now
        (messages.error if is_error else messages.success)(request, message)
        return HttpResponseClientRedirect(back) if request.htmx else redirect(f"{back}#person-{player_id}")
    context = {
        **_context(request, evening),
        "person": person,
        "cash_box": checkin.cash_box(evening),
        "message": message,
        "live": True,
        "undo": undo,
        "is_error": is_error,
    }
    return render(request, "league/evenings/_person_answer.html", context)


def _respond_guest_removed(request: HtmxRequest, row: Attendance, message: str) -> HttpResponse:
    if not request.htmx:
        messages.success(request, message)
        return redirect("league:attendance", row.evening_id)
    guest = f"{row.player.given_name} {row.player.family_name}".strip()
    context = {
        **_context(request, row.evening),
        "cash_box": checkin.cash_box(row.evening),
        "message": message,
        "guest": guest,
    }
    return render(request, "league/evenings/_row_gone.html", {**context, "live": True})


def _respond_with_error(
    request: HtmxRequest, evening: Evening, message: str, row: Attendance | None = None
) -> HttpResponse:
    if row is not None:
        return _respond_with_person(request, evening, row.player_id, message, is_error=True)
    messages.error(request, message)
    back = reverse("league:attendance", args=[evening.pk])
    return HttpResponseClientRedirect(back) if request.htmx else redirect(back)


@login_required
def attendance_list(request: HtmxRequest, pk: int) -> HttpResponse:
    evening = collectable_or_403(Evening.objects.with_season(), request.user, pk=pk)

    def context() -> dict[str, Any]:
        return {
            "evening": evening,
            "lines": checkin.check_in_list_lines(evening),
            "empty_lines": range(BLANK_GUEST_LINES),
        }

    return render_for_paper(request, evening.season.club, "league/evenings/attendance_list.html", context)
