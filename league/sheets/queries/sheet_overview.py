"""The score sheets of an evening (missing, started or complete), with numbers of warnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from league.evenings.queries.played_rounds import TableWithSeats, played_rounds
from league.models import Contest, Deal, Evening, Round, Table
from league.sheets.queries.deal_scores import counted_deals, deals_per_table, is_readable


class SheetWarnings(NamedTuple):
    """A table's score sheet, with numbers of warnings by kind."""

    table_with_seats: TableWithSeats
    doubtful_deals: int  # deals with warnings of the rules
    surplus_deals: int  # deals after the number that ends the table
    unchecked_deals: int  # deals entered by phone at the table and not yet checked
    open_contests: int  # contests (objections of players) without an answer
    differing_seats: int  # seats with another total on the paper, unless the difference was accepted
    totals_checked: bool  # False: totals entered by phone at the table and not yet checked
    unreadable_deals: int = 0  # recorded deals that the rules refuse

    @property
    def has_warnings(self) -> bool:
        """Return whether the sheet has any warning."""
        counts = (
            self.unreadable_deals,
            self.doubtful_deals,
            self.surplus_deals,
            self.unchecked_deals,
            self.open_contests,
            self.differing_seats,
        )
        return any(counts) or not self.totals_checked


class RoundSheets(NamedTuple):
    """A round with the sheets of its tables."""

    round: Round
    sheets: list[SheetWarnings]


def sheet_overview(evening: Evening) -> list[RoundSheets]:
    """Return the sheets of all rounds of the evening.

    They have no numbers of unreadable deals; `count_unreadable` adds these numbers.
    """
    rounds = played_rounds(evening)
    tables = [sheet.table.pk for played_round in rounds for sheet in played_round.tables_with_seats]
    doubtful, unchecked = _count_doubtful_and_unchecked_deals(tables)
    contests = Counter(Contest.objects.in_evening(evening).unanswered().values_list("deal__table", flat=True))
    return [
        RoundSheets(
            played_round.round,
            [
                SheetWarnings(
                    table_with_seats=sheet,
                    doubtful_deals=doubtful[sheet.table.pk],
                    surplus_deals=_surplus_deals(sheet.table, evening),
                    unchecked_deals=unchecked[sheet.table.pk],
                    open_contests=contests[sheet.table.pk],
                    totals_checked=sheet.table.totals_checked,
                    differing_seats=0
                    if sheet.table.paper_accepted
                    else sum(seat.differs_from_sheet for seat in sheet.seats),
                )
                for sheet in played_round.tables_with_seats
            ],
        )
        for played_round in rounds
    ]


def count_unreadable(rounds: Sequence[RoundSheets]) -> list[RoundSheets]:
    """Return the overview with the number of unreadable deals of each sheet.

    These numbers are not stored, because a repair of a deal or a new version of the program can change them.
    """
    tables = {
        sheet.table_with_seats.table.pk: sheet.table_with_seats.table for round_ in rounds for sheet in round_.sheets
    }
    deals = Deal.objects.not_voided().filter(table__in=tables).only("table", "facts", "rests")
    unreadable = Counter(deal.table_id for deal in deals if not is_readable(tables[deal.table_id], deal))
    return [
        RoundSheets(
            round_.round,
            [sheet._replace(unreadable_deals=unreadable[sheet.table_with_seats.table.pk]) for sheet in round_.sheets],
        )
        for round_ in rounds
    ]


def _surplus_deals(table: Table, evening: Evening) -> int:
    end = deals_per_table(table, evening.season)
    if end is None or table.deals <= end:
        return 0
    return max(0, counted_deals(table, evening.season, table.deals) - end)


def next_incomplete_table(evening: Evening, after: Table) -> Table | None:
    """Return the first incomplete table after this table, by round and number; after the last table, begin again."""
    lacking = Table.objects.in_evenings([evening]).incomplete().exclude(pk=after.pk)
    current = (after.round.number, after.number)
    located = [((table.round.number, table.number), table) for table in lacking]
    location = sorted(located, key=lambda entry: (entry[0] < current, entry[0]))
    return location[0][1] if location else None


def _count_doubtful_and_unchecked_deals(tables: Collection[int]) -> tuple[Counter[int], Counter[int]]:
    """Return the numbers of deals with warnings, and of unchecked deals, by table id."""
    doubtful, unchecked = Counter[int](), Counter[int]()
    deals = Deal.objects.not_voided().filter(table__in=tables)
    for table, doubted, checked in deals.values_list("table", "doubted", "checked"):
        doubtful[table] += doubted
        unchecked[table] += not checked
    return doubtful, unchecked
