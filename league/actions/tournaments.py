"""Actions on a tournament before its day: create, change, open and close the registration, cancel, invite clubs.

Each action locks the tournament's row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.actions import audit, club_emails, registration_emails
from league.actions.refusals import WrongState
from league.actions.tournament_ranks import update_final_ranks
from league.actions.waiting_list import fill_places
from league.models import AuditEntry, Club, Finals, Tournament, TournamentClub
from league.models.audit_entry import AuditEvent
from league.models.tournament import MAX_CLUBS, TournamentState


@transaction.atomic
def create(club: Club, fields: Mapping[str, Any]) -> tuple[Tournament, bool]:
    """Create a tournament as a draft; return the tournament, and whether it is new.

    If the club has a tournament of this name and date, return that tournament. `fields` are values by field name.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    existing = Tournament.objects.filter(club=club, date=fields["date"], name=fields["name"]).first()
    if existing is not None:
        return existing, False
    tournament = Tournament.objects.create(club=club, **fields)
    audit.log_tournament(AuditEvent.TOURNAMENT_CREATED, tournament)
    return tournament, True


@contextmanager
def tournament_lock(tournament_id: int) -> Iterator[Tournament]:
    """Open a transaction, lock the tournament, and yield it: checks in the block remain valid until its end.

    Raise WrongState if the tournament is cancelled.
    """
    with transaction.atomic():
        yield lock_tournament(tournament_id)


def lock_tournament(tournament_id: int, *, even_cancelled: bool = False) -> Tournament:
    """Lock a tournament and return it with its club. Raise WrongState if it is cancelled or its data were deleted.

    With `even_cancelled`, a cancelled tournament is allowed. The primary key is not locked, so that new units (players,
    pairs or teams) may refer to the tournament.
    """
    rows = Tournament.objects.select_for_update(of=("self",), no_key=True).select_related("club")
    tournament: Tournament = rows.get(pk=tournament_id)
    if tournament.read_only_reason and not (even_cancelled and tournament.forgotten_at is None):
        raise WrongState(tournament.read_only_reason)
    return tournament


@transaction.atomic
def change(tournament: Tournament, names: Sequence[str], *, now: datetime) -> None:
    """Store the fields `names` of a tournament. New places are given to the next registrations of the waiting list.

    Call it with the tournament locked. Raise WrongState if one of these fields must not change any more.
    """
    if {"unit_size", "plays_apart"} & set(names) and tournament.units.not_cancelled().exists():
        raise WrongState(_("Units are registered already: their size stays."))
    if {"game", "house_rules"} & set(names) and tournament.has_started:
        raise WrongState(_("The tournament has started: its game stays."))
    if "rounds" in names and Finals.objects.filter(tournament=tournament).exists():
        raise WrongState(_("The finals have started: the number of rounds stays."))
    tournament.save(update_fields=names)
    promoted = fill_places(tournament, now=now)
    if tournament.state == TournamentState.FINISHED:
        update_final_ranks([tournament.pk])  # the rules of the ranking may be others
    audit.log_tournament(AuditEvent.TOURNAMENT_CHANGED, tournament, promoted=[unit.pk for unit in promoted])


@transaction.atomic
def open_registration(tournament_id: int, *, now: datetime) -> Tournament:
    """Open the registration for a tournament. Raise WrongState if the end of the registration is past.

    When it is opened for the first time, the invited clubs get an email.
    """
    tournament = lock_tournament(tournament_id)
    if tournament.state == TournamentState.OPEN:
        return tournament
    if tournament.has_started:
        raise WrongState(_("The tournament has started: the desk adds who comes late."))
    if tournament.closes_at <= now:
        raise WrongState(_("The registration’s end is past. Change it first."))
    if tournament.state == TournamentState.DRAFT:
        for invitation in tournament.clubs.exclude(club=tournament.club_id).with_clubs():
            club_emails.notify_tournament_invitation(invitation)
    tournament.state = TournamentState.OPEN
    tournament.save(update_fields=["state"])
    fill_places(tournament, now=now)
    audit.log_tournament(AuditEvent.TOURNAMENT_OPENED, tournament)
    return tournament


