"""Giving a member of a club another role."""

from __future__ import annotations

from django.db import transaction

from league.models import Club, Membership
from league.models.rights import RIGHTS, Right, Role, roles_with


class LastAdmin(ValueError):
    """Nobody would be left to manage the club."""


@transaction.atomic
def change_role(membership_id: int, role: Role) -> Membership:
    """Give a member of a club another role. Raises LastAdmin."""
    membership = Membership.objects.select_related("club", "player").get(pk=membership_id)
    if Right.MANAGE not in RIGHTS[role]:
        check_other_admin(membership)
    membership.role = role
    membership.save(update_fields=["role"])
    return membership


def check_other_admin(membership: Membership) -> None:
    """Lock the club, and see that somebody manages it when this member doesn't any more. Raises LastAdmin."""
    Club.objects.select_for_update(no_key=True).get(pk=membership.club_id)  # two admins can't both step down at once
    membership.refresh_from_db(fields=["role"])
    admins = Membership.objects.filter(club=membership.club_id, role__in=roles_with(Right.MANAGE))
    if Right.MANAGE in RIGHTS[membership.role] and not admins.exclude(pk=membership.pk).exists():
        raise LastAdmin
