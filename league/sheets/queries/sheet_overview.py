"""The sheets of an evening as they come to the desk: which are missing, started or complete, and which are doubted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from league.evenings.queries.evening_board import TableState, sat_rounds
from league.models import Contest, Deal, Evening, Round, Table
from league.sheets.queries.deal_scores import is_readable
from league.sheets.queries.missing_deals import deals_that_end


class Item(NamedTuple):
    """A table's sheet: `missing` says what it lacks, empty when it is complete; the rest are its doubts, as numbers.

    `unreadable` are recorded deals that the rules no longer take, `warnings` those that they find suspicious, `beyond`
    deals after the end, `unchecked` those entered at the table that nobody has looked at, `contested` objections
    without an answer, `differs` seats whose total on the paper is another, unless that was accepted.
    """

    sheet: TableState
    warnings: int
    beyond: int
    unchecked: int
    contested: int
    differs: int
    unreadable: int = 0

    @property
    def doubted(self) -> bool:
        """Whether somebody should look at it."""
        return any((self.unreadable, self.warnings, self.beyond, self.unchecked, self.contested, self.differs))


class RoundSheets(NamedTuple):
    """A round's sheets."""

    round: Round
    items: list[Item]


def overview(evening: Evening) -> list[RoundSheets]:
    """Return every round's sheets, in the order of the tables; six queries."""
    rounds = sat_rounds(evening)
    tables = [sheet.table.pk for sitting in rounds for sheet in sitting.sheets]
    warnings, unchecked = _doubts(tables)
    contested = Counter(Contest.objects.in_evening(evening).waiting().values_list("deal__table", flat=True))
    return [
        RoundSheets(
            sitting.round,
            [
                Item(
                    sheet=sheet,
                    warnings=warnings[sheet.table.pk],
                    beyond=_beyond(sheet.table, evening),
                    unchecked=unchecked[sheet.table.pk],
                    contested=contested[sheet.table.pk],
                    differs=0 if sheet.table.paper_accepted else sum(seat.differs for seat in sheet.seats),
                )
                for sheet in sitting.sheets
            ],
        )
        for sitting in rounds
    ]


def with_unreadable(piles: Sequence[RoundSheets]) -> list[RoundSheets]:
    """Return the sheets with the number of their unreadable deals; one query.

    The deals are read and not scored: that is not stored, since a repair by hand or a newer version makes them so.
    """
    tables = {item.sheet.table.pk: item.sheet.table for pile in piles for item in pile.items}
    deals = Deal.objects.standing().filter(table__in=tables).only("table", "facts", "rests")
    unreadable = Counter(deal.table_id for deal in deals if not is_readable(tables[deal.table_id], deal))
    return [
        RoundSheets(pile.round, [item._replace(unreadable=unreadable[item.sheet.table.pk]) for item in pile.items])
        for pile in piles
    ]


def _beyond(table: Table, evening: Evening) -> int:
    end = deals_that_end(table, evening.season)
    return 0 if end is None else max(0, table.deals - end)


def next_missing(evening: Evening, after: Table) -> Table | None:
    """Return the evening's next sheet that lacks something, beginning again after the last; one query."""
    lacking = Table.objects.in_evenings([evening]).incomplete().exclude(pk=after.pk)
    here = (after.round.number, after.number)
    placed = [((table.round.number, table.number), table) for table in lacking]
    order = sorted(placed, key=lambda each: (each[0] < here, each[0]))
    return order[0][1] if order else None


def _doubts(tables: Collection[int]) -> tuple[Counter[int], Counter[int]]:
    """Return by table the deals that the rules found suspicious, and those that nobody has checked."""
    warnings, unchecked = Counter[int](), Counter[int]()
    deals = Deal.objects.standing().filter(table__in=tables)
    for table, doubted, checked in deals.values_list("table", "doubted", "checked"):
        warnings[table] += doubted
        unchecked[table] += not checked
    return warnings, unchecked
