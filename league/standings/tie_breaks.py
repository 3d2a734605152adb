"""What decides between players of equal total: each tie-break is a function here, by its name in the rules.

A tie-break is given those who are still level, and answers a key for each: the higher comes first, equal ones stay
level. `TIE_BREAKS` has them by name: the next one is a function, its words and an example in examples.toml.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from league.standings.season import Exact, Id, PlayerEvening, SeasonEvening, exact
from league.standings.worth import shared_places
from scoring.rules.words import gettext_noop as _


class PlayerSeason:
    """A player's evenings in order of time: which of the season's they are, results, and values over one denominator.

    `counted` and `dropped` are positions in these. Filled in as the season is worked out.
    """

    __slots__ = ("at", "counted", "dropped", "player", "results", "values")

    def __init__(self, player: Id) -> None:
        self.player = player
        self.at: list[int] = []
        self.results: list[PlayerEvening] = []
        self.values: list[int | None] = []
        self.counted: list[int] = []
        self.dropped: list[int] = []

    def before(self, at: int) -> "PlayerSeason":
        """Return it as it was before the season's evening of that place, the newest; nothing is counted or dropped."""
        season = PlayerSeason(self.player)
        end = len(self.at) - (self.at[-1:] == [at])
        season.at, season.results, season.values = self.at[:end], self.results[:end], self.values[:end]
        return season


class SeasonEvenings:
    """A season's evenings in order of time, and who won them."""

    def __init__(self, evenings: Sequence[SeasonEvening]) -> None:
        self.evenings = evenings

    @cached_property
    def winners(self) -> list[set[Id]]:
        """Who is placed first in each, shared or not: among all, guests too."""
        first = [(each.results, next(iter(shared_places(each.results)), [])) for each in self.evenings]
        return [{results[at].player for at in group} for results, group in first]


Level = Sequence[PlayerSeason]
Keys = Sequence[Any]


Numbers = tuple[Exact, ...]


def as_number(key: Any, denominator: int) -> Numbers:
    """Return a key that is a number."""
    return (key,)


def as_value(key: Any, denominator: int) -> Numbers:
    """Return a key that is a value of evenings."""
    return (exact(key, denominator),)


def as_values(key: Any, denominator: int) -> Numbers:
    """Return a key that is a list of values."""
    return tuple(exact(value, denominator) for value in key)


def as_known_number(key: Any, denominator: int) -> Numbers:
    """Return a key that is a number, or says that there is none."""
    known, number = key
    return (exact(number, 1),) if known else ()


def as_known_value(key: Any, denominator: int) -> Numbers:
    """Return a key that is a value, or says that there is none."""
    known, value = key
    return (exact(value, denominator),) if known else ()


def as_fewer(key: Any, denominator: int) -> Numbers:
    """Return a key of which the lower number is better."""
    return (-key,)


class TieBreak(NamedTuple):
    """A tie-break: its words, its function, and what it reads of a PlayerEvening, as `Worth.reads`.

    `numbers` turns a key into the numbers that people read, given the denominator of values.
    """

    words: str
    keys: Callable[[Level, SeasonEvenings], Keys]
    numbers: Callable[[Any, int], Numbers] = as_number
    reads: Collection[str] = ()


def next_best(level: Level, season: SeasonEvenings) -> Keys:
    """Return the values of the evenings that don't count, best first; then who has more of them."""
    return [tuple(sorted(_known([each.values[at] for at in each.dropped]), reverse=True)) for each in level]


def evenings_won(level: Level, season: SeasonEvenings) -> Keys:
    """Return how many evenings a player won, alone or with others."""
    return [sum([each.player in season.winners[at] for at in each.at]) for each in level]


def total_points(level: Level, season: SeasonEvenings) -> Keys:
    """Return the points of all evenings, whatever evenings are worth."""
    return [sum([result.points for result in each.results]) for each in level]


def average(level: Level, season: SeasonEvenings) -> Keys:
    """Return the points of all evenings per deal of all evenings; who has no deal comes last."""
    points = total_points(level, season)
    deals = [sum([result.deals for result in each.results]) for each in level]
    return [(True, Fraction(total, of)) if of else (False, 0) for total, of in zip(points, deals, strict=True)]


def best_evening(level: Level, season: SeasonEvenings) -> Keys:
    """Return the highest value of an evening; who has none comes last."""
    return [max([(True, value) for value in _known(each.values)], default=(False, 0)) for each in level]


def direct(level: Level, season: SeasonEvenings) -> Keys:
    """Return the values added up of the evenings that have one for all of those still level.

    Without one they stay level.
    """
    valued = [
        {at: value for at, value in zip(each.at, each.values, strict=True) if value is not None} for each in level
    ]
    common = set(valued[0]).intersection(*valued[1:])
    return [sum([each[at] for at in common]) for each in valued]


def wins(level: Level, season: SeasonEvenings) -> Keys:
    """Return the tables won on all evenings."""
    return [sum([result.won for result in each.results]) for each in level]


def more_evenings(level: Level, season: SeasonEvenings) -> Keys:
    """Return who attended more evenings."""
    return [len(each.results) for each in level]


def fewer_evenings(level: Level, season: SeasonEvenings) -> Keys:
    """Return who attended fewer evenings."""
    return [-len(each.results) for each in level]


def _known(values: Iterable[int | None]) -> list[int]:
    return [value for value in values if value is not None]


TIE_BREAKS: Mapping[str, TieBreak] = {
    "next_best": TieBreak(_("the next best evening"), next_best, as_values),
    "evenings_won": TieBreak(_("evenings won"), evenings_won),
    "total_points": TieBreak(_("points of all evenings"), total_points),
    "average": TieBreak(_("average per deal"), average, as_known_number),
    "best_evening": TieBreak(_("best evening"), best_evening, as_known_value),
    "direct": TieBreak(_("points on the evenings in common"), direct, as_value),
    "wins": TieBreak(_("tables won"), wins, reads=("won",)),
    "more_evenings": TieBreak(_("more evenings"), more_evenings),
    "fewer_evenings": TieBreak(_("fewer evenings"), fewer_evenings, as_fewer),
}
