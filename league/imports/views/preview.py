"""What becomes of a list, as a page shows it: first what needs a look, and not more than a page can show.

All of it goes out as a file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import groupby
from typing import Final, NamedTuple, Self

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.imports.queries.old_results import PlannedResults, PlannedTable, TableFate
from league.imports.queries.spreadsheet_cells import Cell

SHOWN: Final = 60  # tables with their lines on one page
FATES: Final[dict[TableFate, Promise]] = {
    TableFate.NEW: _("Comes in"),
    TableFate.SAME: _("There already"),
    TableFate.ASKED: _("Your answer is needed"),
    TableFate.SKIPPED: _("Left out"),
    TableFate.DIFFERENT: _("Other points"),
    TableFate.WRONG: _("Wrong"),
}


class OldEvening(NamedTuple):
    """Tables of the list on one date, None where no date can be read; `are_shown` with their lines."""

    day: date | None
    tables: Sequence[PlannedTable]
    are_shown: bool


class Preview(NamedTuple):
    """Evenings by what is to be done: to look at, come in as they are, and are there already.

    Of those to look at so many tables are `left` out; of the `later` ones that come in the dates alone are shown.
    """

    doubtful: list[OldEvening]
    left: int
    new: list[OldEvening]
    later: list[OldEvening]
    same: list[OldEvening]

    @property
    def is_short(self) -> bool:
        """Whether all of it is one evening that comes in."""
        return len(self.new) == 1 and not self.doubtful and not self.later

    @classmethod
    def of(cls, planned: PlannedResults) -> Self:
        """Return what a page shows of a list."""
        doubtful, new, same = list[PlannedTable](), list[PlannedTable](), list[PlannedTable]()
        for table in planned.tables:
            if table.fate is TableFate.SAME:
                same.append(table)
            else:
                (new if table.fate is TableFate.NEW and not table.remarkable else doubtful).append(table)
        first = doubtful[:SHOWN]
        room = SHOWN - len(first)
        left = len(doubtful) - len(first)
        coming = _evenings(new, room)
        shown = [evening for evening in coming if evening.are_shown]
        return cls(_evenings(first, room=SHOWN), left, shown, coming[len(shown) :], _evenings(same, room - len(new)))


def _evenings(tables: Sequence[PlannedTable], room: int) -> list[OldEvening]:
    """Return the tables by evenings, with their lines as long as there is room."""
    found = []
    for day, group in groupby(tables, key=lambda table: table.day):
        own = list(group)
        room -= len(own)
        found.append(OldEvening(day, own, are_shown=room >= 0))
    return found


def fate_rows(planned: PlannedResults) -> Iterator[list[Cell]]:
    """Yield the names of the columns, then a row a table, and one for each line of which there is something to say."""
    head = (_("Lines"), _("Date"), _("Round"), _("Table"), _("What becomes of it"), _("Why"), _("Players"), _("Points"))
    yield [str(each) for each in head]
    for table in planned.tables:
        where: list[Cell] = [
            table.day.isoformat() if table.day else "",
            table.round or "",
            table.number if table.round else "",
        ]
        told = "" if table.is_told_by_line or table.fate is not TableFate.WRONG else str(table.problem)
        names = ", ".join(seat.person.name or seat.person.number for seat in table.seats)
        points = ", ".join("" if seat.problem else str(seat.points) for seat in table.seats)
        yield [table.lines, *where, str(FATES[table.fate]), told, names, points]
        for deal in table.remarkable:
            said = (
                [str(deal.problem)]
                if deal.problem
                else [
                    gettext("%(name)s: %(given)s in the list, %(counted)s by the rules") % each._asdict()
                    for each in deal.differences
                ]
            )
            yield [str(deal.line), *where, "", " · ".join([*said, *deal.doubts]), "", ""]
