"""Check-in: who is at an evening, since when, and whether the fee is paid. A guest is typed in."""

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

from league.actions import attendance as attending
from league.actions import clubs, people
from league.actions.refusals import WrongState
from league.evenings.forms.attendance import (
    AttendanceForm,
    CheckInForm,
    CheckInSearch,
    ComesForm,
    GuestForm,
    GuestNameForm,
)
from league.evenings.queries import checkin
from league.models import Attendance, Evening
from league.models.evening import NOT_OVER
from league.web.finding import collectable, frame, recordable, seen
from league.web.htmx import HtmxRequest
from league.web.printing import on_paper
from scoring.game import find_game

EMPTY_LINES = 6  # for those who come unannounced


@login_required
def attendance(request: HtmxRequest, pk: int) -> HttpResponse:
    """The club's people by when they were last seen; one touch marks who is there, another that the fee is paid."""
    evening = collectable(Evening.objects.with_season(), request.user, pk=pk)
    if request.htmx:
        context = {**_list(request, evening), "box": checkin.box(evening), "live": True}  # an error, too, is swapped in
        return render(request, "league/evenings/_people.html", context)
    return _page(request, evening, GuestForm(club=evening.season.club))


def _page(request: HtmxRequest, evening: Evening, form: GuestForm) -> HttpResponse:
    context = {**_list(request, evening), "box": checkin.box(evening), "form": form}
    search = context["search"]
    assert isinstance(search, CheckInSearch)
    focused = form.fields["name"] if form.errors else search.fields["q"]
    focused.widget.attrs["autofocus"] = True
    status = 422 if form.errors or search.errors else 200
    return render(request, "league/evenings/attendance.html", context, status=status)


def _list(request: HtmxRequest, evening: Evening) -> dict[str, object]:
    shows = {checkin.EVERYONE: _("Everyone"), checkin.THERE: _("There"), checkin.ABSENT: _("Not there")}
    context = _context(request, evening)
    first = checkin.EVERYONE if context["can_record"] else checkin.THERE  # who only takes fees looks for those who pay
    search = CheckInSearch(request.GET, may_change=bool(context["may_change"]))
    typed, show = search.search_text, request.GET.get("show", first)
    return {
        **context,
        "search": search,
        "typed": typed,
        "show": show if show in shows else first,
        "shows": shows,
        "found": checkin.Found() if search.errors else checkin.find(evening, typed, show),
    }


def _context(request: HtmxRequest, evening: Evening) -> dict[str, object]:
    club = frame(evening.season.club, request.user)
    return {
        **club,
        "evening": evening,
        "may_change": evening.state in NOT_OVER and club["can_record"],
        "next_round": attending.next_round(evening),
    }


@login_required
@require_POST
def answer(request: HtmxRequest, pk: int) -> HttpResponse:
    """Keep whether the reader means to come; he goes on at home, or where the evening is."""
    evening = seen(Evening.objects.with_season(), request.user, pk=pk)
    own = evening.season.club.memberships.filter(player__user=request.user.pk, login_unconfirmed=False).first()
    if own is None:
        raise PermissionDenied
    form = ComesForm(request.POST)
    try:
        if form.is_valid():
            attending.answer(pk, own.player_id, comes=form.cleaned_data["comes"])
        else:
            messages.error(request, _("Say whether you come or not."))
    except WrongState as wrong:
        messages.error(request, str(wrong))
    pages = {"home": reverse("league:home"), "club": evening.season.club.get_absolute_url()}
    return redirect(pages.get(request.POST.get("back", ""), evening.get_absolute_url()))


@login_required
@require_POST
def add(request: HtmxRequest, pk: int) -> HttpResponse:
    """Check in those who are named, or a guest by name."""
    evening = recordable(Evening.objects.with_season(), request.user, pk=pk)
    try:
        return _add_guest(request, evening) if "name" in request.POST else _check_in(request, evening)
    except WrongState as wrong:
        return _refused(request, evening, str(wrong))
    except attending.NotOfClub:
        return _refused(request, evening, _("The club’s people changed meanwhile. Look at the list again."))


