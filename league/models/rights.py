"""The roles in a club and the rights of each role. Querysets, pages and menus all use this table."""

from __future__ import annotations

from enum import StrEnum

from django.db import models
from django.utils.translation import gettext_lazy as _


class Right(StrEnum):
    READ = "read"  # see the club's pages, even if the club is not public; contest a deal
    COLLECT = "collect"  # see an evening's fees and take them
    RECORD = "record"  # plan and run evenings: check in, draw, enter and correct results, answer contests
    MANAGE = "manage"  # set up seasons; people, roles, invitations and settings


class Role(models.TextChoices):
    """A player's role in a club. The order of the values is only used to sort lists."""

    GUEST = "guest", _("Guest")
    MEMBER = "member", _("Member")
    TREASURER = "treasurer", _("Treasurer")
    SECRETARY = "secretary", _("Secretary")
    ADMIN = "admin", _("Admin")


RIGHTS: dict[str, frozenset[Right]] = {
    Role.GUEST: frozenset(),
    Role.MEMBER: frozenset({Right.READ}),
    Role.TREASURER: frozenset({Right.READ, Right.COLLECT}),
    Role.SECRETARY: frozenset({Right.READ, Right.COLLECT, Right.RECORD}),
    Role.ADMIN: frozenset({Right.READ, Right.COLLECT, Right.RECORD, Right.MANAGE}),
}


# Roles with more rights than a member; giving or taking such a role requires the password again.
ROLES_ABOVE_MEMBER: frozenset[str] = frozenset(
    role for role, rights in RIGHTS.items() if not rights <= RIGHTS[Role.MEMBER]
)


def roles_with_right(right: Right) -> list[str]:
    return [role for role, rights in RIGHTS.items() if right in rights]


def wider_role(first: str, second: str) -> str | None:
    """Return the one of these roles that has all rights of both roles; None if neither has all."""
    if RIGHTS[first] >= RIGHTS[second]:
        return first
    return second if RIGHTS[first] <= RIGHTS[second] else None
