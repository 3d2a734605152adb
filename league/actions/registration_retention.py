"""Deletion of personal data in registrations for tournaments.

Data are deleted after the announced period, if a player's account is deleted, or if a player is erased on request.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from league.actions import audit
from league.actions.player_names import apply_club_name_defaults
from league.models import Attendance, Membership, Tournament, TournamentUnit, UnitPlayer
from league.models.audit_entry import AuditEvent
from league.models.rights import Role
from league.models.tournament import ERASED_NAME
from players.models import Player


@transaction.atomic
def delete_registration_data_if_due(tournament_id: int, *, now: datetime) -> bool:
    """Delete the personal data in a tournament's registrations, if the announced period is over.

    Contact data are deleted, and the names of players who are not members of the club. Return whether this call deleted
    data; a repeated call returns False.
    """
    due = Tournament.objects.due_for_erasure(now.date()).filter(pk=tournament_id)
    rows = Tournament.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=due.values("pk"))
    tournament: Tournament | None = rows.select_related("club").first()
    if tournament is None:
        return False
    entries = UnitPlayer.objects.filter(unit__tournament=tournament)
    memberships = Membership.objects.filter(club=tournament.club_id, player=OuterRef("player")).exclude(role=Role.GUEST)
    strangers = entries.filter(~Exists(memberships))
    TournamentUnit.objects.filter(pk__in=strangers.values("unit")).update(name="")
    count = strangers.update(name=ERASED_NAME)
    entries.update(email="", phone="")
    _end_guest_memberships_of_invited(tournament)
    tournament.forgotten_at = now
    tournament.save(update_fields=["forgotten_at"])
    audit.log_tournament(AuditEvent.UNITS_FORGOTTEN, tournament, count=count)
    return True


def _end_guest_memberships_of_invited(tournament: Tournament) -> None:
    """Delete the guest memberships of players who came with an invited club.

    Players stay who attended an evening of a season, or whose data another tournament of the club still needs.
    """
    entries = UnitPlayer.objects.filter(player=OuterRef("player"), added_as_guest=True)
    evenings = Attendance.objects.filter(
        player=OuterRef("player"), evening__season__club=tournament.club_id, evening__season__tournament=None
    )
    later = UnitPlayer.objects.filter(
        player=OuterRef("player"), unit__tournament__club=tournament.club_id, unit__tournament__forgotten_at=None
    ).exclude(unit__tournament=tournament)
    guests = Membership.objects.filter(
        Exists(entries.filter(unit__tournament=tournament, unit__by_club=True)),
        ~Exists(evenings),
        ~Exists(later),
        club=tournament.club_id,
        role=Role.GUEST,
    )
    players = list(guests.values_list("player", flat=True))
    guests.delete()
    apply_club_name_defaults(players, only_narrower=True)


def guests_to_erase(tournament_id: int) -> list[int]:
    """Return the ids of the tournament's players whom a tournament added as guests, and whom nothing else needs.

    In all clubs they have no role above guest, and they attended only evenings of tournaments. They have no login.
    Players whose data another tournament still needs, and players who are already erased, are left out.
    """
    entries = UnitPlayer.objects.filter(player=OuterRef("pk"))
    rows = Player.objects.filter(
        Exists(entries.filter(unit__tournament=tournament_id)),
        Exists(entries.filter(added_as_guest=True)),
        ~Exists(entries.exclude(unit__tournament=tournament_id).filter(unit__tournament__forgotten_at=None)),
        ~Exists(Membership.objects.filter(player=OuterRef("pk")).exclude(role=Role.GUEST)),
        ~Exists(Attendance.objects.filter(player=OuterRef("pk"), evening__season__tournament=None)),
        user=None,
    )
    return list(rows.exclude(given_name=ERASED_NAME).order_by("pk").values_list("pk", flat=True))


def delete_contact_data(players: Collection[int], address: str) -> None:
    """Delete the contact data of these players, and of this email address, in all registrations for tournaments.

    Call it in the transaction that deletes the account.
    """
    registrations = UnitPlayer.objects.filter(Q(player__in=players) | Q(email__iexact=address))
    registrations.update(email="", phone="")


def delete_player_registration_data(player_id: int) -> None:
    """Delete the player's name and contact data in all registrations for tournaments, and the names of these units."""
    TournamentUnit.objects.filter(players__player=player_id).update(name="")
    UnitPlayer.objects.filter(player=player_id).update(name=ERASED_NAME, email="", phone="")
