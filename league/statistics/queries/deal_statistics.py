"""What the deals of a season's closed evenings count for each player, as it follows from facts and scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from league.models import PlayerStatistics, Season, versions
from league.statistics.queries.counted_deals import CountedDeal, counted_deals
from players.columns import Columns, columns_of_rows
from scoring.game import find_game
from scoring.statistics import Tally


@dataclass(slots=True)
class PlayerCounters:
    """A player's counters while deals are added; deals come in the order of their ids."""

    deals: int = 0
    points: int = 0
    gained: int = 0
    best: tuple[int, int] = (0, 0)  # points, and the deal's id
    worst: tuple[int, int] = (0, 0)
    counts: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # adds in half of a Counter's time

    def add(self, deal: int, points: int, tally: Tally) -> None:
        """Add a deal of that id."""
        if not self.deals or points > self.best[0]:
            self.best = (points, deal)
        if not self.deals or points < self.worst[0]:
            self.worst = (points, deal)
        self.deals += 1
        self.points += points
        self.gained += points > 0
        for name, number in tally.items():
            self.counts[name] += number


class DealStatistics:
    """The players' counters of some seasons while their deals are added."""

    def __init__(self, seasons: Collection[Season]) -> None:
        self.tally = {season.pk: find_game(season.game).statistics.tally for season in seasons}
        self.found: dict[int, dict[int, PlayerCounters]] = {pk: defaultdict(PlayerCounters) for pk in self.tally}

    def through(self, deals: Iterable[CountedDeal]) -> Iterator[CountedDeal]:
        """Add each deal, and hand it on: they are read once for all that is made of them."""
        for deal in deals:
            self._add(deal)
            yield deal

    def _add(self, deal: CountedDeal) -> None:
        """Add a deal; one that can't be read adds its points only."""
        season = deal.evening.season_id
        players, points = self.found[season], [points for _player, points in deal.given]
        unread: Sequence[Tally] = ({},) * len(points)
        tallies = unread if deal.read is None else self.tally[season](deal.read, deal.options, points)
        for (player, gained), tally in zip(deal.given, tallies, strict=True):
            players[player].add(deal.pk, gained, tally)


def statistics_of(seasons: Collection[Season]) -> dict[int, dict[int, PlayerCounters]]:
    """Return the players' counters of several seasons by their ids; four queries, one where all have totals only."""
    counting = DealStatistics(seasons)
    for _deal in counting.through(counted_deals(seasons)):
        pass
    return counting.found


def columns(found: Mapping[int, Mapping[int, PlayerCounters]]) -> Columns:
    """Return the rows of seasons' statistics, by the seasons' ids, column by column."""
    names = (*PlayerStatistics.KEY, *PlayerStatistics.DERIVED)
    rows = [_row(season, player, counted) for season, by in found.items() for player, counted in by.items()]
    return columns_of_rows(names, rows)


def _row(season: int, player: int, counted: PlayerCounters) -> tuple[Any, ...]:
    """Return the values of `KEY` and `DERIVED`."""
    return (
        season,
        player,
        counted.deals,
        counted.points,
        counted.gained,
        *counted.best,
        *counted.worst,
        {name: number for name, number in sorted(counted.counts.items()) if number},
        versions.STATISTICS,
    )
