"""What the deals of a season's closed evenings count for each player, as it follows from facts and scores."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from league.models import Deal, Evening, PlayerStatistics, Round, Score, Season, Table
from league.results.among import among
from players.columns import Columns, of_rows
from scoring import registry
from scoring.game import find_game
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Rules
from scoring.statistics import Tally

# One more with every change of what is counted, so that everything is counted again.
COUNTING: Final = 1


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


def statistics_of(seasons: Collection[Season]) -> dict[int, dict[int, PlayerCounters]]:
    """Return the players' counters of several seasons by their ids; four queries, one where all have totals only.

    A deal that can't be read adds its points only.
    """
    found: dict[int, dict[int, PlayerCounters]] = {season.pk: defaultdict(PlayerCounters) for season in seasons}
    closed = Evening.objects.closed().filter(season__in=seasons).order_by()
    rounds = Round.objects.accepted().filter(among("evening", closed.values("pk"))).order_by()
    tables = Table.objects.filter(among("round", rounds.values("pk")), complete=True, recorded__gt=0).order_by()
    evening_of = dict(tables.values_list("pk", "round__evening"))
    if evening_of:
        evenings = Evening.objects.filter(pk__in=set(evening_of.values())).select_related("season")
        played = {evening.pk: _Played(evening, registry.rules(evening.season.game)) for evening in evenings}
        deals = Deal.objects.filter(table__in=list(evening_of), voided_at=None)
        seats: dict[int, list[tuple[int, int]]] = defaultdict(list)
        scores = Score.objects.filter(deal__in=deals.order_by()).order_by("deal", "seat__number")
        for deal, player, points in scores.values_list("deal", "seat__player", "points"):
            seats[deal].append((player, points))
        for pk, facts, table in deals.order_by("pk").values_list("pk", "facts", "table"):
            evening = played[evening_of[table]]
            players = found[evening.season]
            tallies = evening.tallies(facts, [points for _player, points in seats[pk]])
            for (player, points), tally in zip(seats[pk], tallies, strict=True):
                players[player].add(pk, points, tally)
    return {season: dict(players) for season, players in found.items()}


class _Played:
    """An evening with what its deals are read by; what can't be read counts nothing."""

    def __init__(self, evening: Evening, rules: Rules) -> None:
        self.season = evening.season_id
        self.rules = rules
        self.statistics = find_game(evening.season.game).statistics
        try:
            self.options = rules.read_options(evening.house_rules)
        except IllegalDeal:
            self.options = None

    def tallies(self, facts: object, points: Sequence[int]) -> Sequence[Tally]:
        """Return what each seat of a deal adds."""
        if self.options is not None:
            with suppress(IllegalDeal):  # the list of sheets and `verify` tell of it
                return self.statistics.tally(self.rules.read(len(points), facts), self.options, points)
        return ({},) * len(points)


def columns(found: Mapping[int, Mapping[int, PlayerCounters]]) -> Columns:
    """Return the rows of seasons' statistics, by the seasons' ids, column by column."""
    names = (*PlayerStatistics.KEY, *PlayerStatistics.DERIVED)
    rows = [_row(season, player, counted) for season, by in found.items() for player, counted in by.items()]
    return of_rows(names, rows)


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
        COUNTING,
    )
