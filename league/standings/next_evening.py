"""Computes the target for a player's next evening: the lowest value that lifts the player's total above a goal. No
Django.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import lcm
from typing import Final, NamedTuple

from league.standings.counted_evenings import COUNTED_EVENINGS_RULES, SeasonFinal
from league.standings.rules import StandingsRules
from league.standings.season import ExactNumber, exact_number

VALUE_LIMIT: Final = 1_000_000  # higher than the worth of any evening


class SeasonSoFar(NamedTuple):
    """A player's season so far. `values` and `weights` have an entry for each evening attended.

    `values` are as in `CountedEveningsRule`: worth × weight, or the worth alone for a mean; None for an evening without
    a worth.
    """

    values: Sequence[ExactNumber | None]
    weights: Sequence[int]
    final: SeasonFinal
    extras_and_adjustments: int  # extras (also of the next evening) plus adjustments


class EveningTarget(NamedTuple):
    """The lowest possible value of the next evening that gets the total above the goal.

    `dropped_indexes` are the indexes of evenings that would then no longer count.
    """

    value: ExactNumber
    dropped_indexes: tuple[int, ...]


class EveningLimits(NamedTuple):
    """The limits of the next evening: the number of tables, the possible numbers of opponents at a table, and whether
    points can't be negative.
    """

    table_count: int
    opponent_counts: Sequence[int]
    never_negative: bool


class PossibleValues(NamedTuple):
    """The possible values of an evening: the sorted list `values`, if there are few.

    If `values` is empty, the possible values are the multiples of `step` from `lowest` to `highest`.
    """

    step: Fraction = Fraction(1)
    lowest: int = -VALUE_LIMIT
    highest: int = VALUE_LIMIT
    values: Sequence[ExactNumber] = ()

    def __len__(self) -> int:
        return len(self.values) or int((self.highest - self.lowest) / self.step) + 1

    def value(self, index: int) -> ExactNumber:
        return self.values[index] if self.values else exact_number(self.lowest + index * self.step, 1)


def possible_values(rules: StandingsRules, evening: EveningLimits) -> PossibleValues:
    options = dict(rules.worth.options)
    lowest = 0 if evening.never_negative else -VALUE_LIMIT
    match rules.worth.name:
        case "points":
            return PossibleValues(lowest=lowest)
        case "average":
            return PossibleValues(step=Fraction(1, 100), lowest=lowest)  # pages round averages to hundredths
        case "places":
            rest = options["points"][-1] if options["rest"] is None else options["rest"]
            return PossibleValues(values=sorted({*options["points"], rest}))
        case "wins":
            table_values = (0, options["win"], options["loss"], options["exempt"])  # 0 for a table with equal totals
            values = sorted(
                {sum(tables) for tables in combinations_with_replacement(table_values, evening.table_count)}
            )
            lowest = values[0] if evening.never_negative else -VALUE_LIMIT
            return PossibleValues(lowest=lowest) if options["plus_points"] else PossibleValues(values=values)
        case "opponents":
            return PossibleValues(
                step=Fraction(1, 2 * lcm(*evening.opponent_counts)), lowest=0, highest=evening.table_count
            )
    raise KeyError(rules.worth.name)


def total_after(rules: StandingsRules, season: SeasonSoFar, value: ExactNumber) -> tuple[ExactNumber, list[int]]:
    """Return the total after one more evening with this value and weight 1, and the indexes of the evenings that then
    count.
    """
    choice = COUNTED_EVENINGS_RULES[rules.counts.name]
    values, weights = [*season.values, value], [*season.weights, 1]
    counted_indexes = choice.choose(values, season.final, **dict(rules.counts.options))
    if not choice.is_mean:
        return sum(
            (values[index] or 0 for index in counted_indexes), start=season.extras_and_adjustments
        ), counted_indexes
    weight = sum(weights[index] for index in counted_indexes)
    summed = sum((values[index] or 0) * weights[index] for index in counted_indexes)
    return season.extras_and_adjustments + (exact_number(summed, weight) if weight else 0), counted_indexes


def next_evening_target(
    rules: StandingsRules, season: SeasonSoFar, goal: ExactNumber, possible: PossibleValues | None = None
) -> EveningTarget | None:
    """Return the lowest possible value that gets the total above `goal`; None if no value does.

    A higher value never lowers the total if every weight is 1 or more, so binary search finds the lowest value.
    """
    possible = possible or PossibleValues()
    low, high = 0, len(possible) - 1
    if total_after(rules, season, possible.value(high))[0] <= goal:
        return None
    while low < high:
        middle = (low + high) // 2
        if total_after(rules, season, possible.value(middle))[0] > goal:
            high = middle
        else:
            low = middle + 1
    value = possible.value(high)
    choice = COUNTED_EVENINGS_RULES[rules.counts.name]
    before = choice.choose(list(season.values), season.final, **dict(rules.counts.options))
    after = set(total_after(rules, season, value)[1])
    return EveningTarget(value, tuple(index for index in before if index not in after))
