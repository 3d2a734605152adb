"""Records of a season's deals, by month: the highest and the lowest deal, and records that the game defines."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Final, NamedTuple

from league.models import Season
from league.statistics.queries.counted_deals import CountedDeal
from league.statistics.queries.record_rows import MAX_HOLDERS, RecordRow
from scoring.game import find_game

HIGHEST_DEAL, LOWEST_DEAL = "highest_deal", "lowest_deal"
DEAL_RECORD_PREFIX: Final = "feat:"  # prefix in the database for names of records that the game defines


class _Holder(NamedTuple):
    """A player who reached the value of a record, with day, evening, deal and table. The earliest is sorted first."""

    day: date
    evening: int
    deal: int
    seat: int
    player: int
    table: int


class _BestValue(NamedTuple):
    value: int
    holders: list[_Holder]


class DealRecords:
    """The records of a season's deals.

    `best` has the best value so far, by (name of the record, first day of the month). `candidates` is the function
    `Records.candidates` of the game.
    """

    def __init__(self, season: Season) -> None:
        self.season = season.pk
        self.candidates = find_game(season.game).records.candidates
        self.best: dict[tuple[str, date], _BestValue] = {}
        self.extremes: dict[int, tuple[int, int]] = {}  # by evening: lowest and highest points so far

    def add(self, deal: CountedDeal) -> None:
        points = [gained for _player, gained in deal.scores]
        low, high = self.extremes.get(deal.evening.pk, (points[0], points[0] - 1))
        if max(points) >= high or min(points) <= low:  # rare, so that most deals cost little
            self.extremes[deal.evening.pk] = min(low, *points), max(high, *points)
            for seat, gained in enumerate(points):
                self._update_record(HIGHEST_DEAL, gained, deal, seat)
                self._update_record(LOWEST_DEAL, gained, deal, seat)
        if deal.parsed_deal is not None:
            for name, seat in self.candidates(deal.parsed_deal, deal.options):
                self._update_record(f"{DEAL_RECORD_PREFIX}{name}", points[seat], deal, seat)

    def _update_record(self, name: str, value: int, deal: CountedDeal, seat: int) -> None:
        day = deal.evening.date
        key = (name, day.replace(day=1))
        best = self.best.get(key)
        holder = _Holder(day, deal.evening.pk, deal.pk, seat, deal.scores[seat][0], deal.table)
        if best is None or (value != best.value and (value < best.value) == (name == LOWEST_DEAL)):
            self.best[key] = _BestValue(value, [holder])
        elif value == best.value:
            best.holders.append(holder)

    def rows(self) -> Iterator[RecordRow]:
        for (name, month), best in self.best.items():
            for number, holder in enumerate(sorted(best.holders)[:MAX_HOLDERS], 1):
                columns = {
                    "player": holder.player,
                    "evening": holder.evening,
                    "table": holder.table,
                    "deal": holder.deal,
                }
                yield RecordRow(self.season, name, month, number, best.value, len(best.holders), **columns)