@transaction.atomic
def close_registration(tournament_id: int) -> Tournament:
    """Close the registration for visitors and clubs; the organisers may still register players. Raise WrongState."""
    tournament = lock_tournament(tournament_id)
    if tournament.state == TournamentState.DRAFT:
        raise WrongState(_("The registration is not open."))
    if tournament.state == TournamentState.OPEN:
        tournament.state = TournamentState.CLOSED
        tournament.save(update_fields=["state"])
        audit.log_tournament(AuditEvent.TOURNAMENT_CLOSED, tournament)
    return tournament


@transaction.atomic
def cancel(tournament_id: int) -> Tournament:
    """Cancel the tournament, and email all units (players, pairs or teams) that are registered or waiting.

    Raise WrongState if the tournament has started or is cancelled already.
    """
    tournament = lock_tournament(tournament_id)
    if tournament.has_started:
        raise WrongState(_("The tournament has started: it can be finished, not cancelled."))
    was_announced = tournament.state != TournamentState.DRAFT
    tournament.state = TournamentState.CANCELLED
    tournament.save(update_fields=["state"])
    is_coming = tournament.date >= timezone.localdate(timezone=tournament.club.zone)
    if was_announced and is_coming:
        for unit in tournament.units.not_cancelled().with_players():
            registration_emails.notify_tournament_cancelled(tournament, unit)
    audit.log_tournament(AuditEvent.TOURNAMENT_CANCELLED, tournament)
    return tournament


@transaction.atomic
def invite_club(tournament_id: int, club: Club) -> TournamentClub:
    """Invite another club to a tournament, and return the invitation. A repeated request does nothing.

    The first invitation also adds the organising club to the list of clubs. Raise WrongState.
    """
    tournament = lock_tournament(tournament_id)
    if club.pk == tournament.club_id:
        raise WrongState(_("This club organises the tournament."))
    if tournament.state == TournamentState.FINISHED:
        raise WrongState(_("The tournament is over."))
    if tournament.clubs.count() >= MAX_CLUBS:
        raise WrongState(_("So many clubs can't be invited."))
    tournament.clubs.get_or_create(club=tournament.club, defaults={"name": tournament.club.name})
    invitation: TournamentClub
    invitation, is_new = tournament.clubs.get_or_create(club=club, defaults={"name": club.name})
    if is_new:
        if tournament.state != TournamentState.DRAFT and not _was_invited(tournament, club):
            club_emails.notify_tournament_invitation(invitation)
        audit.log_tournament(AuditEvent.TOURNAMENT_CLUB_INVITED, tournament, club=club.name)
    return invitation


def _was_invited(tournament: Tournament, club: Club) -> bool:
    """Return whether the club was invited before. Then it gets no second email."""
    entries = AuditEntry.objects.filter(event=AuditEvent.TOURNAMENT_CLUB_INVITED, club=tournament.club_id)
    return entries.filter(params__tournament=tournament.pk, params__club=club.name).exists()


@transaction.atomic
def remove_club(tournament_id: int, invitation_id: int) -> None:
    """Delete the invitation of a club. Raise WrongState if units (players, pairs or teams) of this club are registered.

    Cancelled units of the club stay, without a club.
    """
    tournament = lock_tournament(tournament_id)
    invitation = tournament.clubs.filter(pk=invitation_id).first()
    if invitation is None:
        return
    if invitation.units.not_cancelled().exists():
        raise WrongState(_("Units play for this club already."))
    invitation.units.update(plays_for=None, by_club=False)
    invitation.delete()
    audit.log_tournament(AuditEvent.TOURNAMENT_CLUB_REMOVED, tournament, club=invitation.name)
