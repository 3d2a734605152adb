"""Registration of units (players, pairs or teams) for a tournament, by visitors, by clubs and at the desk.

Each action locks the tournament's row first: if two visitors want the last place at the same time, the second gets on
the waiting list.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.actions import audit, registration_emails
from league.actions.people import is_guest_of_only, rename_guest
from league.actions.refusals import WrongState
from league.actions.tournament_ranks import update_final_ranks
from league.actions.tournaments import lock_tournament
from league.actions.waiting_list import fill_places, free_places, give_place
from league.models import Membership, Tournament, TournamentClub, TournamentUnit, UnitPlayer
from league.models.audit_entry import AuditEvent
from league.models.rights import Right, roles_with_right
from league.models.tournament import PaymentKind, TournamentState, UnitState
from league.tournaments.queries.units import desk_row, unit_fee
from players.names import split_name

MAX_REGISTRATIONS: Final = 1_000  # of a tournament, in all states except cancelled: a limit for hostile registrations


class PlayerEntry(NamedTuple):
    """A player in a registration. `player_id` is None for a person outside the club."""

    name: str
    email: str = ""
    phone: str = ""
    player_id: int | None = None


class Registration(NamedTuple):
    """The content of a registration: the players (`entries`), the name of the pair or team, and the user's choices.

    With `seeks_partner` players are missing, and the organisers add a partner. `club_id` is the id of the
    TournamentClub for which the players play.
    """

    entries: Sequence[PlayerEntry]
    name: str = ""
    names_public: bool = False
    seeks_partner: bool = False
    language: str = ""
    club_id: int | None = None


class NotClubMember(WrongState):
    """A player is not a member of the tournament's club, or of the invited club that registers the player."""

    def __init__(self) -> None:
        super().__init__(_("One of these players is not a member of the club any more."))


@transaction.atomic
def register(tournament_id: int, registration: Registration, *, client_key: UUID, now: datetime) -> TournamentUnit:
    """Register a visitor's unit (player, pair or team) for a tournament, and confirm the registration by email.

    A repeated request with the same `client_key` registers once. Raise WrongState if the registration is closed.
    """
    tournament = lock_tournament(tournament_id)
    earlier: TournamentUnit | None = tournament.units.filter(client_key=client_key).first()
    if earlier is not None:
        return earlier
    if not tournament.accepts_registrations(now):
        raise WrongState(_("The registration is closed."))
    state = UnitState.PENDING if tournament.by_approval else _state_of_new_unit(tournament)
    if registration.seeks_partner:
        state = UnitState.SEEKING
    unit = _create_unit(tournament, registration, state, now=now, client_key=client_key)
    registration_emails.notify_registered(tournament, unit, now=now)
    _log_unit(AuditEvent.UNIT_REGISTERED, tournament, unit)
    return unit


@transaction.atomic
def register_by_club(club_id: int, registration: Registration, *, client_key: UUID, now: datetime) -> TournamentUnit:
    """Register a unit (player, pair or team) of members of an invited club, for the secretary of that club.

    `club_id` is the id of a TournamentClub. A repeated request with the same `client_key` registers once. Raise
    WrongState or NotClubMember.
    """
    club = TournamentClub.objects.get(pk=club_id)
    tournament = lock_tournament(club.tournament_id)
    earlier: TournamentUnit | None = tournament.units.filter(client_key=client_key).first()
    if earlier is not None:
        return earlier
    if not tournament.accepts_registrations(now):
        raise WrongState(_("The registration is closed."))
    _check_members(tournament, club, registration)
    state = UnitState.PENDING if tournament.by_approval else _state_of_new_unit(tournament)
    unit = _create_unit(
        tournament, registration._replace(club_id=club.pk), state, now=now, client_key=client_key, club=club
    )
    registration_emails.notify_registered(tournament, unit, now=now)
    _log_unit(AuditEvent.UNIT_REGISTERED, tournament, unit, club=club.name)
    return unit


@transaction.atomic
def change_by_club(unit_id: int, registration: Registration, *, now: datetime) -> TournamentUnit:
    """Replace the content of a registration that an invited club has made, for the secretary of that club.

    Raise WrongState or NotClubMember.
    """
    tournament, unit = _lock_unit(unit_id)
    club = unit.plays_for
    if (
        club is None
        or not unit.by_club
        or not tournament.accepts_registrations(now)
        or unit.state == UnitState.CANCELLED
    ):
        raise WrongState(_("The registration is closed."))
    _check_members(tournament, club, registration, unit)
    unit.name, unit.names_public = registration.name, registration.names_public
    unit.save(update_fields=["name", "names_public"])
    unit.players.all().delete()
    _add_players(tournament, unit, registration.entries)
    _log_unit(AuditEvent.UNIT_CHANGED, tournament, unit, club=club.name)
    return unit


