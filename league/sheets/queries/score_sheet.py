"""A table's sheet as pages show it: its deals in order with each seat's points and running totals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.db.models import Prefetch
from django.utils.translation import gettext

from league.models import Deal, Score, Seat, Table
from league.seasons.queries.season_game import season_game
from league.sheets.queries.deal_scores import earlier_facts, is_readable, read_facts
from league.sheets.queries.held_points import can_hold, held_after
from scoring.numbers import localised
from scoring.phrases import Explanation, explain
from scoring.rules.errors import IllegalDeal


class SheetCell(NamedTuple):
    """One seat in one deal: what it got and its total so far; None where it sat the deal out."""

    points: int | None
    total: int


class SheetRow(NamedTuple):
    """One deal of a sheet."""

    deal: Deal
    summary: str
    cells: list[SheetCell]
    is_readable: bool


class ScoreSheet(NamedTuple):
    """A table with its seats in order and its deals."""

    table: Table
    seats: list[Seat]
    rows: list[SheetRow]
    held: int = 0  # points that each winner of the next deal gets besides

    @property
    def held_words(self) -> str:
        """What becomes of the points that are held; empty if none are."""
        if not self.held:
            return ""
        words = {"points": localised(self.held)}
        if self.table.complete:
            return gettext("%(points)s held: nobody’s by this season’s rules") % words
        return gettext("%(points)s held") % words

    @property
    def written(self) -> bool:
        """Whether totals were handed in, beside the deals or without any."""
        return any(seat.written is not None for seat in self.seats)

    @property
    def paper(self) -> bool:
        """Whether a total is known that stands on the paper."""
        return any(seat.on_paper is not None for seat in self.seats)

    @property
    def differs(self) -> bool:
        """Whether the paper says something else than the deals."""
        return any(seat.differs for seat in self.seats)


def read_sheet(table: Table) -> ScoreSheet:
    """Return the sheet of a table that was fetched with its club: two queries."""
    seats = list(table.seats.select_related("player"))
    scores = Prefetch("scores", Score.objects.only("deal_id", "seat_id", "points"))
    deals = Deal.objects.filter(table=table).standing().prefetch_related(scores)
    totals = dict.fromkeys((seat.pk for seat in seats), 0)
    rows = []
    for deal in deals:
        points = {score.seat_id: score.points for score in deal.scores.all()}
        for seat, gained in points.items():
            totals[seat] += gained
        cells = [SheetCell(points.get(seat.pk), totals[seat.pk]) for seat in seats]
        rows.append(SheetRow(deal, summary(table, deal, seats), cells, is_readable(table, deal)))
    held = held_after(table, [row.deal.facts for row in rows]) if can_hold(table.round.evening) else 0
    return ScoreSheet(table, seats, rows, held)


def playing_names(seats: Sequence[Seat], rests: Sequence[int]) -> list[str]:
    """Return the names of those who play a deal, by the engine's seat.

    The table's seats in order without the resting ones.
    """
    return [str(seat.player) for seat in seats if seat.number not in rests]


def summary(table: Table, deal: Deal, seats: Sequence[Seat]) -> str:
    """Return a deal in a few words; where its facts can no longer be read, that."""
    facts = read_facts(table, deal)
    if facts is None:
        return gettext("can’t be read any more")
    return season_game(table.round.evening.season).summary(facts, playing_names(seats, deal.rests))


def explanation(deal: Deal, seats: Sequence[Seat]) -> Explanation | None:
    """Return why a deal gives what it gives, with its players' names; None where its facts can no longer be read."""
    evening = deal.table.round.evening
    game = season_game(evening.season)
    try:
        carries = game.rules.carries(game.rules.read_options(evening.house_rules))
        earlier = earlier_facts(deal.table, deal.number) if carries else []
        return explain(game, deal.facts, playing_names(seats, deal.rests), evening.house_rules, earlier)
    except IllegalDeal:
        return None


def unreadable_before(deal: Deal) -> Deal | None:
    """Return the first of the table's deals before this one that can't be read any more, if there is one."""
    before = Deal.objects.filter(table=deal.table, number__lt=deal.number or 0).standing()
    return next((each for each in before if not is_readable(deal.table, each)), None)
