"""Pages of tournaments of several clubs: the organiser invites clubs, and their secretaries register members."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.actions import registrations, tournaments
from league.actions.refusals import WrongState
from league.models import Tournament, TournamentClub, TournamentUnit
from league.models.table_codes import MAX_ID_DIGITS
from league.models.tournament import UnitState
from league.tournaments.forms.clubs import ClubUnitForm, InvitationForm
from league.tournaments.queries.announcement import announcement_context
from league.tournaments.queries.invitations import clubs_to_invite, participating_clubs
from league.web.action_messages import run_action
from league.web.http_methods import allow_get_and_post
from league.web.lookups import club_context, recordable_or_403
from league.web.numbers import parse_number


@login_required
@allow_get_and_post
def clubs(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the participating clubs. A POST invites a club; with `remove` (an id), it deletes an invitation."""
    row = recordable_or_403(Tournament.objects.with_club(), request.user, pk=pk)
    context = club_context(row.club, request.user)
    removed_club = parse_number(request.POST.get("remove", ""), max_digits=MAX_ID_DIGITS)
    if removed_club is not None:
        run_action(request, lambda: tournaments.remove_club(pk, removed_club))
        return redirect("league:tournament-clubs", pk)
    form = InvitationForm(request.POST if request.method == "POST" else None, clubs=clubs_to_invite(row, request.user))
    if form.is_valid():
        try:
            invitation = tournaments.invite_club(pk, form.cleaned_data["club"])
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("%(club)s is invited.") % {"club": invitation})
            return redirect("league:tournament-clubs", pk)
    context |= {"tournament": row, "form": form, "clubs": participating_clubs(row)}
    return render(request, "league/tournaments/clubs.html", context, status=422 if form.errors else 200)


@login_required
@allow_get_and_post
def invitation(request: HttpRequest, pk: int) -> HttpResponse:
    """Show an invited club the players, pairs or teams that it has registered. A POST registers one more."""
    row: TournamentClub = recordable_or_403(TournamentClub.objects.with_clubs(), request.user, pk=pk)
    context = _invitation_context(request, row)
    now = timezone.now()
    form = ClubUnitForm(request.POST if request.method == "POST" else None, invitation=row)
    if form.is_valid():
        try:
            unit = registrations.register_by_club(pk, form.registration(), client_key=form.cleaned_data["key"], now=now)
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(
                request, _("Added: %(unit)s. %(state)s.") % {"unit": unit.title, "state": unit.get_state_display()}
            )
            return redirect(row)
    context |= {
        **announcement_context(row.tournament, now),
        "form": form,
        "units": list(row.units.filter(by_club=True).order_by("registered_at", "pk").with_players()),
        "may_cancel": not row.tournament.is_over(now),
    }
    return render(request, "league/tournaments/invitation.html", context, status=422 if form.errors else 200)


def _invitation_context(request: HttpRequest, row: TournamentClub) -> dict[str, Any]:
    assert row.club is not None  # the invitations of deleted clubs are not recordable
    return {
        **club_context(row.club, request.user),
        "invitation": row,
        "tournament": row.tournament,
        "organiser": row.tournament.club,
    }


@login_required
@allow_get_and_post
def edit_unit(request: HttpRequest, pk: int) -> HttpResponse:
    row, unit = _club_unit(request, pk)
    context = _invitation_context(request, row)
    form = ClubUnitForm(request.POST if request.method == "POST" else None, invitation=row, unit=unit)
    if form.is_valid():
        try:
            registrations.change_by_club(pk, form.registration(), now=timezone.now())
        except WrongState as refusal:
            form.add_error(None, str(refusal))
        else:
            messages.success(request, _("The registration is changed."))
            return redirect(row)
    context |= {"form": form, "unit": unit}
    return render(request, "league/tournaments/club_unit.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def cancel_unit(request: HttpRequest, pk: int) -> HttpResponse:
    row, unit = _club_unit(request, pk)
    message = _("The registration is cancelled. A free place goes to the next of the waiting list.")
    run_action(request, lambda: registrations.cancel(unit.pk, now=timezone.now()), message)
    return redirect(row)


def _club_unit(request: HttpRequest, pk: int) -> tuple[TournamentClub, TournamentUnit]:
    """Return the unit (player, pair or team) with id `pk` and the invitation of the club that registered it.

    Raise Http404 if no club registered the unit or it is cancelled, PermissionDenied if the user may not record results
    for this club.
    """
    units = TournamentUnit.objects.filter(by_club=True).exclude(state=UnitState.CANCELLED)
    unit: TournamentUnit = get_object_or_404(units.with_players(), pk=pk)
    invitation: TournamentClub = recordable_or_403(
        TournamentClub.objects.with_clubs(), request.user, pk=unit.plays_for_id
    )
    return invitation, unit
