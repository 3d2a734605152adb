from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.actions import audit
from league.actions.attendance import check_in, check_out
from league.actions.clubs import lock_club
from league.actions.player_names import apply_club_name_defaults
from league.actions.refusals import WrongState
from league.actions.roles import confirm_login, suspend_login_in_other_clubs
from league.actions.unreferenced_people import is_referenced_outside
from league.imports.queries.listed_people import (
    CONTACT_FIELDS,
    ListedPerson,
    PersonOutcome,
    PlannedPerson,
    compare_people,
)
from league.messages import announce_evening_change
from league.models import Attendance, AuditEntry, Club, Evening, Intention, Membership, RankChange, Separation, visible
from league.models.audit_entry import AuditEvent
from league.models.club import ClubQuerySet, club_ids_hidden_from
from league.models.history import history_reason
from league.models.rights import Role
from players.accounts import add_player
from players.models import FirstMeeting, Player, RatingStep, User
from players.names import MAX_NAME_LENGTH, split_name

# A player is unused if only rows of these models refer to the player. These rows are deleted with the player, or may
# refer to a deleted player.
UNUSED_PLAYER_MODELS: Final = frozenset({Separation, AuditEntry, FirstMeeting, Intention, RankChange, RatingStep})


class CannotGetLogin(ValueError):
    """The player already has a login, or has left the club."""


class PlayerHasHistory(ValueError):
    """The login already belongs to a player with results or clubs.

    Only the installation's admin can merge two such players.
    """

    def __init__(self, player: Player) -> None:
        super().__init__(player)
        self.player = player


@transaction.atomic
def add_person(club: Club, given_name: str, family_name: str, role: Role) -> Player:
    """Create a player without a login, and the player's membership in the club with this role."""
    player = add_player(given_name, family_name)
    membership = club.memberships.create(player=player, role=role)
    audit.log(AuditEvent.MEMBER_ADDED, membership, role=role)
    apply_club_name_defaults([player.pk])
    player.refresh_from_db(fields=Player.NAME_FIELDS)
    return player


@transaction.atomic
def check_in_guest(evening: Evening, name: str) -> Player:
    """Create a guest with this name, the given name first, and check the guest in at the evening. Raise WrongState."""
    guest = add_person(evening.season.club, *split_name(name), Role.GUEST)
    check_in(evening.pk, [guest.pk])
    return guest


@transaction.atomic
def check_out_guest(attendance_id: int) -> bool:
    """Delete the attendance, and also the membership of a guest whose name may be a typing error.

    The membership is deleted if the guest is in no other club, and has no login, no contact data and no other rows.
    Return whether it was deleted. Raise StillSeated or WrongState.
    """
    row = Attendance.objects.select_related("evening__season__club").filter(pk=attendance_id).first()
    check_out(attendance_id)
    if row is None:
        return False
    club = row.evening.season.club
    guest = Player.objects.select_for_update(of=("self",)).get(pk=row.player_id)
    if not is_guest_of_only(club, guest) or is_referenced_outside(guest.pk, {Membership, AuditEntry}):
        return False
    membership = club.memberships.get(player=guest)
    if any(getattr(membership, name) for name in CONTACT_FIELDS):
        return False
    audit.log(AuditEvent.MEMBER_REMOVED, membership, role=membership.role)
    membership.delete()
    return True


@transaction.atomic
def correct_guest_name(attendance_id: int, given_name: str, family_name: str) -> Player:
    """Change the names of a guest who is only in this club and has no login. Raise WrongState for other players."""
    row = Attendance.objects.select_related("evening__season__club", "player").get(pk=attendance_id)
    guest = rename_guest(row.evening.season.club, row.player_id, given_name, family_name)
    audit.log(AuditEvent.DETAILS_CHANGED, row.evening.season.club, player=guest.pk)
    announce_evening_change(row.evening_id)
    return guest


