"""What somebody is in a club: giving another role, ending a membership, and lowering what a new login would get."""

from __future__ import annotations

from django.db import transaction

from league import letters
from league.actions.clubs import renew_invitations
from league.models import Club, Membership
from league.models.rights import RIGHTS, Right, Role, roles_with
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
    before, membership.role = membership.role, role
    membership.save(update_fields=["role"])
    if before != role:
        letters.role_changed(membership.club, membership.player, before, role, by=by)
    if not RIGHTS[before] <= RIGHTS[role]:
        renew_invitations(membership.club)
    return membership


@transaction.atomic
def end_membership(membership_id: int, *, by: User | None = None) -> Membership:
    """Put somebody out of a club, and tell the other admins. Results stay, the club's links end. Raises LastAdmin."""
    membership = Membership.objects.select_related("club", "player").get(pk=membership_id)
    check_other_admin(membership)
    membership.delete()
    letters.role_changed(membership.club, membership.player, membership.role, None, by=by)
    renew_invitations(membership.club)
    return membership


def lower_elsewhere(player: Player, club: Club) -> None:
    """Make the player a plain member of all clubs but this one, until an admin there gives the role again.

    In a transaction. For a record that gets a new login: whoever is invited here was not looked at there.
    """
    roles = [role for role, rights in RIGHTS.items() if not rights <= RIGHTS[Role.MEMBER]]
    more = Membership.objects.filter(player=player, role__in=roles)
    for membership in more.exclude(club=club).select_related("club").select_for_update(of=("self",), no_key=True):
        before, membership.role = membership.role, Role.MEMBER
        membership.save(update_fields=["role"])
        letters.role_to_confirm(membership.club, player, before)


def check_other_admin(membership: Membership) -> None:
    """Lock the club, and see that somebody manages it when this member doesn't any more. Raises LastAdmin."""
    Club.objects.select_for_update(no_key=True).get(pk=membership.club_id)  # two admins can't both step down at once
    membership.refresh_from_db(fields=["role"])
    admins = Membership.objects.filter(club=membership.club_id, role__in=roles_with(Right.MANAGE))
    if Right.MANAGE in RIGHTS[membership.role] and not admins.exclude(pk=membership.pk).exists():
        raise LastAdmin
