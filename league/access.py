"""Who may do what in a club. Lookups start from querysets (`visible_to`); these predicates say what a page offers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import rules

from league.models import Club

if TYPE_CHECKING:
    from league.models.club import Reader


@rules.predicate  # type: ignore[untyped-decorator]
def is_recorder(user: Reader, club: Club) -> bool:
    """A secretary or an admin of the club, or the installation's admin."""
    return Club.objects.recordable_by(user).filter(pk=club.pk).exists()


@rules.predicate  # type: ignore[untyped-decorator]
def is_manager(user: Reader, club: Club) -> bool:
    """An admin of the club, or the installation's admin."""
    return Club.objects.managed_by(user).filter(pk=club.pk).exists()


rules.add_perm("league.record", is_recorder)
rules.add_perm("league.manage", is_manager)
