"""Counters of players over all deals of a season, computed from the deals' facts (JSON of what happened) and scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from league.models import PlayerStatistics, Season, versions
from league.statistics.queries.counted_deals import CountedDeal, counted_deals
from players.columns import Columns, columns_of_rows
from scoring.game import find_game
from scoring.statistics import CounterIncrements


@dataclass(slots=True)
class PlayerCounters:
    """The counters of a player in a season. Deals must be added in the order of their ids.

    `gained` is the number of deals with more than 0 points.
    """

    deals: int = 0
    points: int = 0
    gained: int = 0
    best: tuple[int, int] = (0, 0)  # points, and the deal's id
    worst: tuple[int, int] = (0, 0)
    counts: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # twice as fast as a Counter

    def add(self, deal: int, points: int, tally: CounterIncrements) -> None:
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
    """The counters of the players of some seasons: `counters` by season id and player id."""

    def __init__(self, seasons: Collection[Season]) -> None:
        self.tally = {season.pk: find_game(season.game).statistics.count_deal for season in seasons}
        self.counters: dict[int, dict[int, PlayerCounters]] = {pk: defaultdict(PlayerCounters) for pk in self.tally}

    def count_each(self, deals: Iterable[CountedDeal]) -> Iterator[CountedDeal]:
        """Count each deal and yield it again, so that several computations need only one pass over the deals."""
        for deal in deals:
            self._add(deal)
            yield deal

    def _add(self, deal: CountedDeal) -> None:
        """Add a deal to the counters of its players. If its facts are invalid, only its points are added."""
        season = deal.evening.season_id
        players, points = self.counters[season], [points for _player, points in deal.scores]
        unread: Sequence[CounterIncrements] = ({},) * len(points)
        tallies = unread if deal.parsed_deal is None else self.tally[season](deal.parsed_deal, deal.options, points)
        for (player, gained), tally in zip(deal.scores, tallies, strict=True):
            players[player].add(deal.pk, gained, tally)


def statistics_of(seasons: Collection[Season]) -> dict[int, dict[int, PlayerCounters]]:
    counting = DealStatistics(seasons)
    for _deal in counting.count_each(counted_deals(seasons)):
        pass
    return counting.counters


def statistics_columns(counters: Mapping[int, Mapping[int, PlayerCounters]]) -> Columns:
    names = (*PlayerStatistics.KEY, *PlayerStatistics.DERIVED)
    rows = [
        _row(season, player, counter) for season, players in counters.items() for player, counter in players.items()
    ]
    return columns_of_rows(names, rows)


def _row(season: int, player: int, counters: PlayerCounters) -> tuple[Any, ...]:
    return (
        season,
        player,
        counters.deals,
        counters.points,
        counters.gained,
        *counters.best,
        *counters.worst,
        {name: number for name, number in sorted(counters.counts.items()) if number},
        versions.STATISTICS,
    )
