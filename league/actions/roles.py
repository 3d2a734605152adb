from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from league.actions import audit, club_emails, invitations
from league.actions.clubs import renew_invitation_key
from league.actions.player_names import apply_club_name_defaults
from league.actions.refusals import StaleVersion
from league.models import Club, Membership
from league.models.audit_entry import AuditEvent
from league.models.rights import RIGHTS, ROLES_ABOVE_MEMBER, Right, Role, roles_with_right
from players.models import Player, User


class NoAdminLeft(ValueError):
    """The change would leave the club without an admin."""


@transaction.atomic
def change_role(membership_id: int, role: Role, *, by: User | None = None) -> Membership:
    """Change the role of a membership, and email the club's admins. Raise NoAdminLeft.

    If the new role has fewer rights, all invitation links end, since an old link could restore the role.
    """
    membership = Membership.objects.select_related("club", "player").get(pk=membership_id)
    if Right.MANAGE not in RIGHTS[role]:
        check_other_admin(membership)
    before = membership.role
    membership.give_role(role)
    membership.save(update_fields=["role", "login_unconfirmed"])
    apply_club_name_defaults([membership.player_id])
    if before != role:
        audit.log(AuditEvent.ROLE_CHANGED, membership, by=by, role=role)
        club_emails.notify_role_change(membership.club, membership.player, before, role, by=by)
    if not RIGHTS[before] <= RIGHTS[role]:
        renew_invitation_key(membership.club)
    return membership


@transaction.atomic
def end_membership(membership_id: int, *, by: User | None = None) -> Membership:
    """Delete a membership; the player's results stay, and show no more of the name than before. Raise NoAdminLeft.

    All invitation links of the club end, and its admins get an email.
    """
    membership = Membership.objects.select_related("club", "player").get(pk=membership_id)
    check_other_admin(membership)
    audit.log(AuditEvent.MEMBER_REMOVED, membership, by=by, role=membership.role)
    membership.delete()
    apply_club_name_defaults([membership.player_id], only_narrower=True)
    club_emails.notify_role_change(membership.club, membership.player, membership.role, None, by=by)
    renew_invitation_key(membership.club)
    return membership


class RoleChange(NamedTuple):
    """A change of a role that the user asks for. `membership` is an id, `seen_role` the role that the page showed."""

    membership: int
    seen_role: str
    role: Role


