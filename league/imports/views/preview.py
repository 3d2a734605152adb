"""Preview of an import of results: some of its tables for the page, and all tables as rows of a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from itertools import groupby
from typing import Final, NamedTuple, Self

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.imports.queries.import_plan import ImportPlan, PlannedTable, TableOutcome
from league.imports.queries.spreadsheet_cells import Cell

TABLES_ON_PAGE: Final = 60  # tables with their lines on one page
OUTCOME_LABELS: Final[dict[TableOutcome, Promise]] = {
    TableOutcome.NEW: _("Comes in"),
    TableOutcome.SAME: _("There already"),
    TableOutcome.UNANSWERED: _("Your answer is needed"),
    TableOutcome.SKIPPED: _("Left out"),
    TableOutcome.DIFFERENT: _("Other points"),
    TableOutcome.WRONG: _("Wrong"),
}


class PastEvening(NamedTuple):
    """The tables of an imported list on one date; `day` is None if the date cannot be parsed.

    `has_lines`: the page shows the lines of the tables.
    """

    day: date | None
    tables: Sequence[PlannedTable]
    has_lines: bool


class ImportPreview(NamedTuple):
    """The evenings of an imported list, in groups: `doubtful` need a check, `new` are imported, `same` are stored.

    `later` are new evenings too, of which the page shows only the dates. `omitted` is the number of doubtful tables
    that the page does not show.
    """

    doubtful: list[PastEvening]
    omitted: int
    new: list[PastEvening]
    later: list[PastEvening]
    same: list[PastEvening]

    @property
    def is_short(self) -> bool:
        """Whether there is one new evening, and no doubtful table. The page then shows its lines at first."""
        return len(self.new) == 1 and not self.doubtful and not self.later

    @classmethod
    def from_plan(cls, plan: ImportPlan) -> Self:
        doubtful, new, same = list[PlannedTable](), list[PlannedTable](), list[PlannedTable]()
        for table in plan.tables:
            if table.outcome is TableOutcome.SAME:
                same.append(table)
            else:
                is_clear = table.outcome is TableOutcome.NEW and not table.deals_to_review and not table.doubt
                (new if is_clear else doubtful).append(table)
        first = doubtful[:TABLES_ON_PAGE]
        room = TABLES_ON_PAGE - len(first)
        omitted = len(doubtful) - len(first)
        coming = _group_by_evening(new, room)
        evenings_with_lines = [evening for evening in coming if evening.has_lines]
        return cls(
            _group_by_evening(first, room=TABLES_ON_PAGE),
            omitted,
            evenings_with_lines,
            coming[len(evenings_with_lines) :],
            _group_by_evening(same, room - len(new)),
        )


def _group_by_evening(tables: Sequence[PlannedTable], room: int) -> list[PastEvening]:
    """Group tables by date. The first evenings have lines: as many evenings as have at most `room` tables together."""
    evenings = []
    for day, group in groupby(tables, key=lambda table: table.day):
        tables_of_day = list(group)
        room -= len(tables_of_day)
        evenings.append(PastEvening(day, tables_of_day, has_lines=room >= 0))
    return evenings


def outcome_rows(plan: ImportPlan) -> Iterator[list[Cell]]:
    """Yield a header, a row for each table, and below it a row for each deal with a problem, difference or doubt."""
    head = (_("Lines"), _("Date"), _("Round"), _("Table"), _("What becomes of it"), _("Why"), _("Players"), _("Points"))
    yield [str(label) for label in head]
    for table in plan.tables:
        table_cells: list[Cell] = [
            table.day.isoformat() if table.day else "",
            table.round or "",
            table.number if table.round else "",
        ]
        problem = "" if table.has_wrong_deal or table.outcome is not TableOutcome.WRONG else str(table.problem)
        problem = problem or table.doubt
        names = ", ".join(seat.person.name or seat.person.number for seat in table.seats)
        points = ", ".join("" if seat.problem else str(seat.points) for seat in table.seats)
        yield [table.lines, *table_cells, str(OUTCOME_LABELS[table.outcome]), problem, names, points]
        for deal in table.deals_to_review:
            remarks = (
                [str(deal.problem)]
                if deal.problem
                else [
                    gettext("%(name)s: %(given)s in the list, %(counted)s by the rules")
                    % {"name": difference.name, "given": difference.in_list, "counted": difference.by_rules}
                    for difference in deal.differences
                ]
            )
            yield [str(deal.line), *table_cells, "", " · ".join([*remarks, *deal.doubts]), "", ""]
