"""A club's members as a spreadsheet with the columns of the import."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from league.imports.queries.spreadsheet_cells import Cell
from league.models import Membership


def rows(memberships: Iterable[Membership]) -> Iterator[list[Cell]]:
    yield [_("Given name"), _("Family name"), _("Member number"), _("E-mail"), _("Telephone")]
    for membership in memberships:
        yield [
            membership.player.given_name,
            membership.player.family_name,
            membership.number,
            membership.email,
            membership.phone,
        ]