@transaction.atomic
def change_roles(
    club: Club,
    changes: Iterable[RoleChange],
    *,
    by: User | None = None,
    invitation: Callable[[Club, Membership], str] | None = None,
    not_sent: list[invitations.UnsentInvitation] | None = None,
) -> list[Membership]:
    """Change several roles of a club in one transaction; return the changed memberships.

    Members who get more rights, and have an email address but no login, get an invitation by email; `invitation`
    returns the link for a membership. After the commit, members whose email failed are added to `not_sent`. Raise
    StaleVersion if a role is neither the role that the user saw nor the new role, or NoAdminLeft if no admin would have
    a login.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    wanted = {change.membership: change for change in changes}
    locked = club.memberships.filter(pk__in=wanted).select_for_update(of=("self",), no_key=True)
    memberships = list(locked.select_related("player"))
    roles = {membership.pk: (membership.role, wanted[membership.pk]) for membership in memberships}
    if len(memberships) < len(wanted) or any(
        role not in (change.seen_role, change.role) for role, change in roles.values()
    ):
        raise StaleVersion
    changed_memberships = [membership for membership in memberships if membership.role != wanted[membership.pk].role]
    before = {membership.pk: membership.role for membership in changed_memberships}
    with _log_and_notify_changes(club, by=by):
        for membership in changed_memberships:
            membership.give_role(wanted[membership.pk].role)
            membership.save(update_fields=["role", "login_unconfirmed"])
    lowered = [member for member in changed_memberships if not RIGHTS[before[member.pk]] <= RIGHTS[member.role]]
    if any(Right.MANAGE in RIGHTS[before[member.pk]] for member in lowered) and not club_emails.club_admins(club):
        raise NoAdminLeft
    club.refresh_from_db(fields=["invite_key"])
    if invitation and by is not None:
        uninvited = [
            member
            for member in changed_memberships
            if member not in lowered and member.player.user_id is None and member.email
        ]
        by_email = [invitations.EmailInvitation(member, invitation(club, member)) for member in uninvited]
        invitations.send_invitations(club, by_email, by=by, not_sent=[] if not_sent is None else not_sent)
    return changed_memberships


@contextmanager
def log_role_changes(club: Club, *, by: User) -> Iterator[None]:
    """Log and email the roles that the block changes, for a repair by the installation's admin.

    Players whose new role is above member no longer wait for an admin of the club to confirm their login.
    """
    with transaction.atomic(), _log_and_notify_changes(club, by=by):
        yield
        club.memberships.filter(role__in=ROLES_ABOVE_MEMBER, login_unconfirmed=True).update(login_unconfirmed=False)


@contextmanager
def _log_and_notify_changes(club: Club, *, by: User | None) -> Iterator[None]:
    """Log the changes of roles in the block, and email the admins. If a role lost rights, all invitation links end."""
    former_admins, before = club_emails.club_admins(club), _roles_by_player(club)
    yield
    after = _roles_by_player(club)
    changed_players = [player for player in {**before, **after} if before.get(player) != after.get(player)]
    players = Player.objects.in_bulk(changed_players)
    apply_club_name_defaults(changed_players)
    changes = [(players[player], before.get(player), after.get(player)) for player in changed_players]
    for player, previous, role in changes:
        event = AuditEvent.MEMBER_ADDED if previous is None else AuditEvent.ROLE_CHANGED
        audit.log(event if role else AuditEvent.MEMBER_REMOVED, club, by=by, player=player.pk, role=role or previous)
    if changes:
        club_emails.notify_role_changes(club, changes, by=by, former_admins=former_admins)
    if any(not _rights_of_role(previous) <= _rights_of_role(role) for _player, previous, role in changes):
        renew_invitation_key(club)


def _roles_by_player(club: Club) -> dict[int, str]:
    return dict(club.memberships.order_by("player__sort_key", "pk").values_list("player", "role"))


def _rights_of_role(role: str | None) -> frozenset[Right]:
    return RIGHTS[role] if role else frozenset()


def suspend_login_in_other_clubs(player: Player, club: Club) -> None:
    """Hide a player's other clubs from the player's new login, until the admins of these clubs confirm the login.

    For `club` the login is confirmed. In the other clubs, roles above member are reduced to member.
    Call it in a transaction.
    """
    memberships = Membership.objects.filter(player=player).select_for_update(of=("self",), no_key=True)
    memberships.filter(club=club).update(login_unconfirmed=False)
    for membership in memberships.exclude(club=club).select_related("club"):
        before = membership.role
        membership.role = Role.MEMBER if before in ROLES_ABOVE_MEMBER else before
        membership.login_unconfirmed = True
        membership.save(update_fields=["role", "login_unconfirmed"])
        if before != membership.role:
            audit.log(AuditEvent.ROLE_CHANGED, membership, role=membership.role)
        club_emails.request_login_confirmation(membership.club, player, before, membership.role)


@transaction.atomic
def confirm_login(membership_id: int, *, by: User) -> Membership:
    """Confirm the new login of a player for this club. The login then has the rights of the player's role."""
    membership = Membership.objects.select_for_update(of=("self",), no_key=True).get(pk=membership_id)
    if membership.login_unconfirmed:
        membership.login_unconfirmed = False
        membership.save(update_fields=["login_unconfirmed"])
        audit.log(AuditEvent.LOGIN_CONFIRMED, membership, by=by)
    return membership


def check_other_admin(membership: Membership) -> None:
    """Lock the club. Raise NoAdminLeft if this membership is of its only admin, or of its only admin with a login."""
    Club.objects.select_for_update(no_key=True).get(pk=membership.club_id)  # two admins can't both step down at once
    membership.refresh_from_db(fields=["role"])
    if Right.MANAGE not in RIGHTS[membership.role]:
        return
    admins = Membership.objects.filter(club=membership.club_id, role__in=roles_with_right(Right.MANAGE))
    other_admins = admins.exclude(pk=membership.pk)
    if not other_admins.exists() or (_has_login(admins) and not _has_login(other_admins)):
        raise NoAdminLeft


def _has_login(memberships: QuerySet[Membership]) -> bool:
    return memberships.filter(player__user__is_active=True).exists()


def clubs_with_admin(*player_ids: int) -> set[Club]:
    """Return the clubs of these players that have an admin with an active login."""
    managing = Membership.objects.filter(role__in=roles_with_right(Right.MANAGE), player__user__is_active=True)
    return set(Club.objects.filter(memberships__player__in=player_ids, pk__in=managing.values("club")))
