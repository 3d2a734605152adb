"""Rules that choose the counted evenings of a player: all evenings, the best, all but the worst, or the best on
average.

Such a rule is a function. It gets the values of the evenings that the player attended, in order of time, with None for
an evening without a worth, and returns the indexes of the counted evenings, in order. To add a rule to
`COUNTED_EVENINGS_RULES`, write a function, its description, its keys and an example in examples.toml.
docs/standings.md contains the function's docstring.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from league.standings import fields
from league.standings.fields import JsonKey
from scoring.rules.words import gettext_noop as _

EveningValues = Sequence[int | None]  # of a player's evenings in order of time; None for an evening without a worth


class SeasonFinal(NamedTuple):
    """The final of a season, for rules that always count it.

    `was_held` is False if no final was held, or if the rules do not always count it. `value_index` is the final's index
    in the player's EveningValues; None if `was_held` is False, or if the player did not attend the final or has no
    worth there.
    """

    was_held: bool = False
    value_index: int | None = None

    @property
    def always_counted_indexes(self) -> list[int]:
        return [] if self.value_index is None else [self.value_index]


class CountedEveningsRule(NamedTuple):
    """A rule that chooses the counted evenings of a player.

    `choose` gets values of evenings: worth × weight. For a mean, the value is the worth alone, because the mean applies
    the weights itself.
    """

    description: str
    choose: Callable[..., list[int]]
    keys: Mapping[str, JsonKey] = {}  # further JSON keys of the rule; `which` is its name
    is_mean: bool = False  # the total is a mean


def all_evenings(values: EveningValues, final: SeasonFinal) -> list[int]:
    """Return every evening that has a worth, the final included."""
    if None not in values:  # the usual case
        return list(range(len(values)))
    return [index for index, value in enumerate(values) if value is not None]


def best_evenings(values: EveningValues, final: SeasonFinal, *, n: int | None) -> list[int]:
    """Return the n best evenings, of equal ones the later; all evenings if n is not given.

    A final that was held takes one of the n, also for players who did not attend it or have no worth there.
    """
    if n is None:
        return all_evenings(values, final)
    return sorted([*_indexes_best_first(values, final)[: n - final.was_held], *final.always_counted_indexes])


def all_but_worst(values: EveningValues, final: SeasonFinal, *, each: int, after: int) -> list[int]:
    """Return all evenings except the worst.

    One evening is dropped for each full group of `each` evenings that the player attended beyond the first `after`,
    with or without a worth. The final is never dropped.
    """
    drop_count = max(len(values) - after, 0) // each
    candidates = _indexes_best_first(values, final)
    remaining = candidates[: max(len(candidates) - drop_count, 0)]
    return sorted([*remaining, *final.always_counted_indexes])


def _indexes_best_first(values: EveningValues, final: SeasonFinal) -> list[int]:
    valued = [(value, index) for index, value in enumerate(values) if value is not None and index != final.value_index]
    valued.sort(reverse=True)
    return [index for _value, index in valued]


COUNTED_EVENINGS_RULES: Mapping[str, CountedEveningsRule] = {
    "all": CountedEveningsRule(_("all evenings"), all_evenings),
    "best": CountedEveningsRule(_("the best evenings"), best_evenings, {"n": JsonKey(fields.positive_integer)}),
    "drop": CountedEveningsRule(
        _("all evenings but the worst"),
        all_but_worst,
        {"each": JsonKey(fields.positive_integer), "after": JsonKey(fields.count)},
    ),
    "average": CountedEveningsRule(
        _("the mean of the best evenings"), best_evenings, {"n": JsonKey(fields.positive_integer, None)}, is_mean=True
    ),
}
