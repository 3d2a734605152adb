"""A club's people as a spreadsheet, in the columns of a list of them that is brought in: it comes in as it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from league.imports.queries.spreadsheet_cells import Cell
from league.models import Membership


def rows(people: Iterable[Membership]) -> Iterator[list[Cell]]:
    """Yield the names of the columns, then a row a person, whose player was fetched as well."""
    yield [_("Given name"), _("Family name"), _("Member number"), _("E-mail"), _("Telephone")]
    for each in people:
        yield [each.player.given_name, each.player.family_name, each.number, each.email, each.phone]