def rename_guest(club: Club, player_id: int, given_name: str, family_name: str) -> Player:
    """Change the names of a guest of this club alone, without audit entry. Raise WrongState for other players."""
    guest = Player.objects.select_for_update(of=("self",), no_key=True).get(pk=player_id)
    if not is_guest_of_only(club, guest):
        raise WrongState(_("Only the name of a guest of this club alone, without a login, is corrected here."))
    _rename_player(guest, given_name, family_name)
    return guest


def _rename_player(player: Player, given_name: str, family_name: str) -> None:
    if player.display_name == f"{player.given_name} {player.family_name}".strip():
        player.display_name = ""  # then `update_names` computes it from the new names
    player.given_name, player.family_name = given_name, family_name
    player.update_names()
    player.save(update_fields=Player.NAME_FIELDS)


@transaction.atomic
def change_details(
    membership_id: int, *, names: tuple[str, str] | None, number: str, email: str, phone: str
) -> Membership:
    """Store a member's names, member number, email address and phone number, and return the membership.

    `names` are the given name and the family name; None leaves them unchanged. Call it with the club locked, after
    checking that no other member has the number.
    """
    locked_row = Membership.objects.select_for_update(of=("self",))
    membership = locked_row.select_related("club", "player").get(pk=membership_id)
    player = membership.player
    before = (membership.number, membership.email, membership.phone, player.given_name, player.family_name)
    if names is not None:
        membership.player = Player.objects.select_for_update(of=("self",), no_key=True).get(pk=membership.player_id)
        _rename_player(membership.player, *names)
    membership.number, membership.email, membership.phone = number, email, phone
    membership.save(update_fields=["number", "email", "phone"])
    if before != (number, email, phone, *(names or (player.given_name, player.family_name))):
        audit.log(AuditEvent.DETAILS_CHANGED, membership)
    return membership


class AnswersMissing(ValueError):
    """For some lines of a list of people, the user must choose whether the person is a member. Nothing was stored.

    `lines` are all lines of the list, with their outcomes.
    """

    def __init__(self, lines: list[PlannedPerson]) -> None:
        super().__init__(lines)
        self.lines = lines


def import_people(club: Club, listed_people: Sequence[ListedPerson], answers: Mapping[int, str]) -> list[PlannedPerson]:
    """Import a list of people into a club; return one line for each person, with its outcome and membership.

    New people become members. Invalid lines are skipped. A repeated import changes nothing. `answers` are the user's
    choices for names that resemble a member's name, by `ListedPerson.answer_key`. Raise AnswersMissing.
    """
    with lock_club(club):
        lines = compare_people(club, listed_people, answers)
        if any(line.outcome is PersonOutcome.UNANSWERED for line in lines):
            raise AnswersMissing(lines)
        lines = store_listed_people(club, lines)
        if number := sum(line.outcome in (PersonOutcome.NEW, PersonOutcome.UPDATED) for line in lines):
            audit.log(AuditEvent.PEOPLE_IMPORTED, club, count=number)
    return lines


def store_listed_people(club: Club, lines: Iterable[PlannedPerson]) -> list[PlannedPerson]:
    """Store the new members and changed contact data of the `lines`, which `compare_people` has returned.

    Return the lines with their memberships. The caller locks the club before it compares the list, and adds the audit
    entry.
    """
    with history_reason("a list of people"):
        written_lines = [_write_person(club, line) for line in lines]
        apply_club_name_defaults(
            line.membership.player_id for line in written_lines if line.membership and line.outcome is PersonOutcome.NEW
        )
    return written_lines


def _write_person(club: Club, line: PlannedPerson) -> PlannedPerson:
    """Store a new member, or new contact data of a member. Data that are empty in the list stay unchanged."""
    person = line.person
    if line.outcome is PersonOutcome.NEW:
        player = add_player(person.given_name, person.family_name)
        line = replace(line, membership=club.memberships.create(player=player))
    membership = line.membership
    if membership is not None and line.outcome in (PersonOutcome.NEW, PersonOutcome.UPDATED):
        for name in CONTACT_FIELDS:
            setattr(membership, name, getattr(person, name) or getattr(membership, name))
        membership.save(update_fields=CONTACT_FIELDS)
    return line


