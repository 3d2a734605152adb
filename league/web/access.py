"""Who may do what in a club. Lookups start from querysets (`visible_to`); these predicates say what a page offers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rules.permissions import add_perm
from rules.predicates import predicate

from league.models import Club

if TYPE_CHECKING:
    from players.models.person import Reader


@predicate  # type: ignore[untyped-decorator]
def is_recorder(user: Reader, club: Club) -> bool:
    """A secretary or an admin of the club, or the installation's admin."""
    return Club.objects.recordable_by(user).filter(pk=club.pk).exists()


@predicate  # type: ignore[untyped-decorator]
def is_manager(user: Reader, club: Club) -> bool:
    """An admin of the club, or the installation's admin."""
    return Club.objects.managed_by(user).filter(pk=club.pk).exists()


add_perm("league.record", is_recorder)
add_perm("league.manage", is_manager)
