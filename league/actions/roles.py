"""What somebody is in a club: giving another role, ending a membership, and lowering what a new login would get."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from league.actions import audit, invitations, letters
from league.actions.clubs import renew_invitations
from league.actions.player_names import follow_clubs
from league.actions.refusals import StaleVersion
from league.models import Club, Membership
from league.models.audit_entry import AuditEvent
from league.models.rights import RIGHTS, TRUSTED, Right, Role, roles_with
from players.models import Player, User


class LastAdmin(ValueError):
    """Nobody would be left to manage the club."""


@transaction.atomic
def change_role(membership_id: int, role: Role, *, by: User | None = None) -> Membership:
    """Give a member of a club another role, and tell the other admins. Raises LastAdmin.

    Whoever may do less than before doesn't get it back by an old link: all of the club's links end.
    """
    membership = Membership.objects.select_related("club", "player").get(pk=membership_id)
    if Right.MANAGE not in RIGHTS[role]:
        check_other_admin(membership)
    before = membership.role
    membership.give_role(role)
    membership.save(update_fields=["role", "login_unconfirmed"])
    follow_clubs([membership.player_id])
    if before != role:
        audit.log(AuditEvent.ROLE_CHANGED, membership, by=by, role=role)
        letters.role_changed(membership.club, membership.player, before, role, by=by)
    if not RIGHTS[before] <= RIGHTS[role]:
        renew_invitations(membership.club)
    return membership


@transaction.atomic
def end_membership(membership_id: int, *, by: User | None = None) -> Membership:
    """Put somebody out of a club, and tell the other admins. Results stay, the club's links end. Raises LastAdmin."""
    membership = Membership.objects.select_related("club", "player").get(pk=membership_id)
    check_other_admin(membership)
    audit.log(AuditEvent.MEMBER_REMOVED, membership, by=by, role=membership.role)
    membership.delete()
    letters.role_changed(membership.club, membership.player, membership.role, None, by=by)
    renew_invitations(membership.club)
    return membership


class RoleChange(NamedTuple):
    """A membership, the role that was seen, and the one that it gets."""

    membership: int
    seen: str
    role: Role