def is_guest_of_only(club: Club, player: Player) -> bool:
    """Return whether the player is a guest of this club, without a login, a membership or results elsewhere."""
    roles = list(player.memberships.values_list("club", "role"))
    is_guest = player.user_id is None and roles == [(club.pk, Role.GUEST)]
    return is_guest and not visible.clubs_with_rows_of(player).exclude(pk=club.pk).exists()


def join_club(club: Club, user: User) -> Membership:
    """Make the user a member of the club. A guest becomes a member; other roles stay.

    If the club had not confirmed the login of a former member, the login stays unconfirmed.
    """
    with lock_club(club):
        is_hidden = club_ids_hidden_from(user).filter(club=club).exists()
        membership, is_new = Membership.objects.get_or_create(
            club=club, player=get_or_create_player(user), defaults={"login_unconfirmed": is_hidden}
        )
        was_guest = not is_new and membership.role == Role.GUEST
        if was_guest:
            membership.role = Role.MEMBER
            membership.save(update_fields=["role"])
        event = AuditEvent.MEMBER_ADDED if is_new else AuditEvent.ROLE_CHANGED
        if is_new or was_guest:
            audit.log(event, membership, by=user, role=membership.role)
        apply_club_name_defaults([membership.player_id])
    return membership


class PlayerShownInOtherClub(ValueError):
    """The player has left another club that still shows the player's results.

    Nobody in that club can confirm the player's new login; only the installation's admin can give the login.
    """


@transaction.atomic
def give_login(club: Club, player_id: int, user: User) -> Player:
    """Link the login `user` to a player of the club who has no login. An unused player of the login is deleted.

    Other clubs of the player hide their data from the login until their admins confirm it. If the player has this login
    already, it is only confirmed for the club. Raise CannotGetLogin, PlayerHasHistory or PlayerShownInOtherClub.
    """
    player = Player.objects.select_for_update().filter(pk=player_id, memberships__club=club).first()
    if player is None or (player.user_id is not None and player.user_id != user.pk):
        raise CannotGetLogin
    old_player = Player.objects.select_for_update().filter(user=user).first()
    if old_player == player:
        for membership in player.memberships.filter(club=club):
            confirm_login(membership.pk, by=user)  # the club's own link for this record
        return player
    if old_player is not None and is_player_used(old_player):
        raise PlayerHasHistory(old_player)
    if former_clubs_with_results(player).exists():
        raise PlayerShownInOtherClub
    if old_player is not None:
        old_player.delete()
    player.user = user
    player.save(update_fields=["user"])
    suspend_login_in_other_clubs(player, club)
    audit.log(AuditEvent.LOGIN_LINKED, club, by=user, player=player.pk)
    return player


def former_clubs_with_results(player: Player) -> ClubQuerySet:
    """Return the clubs that show results of the player, although the player is no longer in them."""
    return visible.clubs_with_rows_of(player).exclude(pk__in=player.memberships.values("club"))


def get_or_create_player(user: User) -> Player:
    """Return the user's player, or create a player named by the email address. Call it in a transaction."""
    # Locked, since two simultaneous requests would create two players.
    User.objects.select_for_update(of=("self",), no_key=True).get(pk=user.pk)
    player = Player.objects.filter(user=user).first()
    return player or add_player(user.email.partition("@")[0][:MAX_NAME_LENGTH], "", user=user)


def is_player_used(player: Player) -> bool:
    """Return whether the player has memberships, results, ratings, registrations or merges."""
    return is_referenced_outside(player.pk, UNUSED_PLAYER_MODELS)