def _check_members(
    tournament: Tournament, club: TournamentClub, registration: Registration, unit: TournamentUnit | None = None
) -> None:
    """Raise NotClubMember if a player is not a member of the club, or there are too few different players.

    Raise WrongState if one of the players is registered already. `unit` is the registration that is changed: its
    players count as not registered.
    """
    players = [entry.player_id for entry in registration.entries]
    members = Membership.objects.filter(club=club.club_id, player__in=players, role__in=roles_with_right(Right.READ))
    if None in players or members.count() < len(set(players)) or len(set(players)) < tournament.unit_size:
        raise NotClubMember
    other_units = tournament.units.not_cancelled().exclude(pk__in=[unit.pk] if unit else [])
    if UnitPlayer.objects.filter(unit__in=other_units, player__in=players).exists():
        raise WrongState(_("One of these players is registered already."))


@transaction.atomic
def register_at_desk(tournament_id: int, registration: Registration, *, now: datetime) -> TournamentUnit:
    """Register a unit (player, pair or team) for the organisers, and confirm the registration by email.

    This is possible also after the end of the registration. Raise WrongState or NotClubMember.
    """
    tournament = lock_tournament(tournament_id)
    state = UnitState.SEEKING if registration.seeks_partner else _state_of_new_unit(tournament)
    unit = _create_unit(tournament, registration, state, now=now, at_desk=True)
    registration_emails.notify_registered(tournament, unit, now=now)
    _log_unit(AuditEvent.UNIT_REGISTERED, tournament, unit)
    return unit


@transaction.atomic
def register_list(tournament_id: int, registrations: Sequence[Registration], *, now: datetime) -> list[TournamentUnit]:
    """Register the players, pairs or teams of a list, without emails. Raise WrongState or NotClubMember."""
    tournament = lock_tournament(tournament_id)
    units = [
        _create_unit(
            tournament,
            registration,
            UnitState.SEEKING if registration.seeks_partner else _state_of_new_unit(tournament),
            now=now,
            at_desk=True,
        )
        for registration in registrations
    ]
    if units:
        audit.log_tournament(AuditEvent.UNITS_IMPORTED, tournament, count=len(units))
    return units


@transaction.atomic
def change(unit_id: int, registration: Registration, *, now: datetime) -> TournamentUnit:
    """Replace the content of a registration. Raise WrongState or NotClubMember.

    If it was seeking a partner and is complete now, it gets a place or waits, and its players get an email. If it
    seeks a partner now, its place goes to the next of the waiting list.
    """
    tournament, unit = _lock_unit(unit_id)
    was_seeking = unit.state == UnitState.SEEKING
    if unit.number is not None:
        registration = _with_same_players(tournament, unit, registration)
    if unit.state != UnitState.CANCELLED and registration.seeks_partner != was_seeking:
        unit.state = UnitState.SEEKING if registration.seeks_partner else _state_of_new_unit(tournament)
    earlier = unit.members
    unit.name, unit.names_public = registration.name, registration.names_public
    if not unit.by_club:
        unit.plays_for_id = registration.club_id
    unit.save(update_fields=["name", "names_public", "plays_for", "state"])
    unit.players.all().delete()
    _add_players(tournament, unit, registration.entries, earlier)
    if was_seeking and unit.state != UnitState.SEEKING:
        registration_emails.notify_registered(tournament, tournament.units.with_players().get(pk=unit_id), now=now)
    elif unit.state == UnitState.SEEKING and not was_seeking:
        fill_places(tournament, now=now)
    if tournament.state == TournamentState.FINISHED:
        update_final_ranks([tournament.pk])
    _log_unit(AuditEvent.UNIT_CHANGED, tournament, unit)
    return unit


def _with_same_players(tournament: Tournament, unit: TournamentUnit, registration: Registration) -> Registration:
    """Return the changed registration of a checked-in unit, with the players of the unit.

    A changed name corrects the record of a player who is a guest of this club only. If the guest was in the club before
    the tournament, only accents, case or order of the name may change, since another name may mean another person.
    Raise WrongState for other players: without its players, the unit and its opponents would lose their results.
    """
    members, entries = unit.members, list(registration.entries)
    if registration.seeks_partner or len(entries) != len(members):
        raise WrongState(_("%(unit)s is checked in, and must be complete.") % {"unit": unit.title})
    for index, (entry, member) in enumerate(zip(entries, members, strict=True)):
        same_players = (None, member.player_id) if member.added_as_guest else (member.player_id,)
        if member.player is None or entry.player_id not in same_players:
            continue
        if entry.name != member.name:
            if not is_guest_of_only(tournament.club, member.player):
                continue
            rename_guest(tournament.club, member.player.pk, *split_name(entry.name))
        entries[index] = entry._replace(player_id=member.player.pk)
    if {entry.player_id for entry in entries} != {member.player_id for member in members}:
        raise WrongState(
            _("%(unit)s is checked in: its players stay. Correct a name on the person’s page.") % {"unit": unit.title}
        )
    return registration._replace(entries=entries)


