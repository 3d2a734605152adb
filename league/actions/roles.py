"""Giving a member of a club another role."""

from __future__ import annotations

from django.db import transaction

from league.models import Club, Membership
from league.models.club import Role


class LastAdmin(ValueError):
    """The club would be left without an admin."""


@transaction.atomic
def change_role(membership_id: int, role: Role) -> Membership:
    """Give a member of a club another role. Raises LastAdmin."""
    membership = Membership.objects.select_related("club", "player").get(pk=membership_id)
    if role != Role.ADMIN:
        check_other_admin(membership)
    membership.role = role
    membership.save(update_fields=["role"])
    return membership


def check_other_admin(membership: Membership) -> None:
    """Lock the club, and see that it keeps an admin when this member is none any more. Raises LastAdmin."""
    Club.objects.select_for_update(no_key=True).get(pk=membership.club_id)  # two admins can't both step down at once
    membership.refresh_from_db(fields=["role"])
    others = Membership.objects.filter(club=membership.club_id, role=Role.ADMIN).exclude(pk=membership.pk)
    if membership.role == Role.ADMIN and not others.exists():
        raise LastAdmin