def _check_in(request: HtmxRequest, evening: Evening) -> HttpResponse:
    form = CheckInForm(request.POST, evening=evening)
    if not form.is_valid():
        return _refused(request, evening, str(form.errors["players"][0]))
    players = list(form.cleaned_data["players"])
    planned = _is_planned(evening)
    new = len(attending.check_in(evening.pk, [player.pk for player in players]))
    if len(players) == 1:
        return _answer(
            request,
            evening,
            players[0].pk,
            _dropped(evening, planned, _("%(player)s is there.") % {"player": players[0]}),
            undo="mark",
        )
    said = ngettext("%(count)d checked in.", "%(count)d checked in.", new) % {"count": new}
    messages.success(request, _dropped(evening, planned, said))
    return redirect("league:attendance", evening.pk)


def _add_guest(request: HtmxRequest, evening: Evening) -> HttpResponse:
    club = evening.season.club
    form = GuestForm(request.POST, club=club)
    with clubs.locked(club):
        if not form.is_valid():
            return _page(request, evening, form)
        planned = _is_planned(evening)
        guest = people.check_in_guest(evening, form.cleaned_data["name"])
    said = _("%(player)s is checked in as a guest.") % {"player": guest}
    messages.success(request, _dropped(evening, planned, said))
    return redirect("league:attendance", evening.pk)


@login_required
@require_POST
def remove(request: HtmxRequest, pk: int) -> HttpResponse:
    """Take a check-in back; a guest who never played goes with it."""
    row = _attendance(request, pk)
    planned = _is_planned(row.evening)
    try:
        gone = people.take_off(row.pk)
    except attending.StillSeated:
        return _refused(
            request, row.evening, _("%(player)s has a seat in this evening, and stays.") % {"player": row.player}, row
        )
    except WrongState as wrong:
        return _refused(request, row.evening, str(wrong), row)
    if gone:
        said = _("%(player)s is no longer checked in. This guest never played and is removed from the club.")
        return _without_row(request, row, _dropped(row.evening, planned, said % {"player": row.player}))
    return _answer(
        request,
        row.evening,
        row.player_id,
        _dropped(row.evening, planned, _("%(player)s is no longer checked in.") % {"player": row.player}),
        undo="mark",
    )


@login_required
@require_POST
def paid(request: HtmxRequest, pk: int) -> HttpResponse:
    """The fee is paid, or is not."""
    row, yes = _attendance(request, pk, collectable), request.POST.get("paid") == "yes"
    said = _("%(player)s has paid.") if yes else _("%(player)s has not paid.")
    return _marked(request, row, lambda: attending.pay(row.pk, paid=yes), said % {"player": row.player}, undo="paid")


@login_required
@require_POST
def leaving(request: HtmxRequest, pk: int) -> HttpResponse:
    """The player leaves after the round that is played, or stays after all."""
    row, yes = _attendance(request, pk), request.POST.get("leaves") == "yes"
    said = _("%(player)s leaves early.") if yes else _("%(player)s stays.")
    return _marked(request, row, lambda: attending.leave(row.pk, leaves=yes), said % {"player": row.player})


@login_required
def edit(request: HtmxRequest, pk: int) -> HttpResponse:
    """Rounds, amounts, a fixed table, a partner."""
    row = _attendance(request, pk)
    pairs = find_game(row.evening.season.game).has_pairs
    form = AttendanceForm(request.POST if request.method == "POST" else None, row=row, pairs=pairs)
    if request.method == "POST" and form.is_valid():
        planned = _is_planned(row.evening)
        try:
            attending.change(row.pk, form.cleaned_data)
        except attending.NotPresent:
            form.add_error("partner", _("This player has come with somebody else."))
        except WrongState as wrong:
            form.add_error(None, str(wrong))
        else:
            said = _("%(player)s's evening is changed.") % {"player": row.player}
            messages.success(request, _dropped(row.evening, planned, said))
            return redirect("league:attendance", row.evening_id)
    context = {**_context(request, row.evening), "row": row, "form": form}
    return render(request, "league/evenings/attendance_edit.html", context, status=422 if form.errors else 200)