@transaction.atomic
def hand_over(
    club: Club,
    changes: Iterable[RoleChange],
    *,
    by: User | None = None,
    invitation: Callable[[Club, Membership], str] | None = None,
    not_sent: list[invitations.NotSent] | None = None,
) -> list[Membership]:
    """Give several members of a club other roles at once, and tell its admins; return those changed.

    `invitation` makes the link that is sent to each of them who may now do more, has no login, and whose e-mail the
    club knows; `not_sent` gets those to whom it could not go out, after the commit. Raises StaleVersion, or LastAdmin
    where nobody with a login would be left to manage the club. Sent twice it is done once.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
    wanted = {change.membership: change for change in changes}
    locked = club.memberships.filter(pk__in=wanted).select_for_update(of=("self",), no_key=True)
    found = list(locked.select_related("player"))
    told = {membership.pk: (membership.role, wanted[membership.pk]) for membership in found}
    if len(found) < len(wanted) or any(role not in (change.seen, change.role) for role, change in told.values()):
        raise StaleVersion
    changed = [membership for membership in found if membership.role != wanted[membership.pk].role]
    before = {membership.pk: membership.role for membership in changed}
    with _told(club, by=by):
        for membership in changed:
            membership.give_role(wanted[membership.pk].role)
            membership.save(update_fields=["role", "login_unconfirmed"])
    less = [each for each in changed if not RIGHTS[before[each.pk]] <= RIGHTS[each.role]]
    if any(Right.MANAGE in RIGHTS[before[each.pk]] for each in less) and not letters.managers(club):
        raise LastAdmin
    club.refresh_from_db(fields=["invite_key"])
    if invitation and by is not None:
        new = [each for each in changed if each not in less and each.player.user_id is None and each.email]
        by_email = [invitations.EmailInvitation(each, invitation(club, each)) for each in new]
        invitations.send(club, by_email, by=by, not_sent=[] if not_sent is None else not_sent)
    return changed


@contextmanager
def repaired(club: Club, *, by: User) -> Iterator[None]:
    """Tell a club's admins which roles a repair changes, and end the club's links where somebody may do less."""
    with transaction.atomic(), _told(club, by=by):
        yield
        club.memberships.filter(role__in=TRUSTED, login_unconfirmed=True).update(login_unconfirmed=False)


@contextmanager
def _told(club: Club, *, by: User | None) -> Iterator[None]:
    """Tell who manages the club, before and after, which roles change inside. In a transaction."""
    managers, before = letters.managers(club), _roles(club)
    yield
    after = _roles(club)
    changed = [player for player in {**before, **after} if before.get(player) != after.get(player)]
    people = Player.objects.in_bulk(changed)
    follow_clubs(changed)
    said = [(people[player], before.get(player), after.get(player)) for player in changed]
    for player, was, role in said:
        event = AuditEvent.MEMBER_ADDED if was is None else AuditEvent.ROLE_CHANGED
        audit.log(event if role else AuditEvent.MEMBER_REMOVED, club, by=by, player=player.pk, role=role or was)
    if said:
        letters.roles_changed(club, said, by=by, before=managers)
    if any(not _rights(was) <= _rights(role) for _player, was, role in said):
        renew_invitations(club)


def _roles(club: Club) -> dict[int, str]:
    return dict(club.memberships.order_by("player__sort_key", "pk").values_list("player", "role"))


def _rights(role: str | None) -> frozenset[Right]:
    return RIGHTS[role] if role else frozenset()


def suspend_elsewhere(player: Player, club: Club) -> None:
    """Withhold all other clubs from the player's new login until an admin there agrees; notify those admins.

    In a transaction. A role that may do more than a member is lost. The inviting club has agreed.
    """
    memberships = Membership.objects.filter(player=player).select_for_update(of=("self",), no_key=True)
    memberships.filter(club=club).update(login_unconfirmed=False)
    for membership in memberships.exclude(club=club).select_related("club"):
        before = membership.role
        membership.role = Role.MEMBER if before in TRUSTED else before
        membership.login_unconfirmed = True
        membership.save(update_fields=["role", "login_unconfirmed"])
        if before != membership.role:
            audit.log(AuditEvent.ROLE_CHANGED, membership, role=membership.role)
        letters.login_to_confirm(membership.club, player, before, membership.role)


@transaction.atomic
def agree_to_login(membership_id: int, *, by: User) -> Membership:
    """Let the login that another club gave a record read this club, too. Twice is once."""
    membership = Membership.objects.select_for_update(of=("self",), no_key=True).get(pk=membership_id)
    if membership.login_unconfirmed:
        membership.login_unconfirmed = False
        membership.save(update_fields=["login_unconfirmed"])
        audit.log(AuditEvent.LOGIN_AGREED, membership, by=by)
    return membership


def check_other_admin(membership: Membership) -> None:
    """Lock the club; raise LastAdmin if this member is its only admin, or its only admin with a login."""
    Club.objects.select_for_update(no_key=True).get(pk=membership.club_id)  # two admins can't both step down at once
    membership.refresh_from_db(fields=["role"])
    if Right.MANAGE not in RIGHTS[membership.role]:
        return
    admins = Membership.objects.filter(club=membership.club_id, role__in=roles_with(Right.MANAGE))
    others = admins.exclude(pk=membership.pk)
    if not others.exists() or (_has_login(admins) and not _has_login(others)):
        raise LastAdmin


def _has_login(memberships: QuerySet[Membership]) -> bool:
    return memberships.filter(player__user__is_active=True).exists()


def clubs_with_admin(*player_ids: int) -> set[Club]:
    """Return the clubs of these players that have an admin with a login, these players among them."""
    managing = Membership.objects.filter(role__in=roles_with(Right.MANAGE), player__user__is_active=True)
    return set(Club.objects.filter(memberships__player__in=player_ids, pk__in=managing.values("club")))
