"""The records of deals, month by month, found while a season's deals are added."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

from league.models import Season
from league.statistics.queries.counted_deals import CountedDeal
from league.statistics.queries.record_rows import NAMED, RecordRow
from scoring.game import find_game

HIGHEST_DEAL, LOWEST_DEAL = "highest_deal", "lowest_deal"
FEAT: Final = "feat:"  # before the name of a game's own


class _Holder(NamedTuple):
    """Who holds a record, and where; in the order in which records were made."""

    day: date
    evening: int
    deal: int
    seat: int
    player: int
    table: int


class _Best(NamedTuple):
    value: int
    held: list[_Holder]


class DealRecords:
    """The records of a season's deals while these are added; each month by itself."""

    def __init__(self, season: Season) -> None:
        self.season = season.pk
        self.feats = find_game(season.game).records.feats
        self.found: dict[tuple[str, date], _Best] = {}
        self.extremes: dict[int, tuple[int, int]] = {}  # of each evening's deals so far, lowest and highest

    def add(self, deal: CountedDeal) -> None:
        """Add a deal: its highest and lowest points, and what its game finds worth a record."""
        points = [gained for _player, gained in deal.given]
        low, high = self.extremes.get(deal.evening.pk, (points[0], points[0] - 1))
        if max(points) >= high or min(points) <= low:  # nearly all deals are within those before
            self.extremes[deal.evening.pk] = min(low, *points), max(high, *points)
            for seat, gained in enumerate(points):
                self._offer(HIGHEST_DEAL, gained, deal, seat)
                self._offer(LOWEST_DEAL, gained, deal, seat)
        if deal.read is not None:
            for name, seat in self.feats(deal.read, deal.options):
                self._offer(f"{FEAT}{name}", points[seat], deal, seat)

    def _offer(self, name: str, value: int, deal: CountedDeal, seat: int) -> None:
        """Note a value if it is the best of its month so far, or as good."""
        day = deal.evening.date
        key = (name, day.replace(day=1))
        best = self.found.get(key)
        held = _Holder(day, deal.evening.pk, deal.pk, seat, deal.given[seat][0], deal.table)
        if best is None or (value != best.value and (value < best.value) == (name == LOWEST_DEAL)):
            self.found[key] = _Best(value, [held])
        elif value == best.value:
            best.held.append(held)

    def rows(self) -> Iterator[RecordRow]:
        """Yield the records of the deals so far."""
        for (name, month), best in self.found.items():
            for place, each in enumerate(sorted(best.held)[:NAMED], 1):
                where = {"player": each.player, "evening": each.evening, "table": each.table, "deal": each.deal}
                yield RecordRow(self.season, name, month, place, best.value, len(best.held), **where)
