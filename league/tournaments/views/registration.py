"""Pages for visitors without an account: register for a tournament, and read or cancel a registration."""

from __future__ import annotations

from allauth.core.ratelimit import consume
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league.actions import registrations
from league.actions.refusals import WrongState
from league.evenings.queries.own_seats import current_seats
from league.models import Seat, Tournament, TournamentUnit, visible
from league.models.tournament import TournamentState, UnitState
from league.tournaments.forms.registration import RegistrationForm
from league.tournaments.queries.playing_units import evening_of, unit_player_ids
from league.tournaments.queries.registration_links import UnreadableLink, read_link, registration_token
from league.tournaments.queries.units import count_units, fee_words, unit_count_words, waiting_list_number
from league.tournaments.views.tournaments import visitor_context
from league.web.action_messages import run_action
from league.web.http_methods import allow_get_and_post
from league.web.lookups import visible_or_404
from players.models import Player

TOO_MANY_REQUESTS = 429


@never_cache
@allow_get_and_post
def register(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the registration form for visitors. A POST registers; IP addresses and tournaments have rate limits."""
    row = visible_or_404(Tournament.objects.with_club(), request.user, pk=pk)
    context = visitor_context(request, row)
    now = timezone.now()
    if not row.accepts_registrations(now):
        return render(request, "league/tournaments/registration_closed.html", context, status=200)
    player = _own_player(request, row)
    form = RegistrationForm(request.POST if request.method == "POST" else None, tournament=row, player=player)
    status = 200
    if request.method == "POST":
        if not consume(request, action="tournament_registration", key=str(row.pk)):
            form.add_error(None, _("So many registrations at once can't be right. Try again in an hour."))
            status = TOO_MANY_REQUESTS
        elif form.is_valid():
            try:
                unit = registrations.register(pk, form.registration(), client_key=form.cleaned_data["key"], now=now)
            except WrongState as refusal:
                form.add_error(None, str(refusal))
            else:
                messages.success(request, _("Your registration has arrived. An e-mail confirms it."))
                return redirect("league:registration", registration_token(unit))
    counts = count_units(row)
    context |= {"form": form, "counts": counts, "free": unit_count_words(row, counts.free), "fee": fee_words(row)}
    if form.errors and status == 200:
        status = 422
    return render(request, "league/tournaments/register.html", context, status=status)


def _own_player(request: HttpRequest, row: Tournament) -> Player | None:
    """Return the user's player if the player is in the tournament's club, else None."""
    if not request.user.is_authenticated:
        return None
    return visible.players_of(row.club).filter(user=request.user).select_related("user").first()


def _current_seats(unit: TournamentUnit) -> list[Seat]:
    """Return the seats of the registered players in the current round; [] if the tournament is not being played."""
    if unit.state != UnitState.REGISTERED or unit.tournament.state != TournamentState.RUNNING:
        return []
    return current_seats([evening_of(unit.tournament)], unit_player_ids(unit))


@never_cache
@allow_get_and_post
def registration(request: HttpRequest, token: str) -> HttpResponse:
    """Show the registration that the signed token names. A POST cancels the registration."""
    try:
        link = read_link(token)
    except UnreadableLink:
        raise Http404 from None
    units = TournamentUnit.objects.select_related("tournament__club").with_players()
    unit = get_object_or_404(units, pk=link.unit, link_key=link.key)
    context = visitor_context(request, unit.tournament)
    if request.method == "POST":
        run_action(request, lambda: registrations.cancel(unit.pk, now=timezone.now()))
        return redirect("league:registration", token)
    now = timezone.now()
    context |= {
        "unit": unit,
        "fee": fee_words(unit.tournament),
        "token": token,
        "number": waiting_list_number(unit) if unit.state == UnitState.WAITING else None,
        "may_cancel": unit.state != UnitState.CANCELLED and not (unit.number or unit.tournament.is_over(now)),
        "own_seats": _current_seats(unit),
        "is_seen": Tournament.objects.visible_to(request.user).filter(pk=unit.tournament_id).exists(),
    }
    return render(request, "league/tournaments/registration.html", context)
