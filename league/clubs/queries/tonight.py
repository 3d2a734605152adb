"""The open evenings of a club for users who record results: missing sheets, and the next step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from league.models import Attendance, Evening, Table
from league.sheets.queries.missing_deals import missing_text


class NextStep(StrEnum):
    CHECK_IN = "check_in"
    DRAW = "draw"
    ENTER = "enter"
    CLOSE = "close"
    TOURNAMENT = "tournament"  # a tournament's own page shows the steps of the day


class IncompleteSheet(NamedTuple):
    table: Table
    text: str  # the reason why it is incomplete


class TonightCard(NamedTuple):
    """An open evening: numbers of present players and of tables, incomplete score sheets, and the next step."""

    evening: Evening
    present: int
    tables: int
    missing: Sequence[IncompleteSheet]
    next_step: NextStep

    @property
    def complete_tables(self) -> int:
        return self.tables - len(self.missing)


def tonight_cards(evenings: Sequence[Evening]) -> list[TonightCard]:
    """Return one card per evening. The evenings must be fetched with their seasons.

    Two queries, or none without evenings.
    """
    if not evenings:
        return []
    present_at = Attendance.objects.filter(evening__in=evenings, to_round=None).values_list("evening", flat=True)
    present = Counter(present_at)
    tables = list(Table.objects.in_evenings(evenings))
    return [_tonight_card(evening, present[evening.pk], tables) for evening in evenings]


def _tonight_card(evening: Evening, present: int, all_tables: Sequence[Table]) -> TonightCard:
    tables = [table for table in all_tables if table.round.evening_id == evening.pk]
    missing = [
        IncompleteSheet(table, missing_text(table, table.round.evening.season))
        for table in tables
        if not table.complete
    ]
    return TonightCard(evening, present, len(tables), missing, _next_step(evening, present, len(tables), len(missing)))


def _next_step(evening: Evening, present: int, tables: int, missing: int) -> NextStep:
    if evening.season.tournament_id is not None:
        return NextStep.TOURNAMENT
    if missing:
        return NextStep.ENTER
    if tables:
        return NextStep.CLOSE
    return NextStep.DRAW if present >= min(evening.season.table_sizes) else NextStep.CHECK_IN
