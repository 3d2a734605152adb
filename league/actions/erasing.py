"""A person who asks to be forgotten: the name and the login go, what was played stays, so that all sums hold."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from league.actions import audit
from league.actions.roles import LastAdmin, check_other_admin
from league.imports.queries.listed_people import CONTACT
from league.models import Apart, Attendance, Ending, Intention, ListColumns, Membership, Merge
from league.models.audit_entry import AuditEvent
from league.models.ending import EndingKind
from league.models.evening import NOT_OVER
from league.models.history import because
from league.models.rights import Right, roles_with
from players.models import Player, User
from players.names import plain
from players.naming import Naming

NAME = "N. N."  # nomen nescio: understood in every language, and followed by the player's number


class StillNeeded(ValueError):
    """The club needs the person for something first. Its text is a sentence for the reader."""


@transaction.atomic
def erase(player_id: int, *, by: User | None = None) -> Player:
    """Give a player a name that tells nothing, and take login, memberships and wishes about neighbours away.

    Seats, points, fees and ratings stay as they are, under that name. There is no way back. Raises StillNeeded for who
    is checked in to an evening that is not over, and for a club's only admin.
    """
    with because("erased"):
        player = _erased(player_id, by)
        for joined in Merge.objects.filter(kept=player, undone_at=None).values_list("gone", flat=True):
            erase(joined, by=by)  # another record of the same person
    return player


@transaction.atomic
def erase_again(player_id: int) -> None:
    """Erase who had been erased before an older backup was restored; nobody needs the person for anything by now."""
    with because("erased before the restore"):
        _forget(Player.objects.select_for_update(of=("self",)).get(pk=player_id))


def _erased(player_id: int, by: User | None) -> Player:
    player = Player.objects.select_for_update(of=("self",)).get(pk=player_id)
    _check(player)
    audit.log_in_clubs(AuditEvent.ERASED, player, by=by)
    _forget(player)
    about = {"kind": EndingKind.PLAYER, "subject": player.pk, "club": 0}
    Ending.objects.get_or_create(**about, defaults={"ended_at": timezone.now()})
    return player


def _forget(player: Player) -> None:
    _forget_columns(player)
    login, player.user = player.user, None
    player.given_name, player.family_name, player.display_name, player.pseudonym = NAME, str(player.pk), "", ""
    player.public_choice = player.member_choice = ""
    player.public_default = player.member_default = Naming.FULL
    player.name()
    player.save()
    if login:
        audit.remove_addresses_of(login)
        login.delete()
    Membership.objects.filter(player=player).delete()
    Apart.objects.filter(Q(first=player) | Q(second=player)).delete()
    Intention.objects.filter(player=player).delete()
    for merge in Merge.objects.select_for_update().filter(Q(kept=player) | Q(gone=player)):
        merge.was = [_without_contact(row) for row in merge.was]
        merge.save(update_fields=["was"])


def _forget_columns(player: Player) -> None:
    """Forget what columns are that bear the person's name, or a part of it."""
    words = set(plain(f"{player.given_name} {player.family_name}").split())
    for kept in ListColumns.objects.select_for_update():
        others = {
            called: meaning for called, meaning in kept.columns.items() if not set(plain(called).split()) <= words
        }
        if others != kept.columns:
            kept.columns = others
            kept.save(update_fields=["columns"])


def _without_contact(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of a merge without a person's number and addresses."""
    return {**row, "fields": {**row["fields"], **{name: "" for name in CONTACT if name in row["fields"]}}}


def _check(player: Player) -> None:
    tonight = Attendance.objects.filter(player=player, evening__state__in=NOT_OVER)
    if found := tonight.select_related("evening__season__club").first():
        raise StillNeeded(f"{player} is checked in to {found.evening} of {found.evening.season.club}: close it first.")
    for own in Membership.objects.filter(player=player, role__in=roles_with(Right.MANAGE)).select_related("club"):
        try:
            check_other_admin(own)
        except LastAdmin:
            raise StillNeeded(f"{player} is the only admin of {own.club}: make somebody else one first.") from None
