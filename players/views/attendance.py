"""Who is at an evening: ticked from the club's people, or a guest typed in."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from league import attending
from league.models import Attendance, Club, Evening, Membership, Seat
from league.models.evening import EveningState, WrongState
from league.views.finding import frame, recordable
from players import roster
from players.forms.attendance import CheckInForm
from players.forms.people import GuestForm
from players.models import Player

FOUND = 60  # at most so many names at once


@login_required
def attendance(request: HttpRequest, pk: int) -> HttpResponse:
    """Who is there, and who might be."""
    evening = recordable(Evening.objects.with_season(), request.user, pk=pk)
    if request.htmx:  # type: ignore[attr-defined]  # django-htmx puts it on every request
        return render(request, "players/_found.html", _found(evening, request))
    return _page(request, evening, GuestForm(club=evening.season.club))


def _page(request: HttpRequest, evening: Evening, form: GuestForm) -> HttpResponse:
    seated = Seat.objects.filter(round__evening=evening, player=OuterRef("player"))
    context = {
        **frame(evening.season.club, request.user),
        "evening": evening,
        "present": list(evening.attendances.select_related("player").annotate(seated=Exists(seated))),
        "may_change": evening.state in (EveningState.PLANNED, EveningState.OPEN),
        "form": form,
        **_found(evening, request),
    }
    return render(request, "players/attendance.html", context)


def _found(evening: Evening, request: HttpRequest) -> dict[str, object]:
    """The club's people who aren't there yet, as far as the typed words find them or they are ticked already."""
    typed = request.GET.get("q", "").strip()
    ticked = {int(each) for each in request.GET.getlist("players") if each.isdecimal()}
    absent = Membership.objects.filter(club=evening.season.club).exclude(
        player__in=evening.attendances.values("player")
    )
    found = absent.filter(player__in=Player.objects.found_by(typed)) | absent.filter(player__in=ticked)
    rows = list(found.select_related("player")[: FOUND + 1])
    return {"evening": evening, "typed": typed, "ticked": ticked, "found": rows[:FOUND], "more": len(rows) > FOUND}


@login_required
@require_POST
def add(request: HttpRequest, pk: int) -> HttpResponse:
    """Check in those who are ticked, or a guest by name."""
    evening = recordable(Evening.objects.with_season(), request.user, pk=pk)
    try:
        return _add_guest(request, evening) if "name" in request.POST else _check_in(request, evening)
    except WrongState as wrong:
        messages.error(request, str(wrong))
        return redirect("players:attendance", evening.pk)


def _check_in(request: HttpRequest, evening: Evening) -> HttpResponse:
    form = CheckInForm(request.POST, evening=evening)
    if not form.is_valid():
        messages.error(request, str(form.errors["players"][0]))
        return redirect("players:attendance", evening.pk)
    new = len(attending.check_in(evening.pk, [player.pk for player in form.cleaned_data["players"]]))
    messages.success(request, ngettext("%(count)d checked in.", "%(count)d checked in.", new) % {"count": new})
    return redirect("players:attendance", evening.pk)


def _add_guest(request: HttpRequest, evening: Evening) -> HttpResponse:
    club = evening.season.club
    form = GuestForm(request.POST, club=club)
    with Club.objects.held(club):
        if not form.is_valid():
            return _page(request, evening, form)
        guest = roster.check_in_guest(evening, form.cleaned_data["name"])
    messages.success(request, _("%(player)s is checked in as a guest.") % {"player": guest})
    return redirect("players:attendance", evening.pk)


@login_required
@require_POST
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a check-in back."""
    row = _attendance(request, pk)
    try:
        attending.check_out(row.pk)
    except attending.StillSeated:
        messages.error(request, _("%(player)s has a seat in this evening, and stays.") % {"player": row.player})
    except WrongState as wrong:
        messages.error(request, str(wrong))
    else:
        messages.success(request, _("%(player)s is no longer checked in.") % {"player": row.player})
    return redirect("players:attendance", row.evening_id)


def _attendance(request: HttpRequest, pk: int) -> Attendance:
    """The row, if the reader may enter results of its evening; 403 or 404 as for the evening itself."""
    row = get_object_or_404(Attendance.objects.select_related("player"), pk=pk)
    recordable(Evening.objects.all(), request.user, pk=row.evening_id)
    return row
