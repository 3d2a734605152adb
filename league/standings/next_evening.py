"""What the next evening would have to bring, for somebody to have more than a number of points. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import lcm
from typing import Any, Final, NamedTuple

from league.standings.choice import CHOICES
from league.standings.choice import Final as SeasonFinal
from league.standings.rules import StandingsRules
from league.standings.season import Exact, exact

MOST: Final = 1_000_000  # what no evening is worth


class OwnSeason(NamedTuple):
    """A player's season so far, an evening attended each: values (None without a worth) and the evenings' weights.

    Values are as `Choice` has them: worth × weight, or worth alone where the total is a mean. `on_top` are the extras,
    the next evening's included, and adjustments.
    """

    values: Sequence[Exact | None]
    weights: Sequence[int]
    final: SeasonFinal
    on_top: int


class NextEvening(NamedTuple):
    """The least possible value that is enough, and the positions that count now and would not count then."""

    value: Exact
    drops: tuple[int, ...]


class EveningLimits(NamedTuple):
    """What is known of the next evening: tables at most, opponents that a table may have, and no negative points."""

    tables: int
    opponents: Sequence[int]
    never_negative: bool


class Possible(NamedTuple):
    """The values that an evening may have: `values` in order if they are few, else multiples of `step` in bounds.

    Without a bound `MOST` is far enough.
    """

    step: Fraction = Fraction(1)
    lowest: int = -MOST
    highest: int = MOST
    values: Sequence[Exact] = ()

    def __len__(self) -> int:
        """Return how many values there are."""
        return len(self.values) or int((self.highest - self.lowest) / self.step) + 1

    def value(self, index: int) -> Exact:
        """Return the value at an index, the least first."""
        return self.values[index] if self.values else exact(self.lowest + index * self.step, 1)


def possible(rules: StandingsRules, evening: EveningLimits) -> Possible:
    """Return what the evening can be worth by the season's rules."""
    return _POSSIBLE[rules.worth.name](dict(rules.worth.options), evening)


def _of_points(options: Mapping[str, Any], evening: EveningLimits) -> Possible:
    return Possible(lowest=0 if evening.never_negative else -MOST)


def _of_average(options: Mapping[str, Any], evening: EveningLimits) -> Possible:
    return Possible(step=Fraction(1, 100), lowest=0 if evening.never_negative else -MOST)  # as pages round it


def _of_places(options: Mapping[str, Any], evening: EveningLimits) -> Possible:
    rest = options["points"][-1] if options["rest"] is None else options["rest"]
    return Possible(values=sorted({*options["points"], rest}))


def _of_wins(options: Mapping[str, Any], evening: EveningLimits) -> Possible:
    each = (0, options["win"], options["loss"], options["exempt"])  # a level table is worth nothing
    values = sorted({sum(some) for some in combinations_with_replacement(each, evening.tables)})
    if not options["plus_points"]:
        return Possible(values=values)
    return Possible(lowest=values[0] if evening.never_negative else -MOST)


def _of_opponents(options: Mapping[str, Any], evening: EveningLimits) -> Possible:
    return Possible(step=Fraction(1, 2 * lcm(*evening.opponents)), lowest=0, highest=evening.tables)


_POSSIBLE: Final[Mapping[str, Callable[[Mapping[str, Any], EveningLimits], Possible]]] = {
    "points": _of_points,
    "average": _of_average,
    "places": _of_places,
    "wins": _of_wins,
    "opponents": _of_opponents,
}


def total_after(rules: StandingsRules, own: OwnSeason, value: Exact) -> tuple[Exact, list[int]]:
    """Return the total after one more evening of that value, and the positions that count; the new one is last."""
    choice = CHOICES[rules.counts.name]
    values, weights = [*own.values, value], [*own.weights, 1]
    counted = choice.choose(values, own.final, **dict(rules.counts.options))
    if not choice.mean:
        return sum((values[at] or 0 for at in counted), start=own.on_top), counted
    weight = sum(weights[at] for at in counted)
    summed = sum((values[at] or 0) * weights[at] for at in counted)
    return own.on_top + (exact(summed, weight) if weight else 0), counted


def needed(rules: StandingsRules, own: OwnSeason, goal: Exact, among: Possible | None = None) -> NextEvening | None:
    """Return the least possible value that is enough for more than `goal`; None when nothing is.

    A higher value never lowers the total as long as every weight is 1 or more, so the least one is found by halving.
    """
    among = among or Possible()
    low, high = 0, len(among) - 1
    if total_after(rules, own, among.value(high))[0] <= goal:
        return None
    while low < high:
        middle = (low + high) // 2
        if total_after(rules, own, among.value(middle))[0] > goal:
            high = middle
        else:
            low = middle + 1
    value = among.value(high)
    choice = CHOICES[rules.counts.name]
    before = choice.choose(list(own.values), own.final, **dict(rules.counts.options))
    after = set(total_after(rules, own, value)[1])
    return NextEvening(value, tuple(at for at in before if at not in after))