@transaction.atomic
def approve(unit_id: int, *, now: datetime) -> TournamentUnit:
    """Approve a pending registration: give it a place or put it on the waiting list, and email its players.

    Raise WrongState.
    """
    tournament, unit = _lock_unit(unit_id)
    if unit.state == UnitState.PENDING:
        unit.state = _state_of_new_unit(tournament)
        unit.save(update_fields=["state"])
        registration_emails.notify_registered(tournament, unit, now=now)
        _log_unit(AuditEvent.UNIT_APPROVED, tournament, unit)
    return unit


@transaction.atomic
def promote_from_waiting_list(unit_id: int, *, now: datetime) -> TournamentUnit:
    """Give a waiting player, pair or team a place, even if all places are taken, and email the players.

    Raise WrongState.
    """
    tournament, unit = _lock_unit(unit_id)
    if unit.state == UnitState.WAITING:
        give_place(tournament, unit, now=now)
        _log_unit(AuditEvent.UNIT_PROMOTED, tournament, unit)
    return unit


@transaction.atomic
def pair_units(unit_id: int, partner_id: int, *, now: datetime) -> TournamentUnit:
    """Combine two registrations that seek a partner into one, and email the players. Raise WrongState.

    The second registration is deleted. The names are public only if both registrations agreed to it.
    """
    tournament, unit = _lock_unit(unit_id)
    partner: TournamentUnit | None = tournament.units.filter(pk=partner_id).with_players().first()
    if partner is None or partner.pk == unit.pk or {unit.state, partner.state} != {UnitState.SEEKING}:
        raise WrongState(_("One of the two no longer looks for a partner."))
    members = [*unit.members, *partner.members]
    entries = [PlayerEntry(row.name, row.email, row.phone, row.player_id) for row in members]
    if len(entries) > tournament.unit_size:
        raise WrongState(_("Together they are too many."))
    unit.names_public = unit.names_public and partner.names_public
    unit.name = unit.name or partner.name
    unit.paid, unit.payment_kind = unit.paid + partner.paid, unit.payment_kind or partner.payment_kind
    unit.returned += partner.returned
    if len(entries) == tournament.unit_size:
        unit.state = _state_of_new_unit(tournament)
    unit.save(update_fields=["names_public", "name", "paid", "payment_kind", "returned", "state"])
    partner.delete()
    unit.players.all().delete()
    _add_players(tournament, unit, entries, members)
    unit = TournamentUnit.objects.with_players().get(pk=unit.pk)
    registration_emails.notify_registered(tournament, unit, now=now)
    _log_unit(AuditEvent.UNITS_PAIRED, tournament, unit)
    return unit


@transaction.atomic
def record_payment(unit_id: int, *, cents: int, kind: str) -> TournamentUnit:
    """Store `cents` as the sum of all payments of a unit (player, pair or team), and the kind of payment.

    Raise WrongState, for example if the sum is less than the amount that was returned to the unit.
    """
    tournament, unit = _lock_unit(unit_id)
    if cents < unit.returned:
        raise WrongState(_("More than this amount was returned already."))
    unit.paid, unit.payment_kind = cents, kind if cents else ""
    unit.save(update_fields=["paid", "payment_kind"])
    _log_unit(AuditEvent.UNIT_PAID, tournament, unit, paid=cents)
    return unit


@transaction.atomic
def record_cash_payment(unit_id: int, *, paid: bool) -> TournamentUnit:
    """Record that the whole fee of a registration was paid in cash, or undo this; a repeated request does nothing.

    Raise WrongState if another payment was recorded meanwhile.
    """
    tournament, unit = _lock_unit(unit_id)
    fee_cents = unit_fee(tournament, unit)
    payments = [(0, ""), (fee_cents, PaymentKind.CASH.value)]
    payment = (unit.paid, unit.payment_kind)
    if payment not in payments or unit.returned or unit.state == UnitState.CANCELLED:
        raise WrongState(_("This registration or its payment was changed meanwhile."))
    if fee_cents and payment != payments[paid]:
        unit.paid, unit.payment_kind = payments[paid]
        unit.save(update_fields=["paid", "payment_kind"])
        _log_unit(AuditEvent.UNIT_PAID, tournament, unit, paid=unit.paid)
    return unit


