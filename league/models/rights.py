"""Which roles there are in a club, and what each may do. Querysets, pages and menus all follow from this table."""

from __future__ import annotations

from enum import StrEnum

from django.db import models
from django.utils.translation import gettext_lazy as _


class Right(StrEnum):
    """What somebody may do in a club."""

    READ = "read"  # see its pages, also where the club isn't public; contest a deal
    COLLECT = "collect"  # see an evening's fees and take them
    RECORD = "record"  # plan and run evenings: check in, draw, enter and correct results, answer contests
    MANAGE = "manage"  # set up seasons; people, roles, invitations and settings


class Role(models.TextChoices):
    """What a player is in a club. The order is that of lists, and means nothing else."""

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


# Roles that may do more than a member: giving one, or taking it, asks for the password again.
TRUSTED: frozenset[str] = frozenset(role for role, rights in RIGHTS.items() if not rights <= RIGHTS[Role.MEMBER])


def roles_with(right: Right) -> list[str]:
    """Return the roles that have the right."""
    return [role for role, rights in RIGHTS.items() if right in rights]


def wider(role: str, other: str) -> str | None:
    """Return the role whose rights contain the other's, or None if each may do what the other may not."""
    if RIGHTS[role] >= RIGHTS[other]:
        return role
    return other if RIGHTS[role] <= RIGHTS[other] else None
