"""The score sheet of a table for pages and the API: deals in order, with points and running totals per seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Prefetch
from django.utils.translation import gettext

from league.models import Deal, Score, Seat, Table
from league.seasons.queries.season_game import game_with_season_rules
from league.sheets.queries.deal_scores import (
    depends_on_earlier_deals,
    earlier_facts,
    is_last_deal,
    is_readable,
    last_deal_depends_on_earlier_deals,
    read_facts,
)
from league.sheets.queries.held_points import can_have_held_points, held_points
from scoring.numbers import localise
from scoring.phrases import Explanation, explain
from scoring.rules.errors import IllegalDeal


class SheetCell(NamedTuple):
    """A seat's points in a deal (None if the seat rested), and its running total after the deal."""

    points: int | None
    total: int


class SheetRow(NamedTuple):
    """A deal on the sheet. `summary` describes it in words. `cells` are by seat."""

    deal: Deal
    summary: str
    cells: list[SheetCell]
    is_readable: bool


class ScoreSheet(NamedTuple):
    """The deals of a table with points and running totals."""

    table: Table
    seats: list[Seat]
    rows: list[SheetRow]
    held_points: int = 0  # points that each winner of the table's next deal gets in addition

    @property
    def held_points_text(self) -> str:
        """Return a sentence about points of disputed deals, which wait for the winner of the next deal; "" without
        such points.
        """
        if not self.held_points:
            return ""
        words = {"points": localise(self.held_points)}
        if self.table.complete:
            return gettext("%(points)s held: the table is complete, so nobody gets them") % words
        return gettext("%(points)s held") % words

    @property
    def has_written_totals(self) -> bool:
        return any(seat.written is not None for seat in self.seats)

    @property
    def has_paper_totals(self) -> bool:
        return any(seat.sheet_total is not None for seat in self.seats)

    @property
    def differs_from_paper(self) -> bool:
        """Return whether a total on the paper differs from the recorded total."""
        return any(seat.differs_from_sheet for seat in self.seats)


def read_sheet(table: Table) -> ScoreSheet:
    seats = list(table.seats.select_related("player"))
    scores = Prefetch("scores", Score.objects.only("deal_id", "seat_id", "points"))
    deals = Deal.objects.filter(table=table).not_voided().prefetch_related(scores)
    totals = dict.fromkeys((seat.pk for seat in seats), 0)
    rows = []
    for deal in deals:
        points = {score.seat_id: score.points for score in deal.scores.all()}
        for seat, gained in points.items():
            totals[seat] += gained
        cells = [SheetCell(points.get(seat.pk), totals[seat.pk]) for seat in seats]
        rows.append(SheetRow(deal, deal_summary(table, deal, seats), cells, is_readable(table, deal)))
    held = held_points(table, [row.deal.facts for row in rows]) if can_have_held_points(table.round.evening) else 0
    return ScoreSheet(table, seats, rows, held)


def playing_names(seats: Sequence[Seat], rests: Sequence[int]) -> list[str]:
    """Return the names of the players who do not rest. `rests` are numbers of seats."""
    return [str(seat.player) for seat in seats if seat.number not in rests]


def deal_summary(table: Table, deal: Deal, seats: Sequence[Seat]) -> str:
    """Return the deal in words, or a text which says that its facts are unreadable."""
    facts = read_facts(table, deal)
    if facts is None:
        return gettext("can’t be read any more")
    return game_with_season_rules(table.round.evening.season).summary(facts, playing_names(seats, deal.rests))


def explanation(deal: Deal, seats: Sequence[Seat]) -> Explanation | None:
    """Return the explanation of the deal's points.

    Return None if the deal is unreadable, or an earlier deal that it depends on.
    """
    evening = deal.table.round.evening
    game = game_with_season_rules(evening.season)
    try:
        is_needed = depends_on_earlier_deals(evening) or last_deal_depends_on_earlier_deals(evening)
        earlier = earlier_facts(deal.table, deal.number) if is_needed else []
        last = is_last_deal(deal.table, deal.number, earlier)
        return explain(game, deal.facts, playing_names(seats, deal.rests), evening.house_rules, earlier, last=last)
    except IllegalDeal:
        return None


def first_unreadable_deal_before(deal: Deal) -> Deal | None:
    """Return the first unreadable deal before this deal, or None."""
    before = Deal.objects.filter(table=deal.table, number__lt=deal.number or 0).not_voided()
    return next((earlier for earlier in before if not is_readable(deal.table, earlier)), None)
