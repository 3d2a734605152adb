"""Deleting personal data of registrations: after the promised days, with an account, or of an erased person."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from league.actions import audit
from league.models import Membership, Tournament, TournamentUnit, UnitPlayer
from league.models.audit_entry import AuditEvent
from league.models.tournament import ERASED_NAME


@transaction.atomic
def forget_if_due(tournament_id: int, *, now: datetime) -> bool:
    """Delete the contact of all players, and the names of non-members; return whether it was due.

    A repeated request is done once.
    """
    due = Tournament.objects.due_for_erasure(now.date()).filter(pk=tournament_id)
    rows = Tournament.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=due.values("pk"))
    tournament: Tournament | None = rows.select_related("club").first()
    if tournament is None:
        return False
    entries = UnitPlayer.objects.filter(unit__tournament=tournament)
    memberships = Membership.objects.filter(club=tournament.club_id, player=OuterRef("player"))
    strangers = entries.filter(~Exists(memberships))
    TournamentUnit.objects.filter(pk__in=strangers.values("unit")).update(name="")
    count = strangers.update(name=ERASED_NAME)
    entries.update(email="", phone="")
    tournament.forgotten_at = now
    tournament.save(update_fields=["forgotten_at"])
    audit.log(
        AuditEvent.UNITS_FORGOTTEN,
        tournament,
        count=count,
        tournament=tournament.pk,
        name=tournament.name,
    )
    return True


def forget_contact(players: Collection[int], address: str) -> None:
    """Delete the contact of an account's registrations; call it in the transaction that deletes the account."""
    registrations = UnitPlayer.objects.filter(Q(player__in=players) | Q(email__iexact=address))
    registrations.update(email="", phone="")


def forget_player(player_id: int) -> None:
    """Delete the name and contact of an erased person's registrations, and the names of the teams."""
    TournamentUnit.objects.filter(players__player=player_id).update(name="")
    UnitPlayer.objects.filter(player=player_id).update(name=ERASED_NAME, email="", phone="")