@transaction.atomic
def record_refund(unit_id: int, *, returned: bool, now: datetime) -> TournamentUnit:
    """Record that the club has returned all money that it owed to a unit (player, pair or team), or undo this.

    This is possible also in a cancelled tournament. Raise WrongState if the personal data of its registrations were
    deleted.
    """
    tournament, unit = _lock_unit(unit_id, even_cancelled=True)
    before = unit.returned
    unit.returned = before + desk_row(tournament, unit, now).refund_due if returned else 0
    if unit.returned != before:
        unit.save(update_fields=["returned"])
        _log_unit(AuditEvent.UNIT_REFUNDED, tournament, unit, returned=unit.returned)
    return unit


@transaction.atomic
def cancel(unit_id: int, *, now: datetime) -> TournamentUnit:
    """Cancel a registration, and email its players. The next registration of the waiting list gets the place.

    A repeated request does nothing. Raise WrongState if the tournament is over, or if the unit is checked in: without
    it, its opponents would lose their results.
    """
    tournament, unit = _lock_unit(unit_id)
    if tournament.is_over(now):
        raise WrongState(_("The tournament is over."))
    if unit.number is not None:
        raise WrongState(
            _("%(unit)s is checked in: it can leave, or the desk can undo its check-in.") % {"unit": unit.title}
        )
    if unit.state != UnitState.CANCELLED:
        unit.state = UnitState.CANCELLED
        unit.save(update_fields=["state"])
        registration_emails.notify_cancelled(tournament, unit)
        promoted = fill_places(tournament, now=now)
        _log_unit(AuditEvent.UNIT_CANCELLED, tournament, unit, promoted=[row.pk for row in promoted])
    return unit


def _lock_unit(unit_id: int, *, even_cancelled: bool = False) -> tuple[Tournament, TournamentUnit]:
    """Lock the tournament of a unit (player, pair or team), and return it with the unit. Raise WrongState."""
    tournament_id = TournamentUnit.objects.values_list("tournament", flat=True).get(pk=unit_id)
    tournament = lock_tournament(tournament_id, even_cancelled=even_cancelled)
    unit: TournamentUnit | None = tournament.units.filter(pk=unit_id).with_players().first()
    if unit is None:
        raise WrongState(_("This registration was joined to another one meanwhile."))
    return tournament, unit


def _state_of_new_unit(tournament: Tournament) -> UnitState:
    """Return the state of a new unit (player, pair or team): registered if there is a free place, else waiting.

    While the tournament is being played, the number of places is no limit: the organisers decide.
    """
    has_place = tournament.state == TournamentState.RUNNING or free_places(tournament) > 0
    return UnitState.REGISTERED if has_place else UnitState.WAITING


def _create_unit(
    tournament: Tournament,
    registration: Registration,
    state: UnitState,
    *,
    now: datetime,
    at_desk: bool = False,
    client_key: UUID | None = None,
    club: TournamentClub | None = None,
) -> TournamentUnit:
    """Create a unit (player, pair or team) in this state, with its players.

    `club` is the invited club that registers the unit, or None.
    """
    if tournament.units.not_cancelled().count() >= MAX_REGISTRATIONS:
        raise WrongState(_("So many registrations can't be right. Write to the club."))
    unit = TournamentUnit.objects.create(
        tournament=tournament,
        state=state,
        name=registration.name,
        names_public=registration.names_public,
        language=registration.language,
        at_desk=at_desk,
        registered_at=now,
        queued_at=now,
        client_key=client_key,
        plays_for_id=registration.club_id,
        by_club=club is not None,
    )
    _add_players(tournament, unit, registration.entries)
    return unit


def _add_players(
    tournament: Tournament, unit: TournamentUnit, entries: Sequence[PlayerEntry], earlier: Sequence[UnitPlayer] = ()
) -> None:
    """Add players to a unit (player, pair or team). Raise WrongState if they are too many.

    Raise NotClubMember for a player outside the tournament's club, unless an invited club registers the unit.
    `earlier` are the players that the unit had before a change: they are always allowed.
    """
    if len(entries) > tournament.unit_size:
        raise WrongState(_("Together they are too many."))
    players = {entry.player_id for entry in entries} - {None, *(member.player_id for member in earlier)}
    if not unit.by_club and Membership.objects.filter(club=tournament.club_id, player__in=players).count() < len(
        players
    ):
        raise NotClubMember
    guests = {member.player_id for member in earlier if member.added_as_guest}
    UnitPlayer.objects.bulk_create(
        UnitPlayer(unit=unit, position=position, added_as_guest=entry.player_id in guests, **entry._asdict())
        for position, entry in enumerate(entries, 1)
    )


def _log_unit(event: AuditEvent, tournament: Tournament, unit: TournamentUnit, **params: Any) -> None:
    audit.log_tournament(event, tournament, unit=unit.pk, **params)
