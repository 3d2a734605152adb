"""What the next evening would have to bring, for somebody to have more than a number of points. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

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
    """The least whole value that is enough, and the positions that count now and would not count then."""

    value: int
    drops: tuple[int, ...]


def total_after(rules: StandingsRules, own: OwnSeason, value: int) -> tuple[Exact, list[int]]:
    """Return the total after one more evening of that value, and the positions that count; the new one is last."""
    choice = CHOICES[rules.counts.name]
    values, weights = [*own.values, value], [*own.weights, 1]
    counted = choice.choose(values, own.final, **dict(rules.counts.options))
    if not choice.mean:
        return sum((values[at] or 0 for at in counted), start=own.on_top), counted
    weight = sum(weights[at] for at in counted)
    summed = sum((values[at] or 0) * weights[at] for at in counted)
    return own.on_top + (exact(summed, weight) if weight else 0), counted


def needed(rules: StandingsRules, own: OwnSeason, goal: Exact) -> NextEvening | None:
    """Return what is enough for more than `goal`: −MOST when anything is, None when nothing is.

    A higher value never lowers the total as long as every weight is 1 or more, so the least one is found by halving.
    """
    if total_after(rules, own, MOST)[0] <= goal:
        return None
    low, high = -MOST, MOST
    while low < high:
        middle = (low + high) // 2
        if total_after(rules, own, middle)[0] > goal:
            high = middle
        else:
            low = middle + 1
    choice = CHOICES[rules.counts.name]
    before = choice.choose(list(own.values), own.final, **dict(rules.counts.options))
    after = set(total_after(rules, own, high)[1])
    return NextEvening(high, tuple(at for at in before if at not in after))
