"""Erasure of a player's personal data on request. Name and login are deleted; the results stay, so no total changes."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from league.actions import audit
from league.actions.registration_retention import delete_player_registration_data
from league.actions.roles import NoAdminLeft, check_other_admin
from league.imports.queries.listed_people import CONTACT_FIELDS
from league.models import Attendance, Intention, ListColumns, Membership, Merge, Revocation, Separation
from league.models.audit_entry import AuditEvent
from league.models.evening import UNFINISHED_STATES
from league.models.history import history_reason
from league.models.revocation import RevocationKind
from league.models.rights import Right, roles_with_right
from league.models.tournament import ERASED_NAME
from players.models import Player, User
from players.names import without_accents
from players.naming import NameStyle


class CannotErasePlayer(ValueError):
    """The player cannot be erased yet; the message is a sentence for the user."""


@transaction.atomic
def erase(player_id: int, *, by: User | None = None) -> Player:
    """Delete a player's name, login, memberships and other personal data; seats, points, fees and ratings stay.

    Players that were merged into this player are erased too. Raise CannotErasePlayer for a club's only admin, and for a
    player who is checked in to an evening that is not over.
    """
    with history_reason("erased"):
        player = _erase_person(player_id, by)
        for merged_id in Merge.objects.filter(kept=player, undone_at=None).values_list("gone", flat=True):
            erase(merged_id, by=by)  # a merged record of the same person
    return player


@transaction.atomic
def reapply_erasure(player_id: int) -> None:
    """Erase a person again, without any check, after the restore of a backup that is older than the erasure."""
    with history_reason("erased before the restore"):
        _delete_personal_data(Player.objects.select_for_update(of=("self",)).get(pk=player_id))


def _erase_person(player_id: int, by: User | None) -> Player:
    player = Player.objects.select_for_update(of=("self",)).get(pk=player_id)
    _check_erasable(player)
    audit.log_in_clubs(AuditEvent.ERASED, player, by=by)
    _delete_personal_data(player)
    revocation_key = {"kind": RevocationKind.PLAYER, "subject": player.pk, "club": 0}
    Revocation.objects.get_or_create(**revocation_key, defaults={"ended_at": timezone.now()})
    return player


def _delete_personal_data(player: Player) -> None:
    _clear_list_columns(player)
    login, player.user = player.user, None
    player.given_name, player.family_name, player.display_name, player.pseudonym = ERASED_NAME, str(player.pk), "", ""
    player.public_choice = player.member_choice = ""
    player.public_default = player.member_default = NameStyle.FULL
    player.update_names()
    player.save()
    if login:
        audit.remove_ip_addresses_of(login)
        login.delete()
    Membership.objects.filter(player=player).delete()
    Separation.objects.filter(Q(first=player) | Q(second=player)).delete()
    Intention.objects.filter(player=player).delete()
    delete_player_registration_data(player.pk)
    for merge in Merge.objects.select_for_update().filter(Q(kept=player) | Q(gone=player)):
        merge.was = [_without_contact(row) for row in merge.was]
        merge.save(update_fields=["was"])


def _clear_list_columns(player: Player) -> None:
    """Delete stored headings of spreadsheet columns that consist only of words of the player's name."""
    words = set(without_accents(f"{player.given_name} {player.family_name}").split())
    for list_columns in ListColumns.objects.select_for_update():
        columns = {
            called: meaning
            for called, meaning in list_columns.columns.items()
            if not set(without_accents(called).split()) <= words
        }
        if columns != list_columns.columns:
            list_columns.columns = columns
            list_columns.save(update_fields=["columns"])


def _without_contact(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "fields": {**row["fields"], **{name: "" for name in CONTACT_FIELDS if name in row["fields"]}}}


def _check_erasable(player: Player) -> None:
    tonight = Attendance.objects.filter(player=player, evening__state__in=UNFINISHED_STATES)
    if attendance := tonight.select_related("evening__season__club").first():
        raise CannotErasePlayer(
            f"{player} is checked in to {attendance.evening} of {attendance.evening.season.club}: close it first."
        )
    for membership in Membership.objects.filter(player=player, role__in=roles_with_right(Right.MANAGE)).select_related(
        "club"
    ):
        try:
            check_other_admin(membership)
        except NoAdminLeft:
            raise CannotErasePlayer(
                f"{player} is the only admin of {membership.club}: make somebody else one first."
            ) from None
