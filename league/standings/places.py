"""Places, which whoever is level shares; and a season's rows with their ranks before its newest evening."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from league.standings.ranking import StandingRow, TieBreakNumbers, standings_since, tie_break_numbers
from league.standings.rules import StandingsRules
from league.standings.season import Id, PointsGiven, SeasonEvening


class Place(NamedTuple):
    """A row of a season's standings, and the rank that it had before the newest evening."""

    row: StandingRow
    rank_before: int | None


def ranks(points: Sequence[int]) -> list[int]:
    """Return ranks as 1, 2, 2, 4: each one's is one more than those with more points."""
    ordered = sorted(points, reverse=True)
    first: dict[int, int] = {}
    for index, value in enumerate(ordered):
        first.setdefault(value, index + 1)
    return [first[value] for value in points]


def places(
    rules: StandingsRules, evenings: Iterable[SeasonEvening], adjustments: Iterable[PointsGiven] = ()
) -> list[Place]:
    """Return a season's places, as `standings` orders them. Partners are counted as the evenings tell them."""
    held = sorted(evenings, key=lambda evening: (evening.date, evening.id))
    partners = [_partners(rules, some) for some in (held, held[:-1])]
    rows, before = standings_since(rules, held, list(adjustments), *partners)
    return [Place(row, before.get(row.player)) for row in rows]


def tie_breaks(
    rules: StandingsRules, evenings: Sequence[SeasonEvening], adjustments: Iterable[PointsGiven], *, player: Id
) -> list[TieBreakNumbers]:
    """Return the tie-breaks that `places` applied to the group of a player, with their numbers."""
    return tie_break_numbers(rules, evenings, adjustments, _partners(rules, evenings), player=player)


def _partners(rules: StandingsRules, evenings: Iterable[SeasonEvening]) -> Mapping[Id, int]:
    """Return how many different partners each player had, if the rules ask."""
    if not rules.partners:
        return {}
    met: dict[Id, set[Id]] = {}
    for evening in evenings:
        for result in evening.results:
            met.setdefault(result.player, set()).update(result.partners)
    return {player: len(partners) for player, partners in met.items()}