@login_required
def name(request: HtmxRequest, pk: int) -> HttpResponse:
    """Correct a guest's name, then go on at check-in, or (`?close`) with closing the evening."""
    row = _attendance(request, pk)
    known = {"given_name": row.player.given_name, "family_name": row.player.family_name}
    form = GuestNameForm(request.POST if request.method == "POST" else None, initial=known)
    back = reverse("league:evening-close" if "close" in request.GET else "league:attendance", args=[row.evening_id])
    if request.method == "POST" and form.is_valid():
        try:
            guest = people.correct_guest_name(row.pk, **form.cleaned_data)
        except WrongState as wrong:
            form.add_error(None, str(wrong))
        else:
            messages.success(request, _("The guest is known as %(player)s.") % {"player": guest})
            return redirect(back)
    context = {**_context(request, row.evening), "row": row, "form": form, "back": back}
    return render(request, "league/evenings/guest_name.html", context, status=422 if form.errors else 200)


def _attendance(request: HtmxRequest, pk: int, allowed: Callable[..., Evening] = recordable) -> Attendance:
    """Find the row, if the reader is `allowed` to act on its evening; 403 or 404 as for the evening itself."""
    row = get_object_or_404(Attendance.objects.select_related("player"), pk=pk)
    row.evening = allowed(Evening.objects.with_season(), request.user, pk=row.evening_id)
    return row


def _is_planned(evening: Evening) -> bool:
    return bool(evening.rounds.planned().exists())


def _dropped(evening: Evening, planned: bool, said: str) -> str:
    """What was done, and that the planned rounds went with it where they did."""
    if not planned or _is_planned(evening):
        return said
    dropped = _("The planned rounds no longer fit and are dropped: draw them again.")
    return f"{said} {dropped}"


def _marked(
    request: HtmxRequest, row: Attendance, action: Callable[[], Attendance], said: str, *, undo: str = ""
) -> HttpResponse:
    planned = _is_planned(row.evening)
    try:
        action()
    except WrongState as wrong:
        return _refused(request, row.evening, str(wrong), row)
    return _answer(request, row.evening, row.player_id, _dropped(row.evening, planned, said), undo=undo)


def _answer(
    request: HtmxRequest, evening: Evening, player_id: int, said: str, *, undo: str = "", wrong: bool = False
) -> HttpResponse:
    """To a script the row that was touched, the sums, and what was done; else the page with a message.

    `undo` names the row's button that takes it back.
    """
    if not request.htmx:
        (messages.error if wrong else messages.success)(request, said)
        return redirect(reverse("league:attendance", args=[evening.pk]) + f"#person-{player_id}")
    context = {
        **_context(request, evening),
        "person": checkin.one(evening, player_id),
        "box": checkin.box(evening),
        "said": said,
        "live": True,
        "undo": undo,
        "wrong": wrong,
    }
    return render(request, "league/evenings/_person_answer.html", context)


def _without_row(request: HtmxRequest, row: Attendance, said: str) -> HttpResponse:
    """Answer that somebody is no longer on the list: to a script nothing in the row's place; else the page."""
    if not request.htmx:
        messages.success(request, said)
        return redirect("league:attendance", row.evening_id)
    guest = f"{row.player.given_name} {row.player.family_name}".strip()
    context = {**_context(request, row.evening), "box": checkin.box(row.evening), "said": said, "guest": guest}
    return render(request, "league/evenings/_row_gone.html", {**context, "live": True})


def _refused(request: HtmxRequest, evening: Evening, why: str, row: Attendance | None = None) -> HttpResponse:
    if row is not None:
        return _answer(request, evening, row.player_id, why, wrong=True)
    messages.error(request, why)
    back = reverse("league:attendance", args=[evening.pk])
    return HttpResponseClientRedirect(back) if request.htmx else redirect(back)


@login_required
def attendance_list(request: HtmxRequest, pk: int) -> HttpResponse:
    """Who is there, to be ticked and signed; before anyone has come, the club's people."""
    evening = collectable(Evening.objects.with_season(), request.user, pk=pk)

    def context() -> dict[str, Any]:
        return {"evening": evening, "lines": checkin.printed_lines(evening), "empty_lines": range(EMPTY_LINES)}

    return on_paper(request, evening.season.club, "league/evenings/attendance_list.html", context)
