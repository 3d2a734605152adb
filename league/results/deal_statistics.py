"""What the deals of a season's closed evenings count for each player, as it follows from facts and scores."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from league.models import Deal, Evening, PlayerStatistics, Score, Season, Table
from league.models.evening import EveningState
from league.models.round import RoundState
from players.columns import Columns
from scoring import registry
from scoring.game import find_game
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Rules
from scoring.statistics import Statistics, Tally

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
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, deal: int, points: int, tally: Tally) -> None:
        """Add a deal of that id."""
        if not self.deals or points > self.best[0]:
            self.best = (points, deal)
        if not self.deals or points < self.worst[0]:
            self.worst = (points, deal)
        self.deals += 1
        self.points += points
        self.gained += points > 0
        for name, number in tally.items():  # several times faster than Counter.update
            self.counts[name] += number


def statistics_of(seasons: Collection[Season]) -> dict[int, dict[int, PlayerCounters]]:
    """Return the players' counters of several seasons by their ids; one query for all that have totals only."""
    tables = Table.objects.filter(
        recorded__gt=0,
        complete=True,
        round__state=RoundState.ACCEPTED,
        round__evening__state=EveningState.CLOSED,
        round__evening__season__in=seasons,
    )
    dealt = set(tables.order_by().values_list("round__evening__season", flat=True).distinct())
    return {season.pk: season_statistics(season) if season.pk in dealt else {} for season in seasons}


def season_statistics(season: Season) -> dict[int, PlayerCounters]:
    """Return the players' counters by their ids; three queries. A deal that can't be read adds its points only."""
    rules, statistics = registry.rules(season.game), find_game(season.game).statistics
    where = {
        "voided_at": None,
        "table__complete": True,
        "table__round__state": RoundState.ACCEPTED,
        "table__round__evening__state": EveningState.CLOSED,
        "table__round__evening__season": season.pk,
    }
    deals = Deal.objects.filter(**where).order_by("pk")
    seats: dict[int, list[tuple[int, int]]] = defaultdict(list)
    scores = Score.objects.filter(deal__in=deals.order_by()).order_by("deal", "seat__number")
    for deal, player, points in scores.values_list("deal", "seat__player", "points"):
        seats[deal].append((player, points))
    found: dict[int, PlayerCounters] = defaultdict(PlayerCounters)
    evenings = Evening.objects.filter(season=season, state=EveningState.CLOSED).select_related("season")
    options = {evening.pk: _options(rules, evening) for evening in evenings}
    for pk, facts, evening in deals.values_list("pk", "facts", "table__round__evening"):
        points_of_seats = [points for _player, points in seats[pk]]
        tallies = _tallies(rules, statistics, facts, options[evening], points_of_seats)
        for (player, points), tally in zip(seats[pk], tallies, strict=True):
            found[player].add(pk, points, tally)
    return dict(found)


def _options(rules: Rules, evening: Evening) -> Any:
    """Return the options of the evening's house rules; None where they can't be read."""
    try:
        return rules.read_options(evening.house_rules)
    except IllegalDeal:
        return None


def _tallies(
    rules: Rules, statistics: Statistics, facts: object, options: Any, points: Sequence[int]
) -> Sequence[Tally]:
    nothing: tuple[Tally, ...] = ({},) * len(points)
    if options is None:
        return nothing
    try:
        deal = rules.read(len(points), facts)
    except IllegalDeal:  # the list of sheets and `verify` tell of it
        return nothing
    return statistics.tally(deal, options, points)


def columns(found: Mapping[int, Mapping[int, PlayerCounters]]) -> Columns:
    """Return the rows of seasons' statistics, by the seasons' ids, column by column."""
    names = (*PlayerStatistics.KEY, *PlayerStatistics.DERIVED)
    rows = [_row(season, player, counted) for season, by in found.items() for player, counted in by.items()]
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


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
