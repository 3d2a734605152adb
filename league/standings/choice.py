"""Which evenings count for a player: all, the best, all but some that are dropped, or the best on average.

A choice is a function of the values of the evenings attended, in order of time, None where one has no worth; it answers
the positions that count, in order. `CHOICES` has the choices by name: the next one is a function, its words, its keys
and an example in examples.toml.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from league.standings import fields
from league.standings.fields import Key
from scoring.rules.words import gettext_noop as _

Values = Sequence[int | None]


class Final(NamedTuple):
    """The season's final where it always counts: whether it was held, and its position if it has a worth here."""

    held: bool = False
    at: int | None = None


class Choice(NamedTuple):
    """A choice: its words, its function, its keys beside `which`, and whether the total is a mean.

    Where it is, values are worths alone, and weigh in the mean; else a value is worth × weight.
    """

    words: str
    choose: Callable[..., list[int]]
    keys: Mapping[str, Key] = {}
    mean: bool = False


def all_evenings(values: Values, final: Final) -> list[int]:
    """Return every evening with a worth; the final is one of them."""
    if None not in values:  # the usual case
        return list(range(len(values)))
    return [at for at, value in enumerate(values) if value is not None]


def best(values: Values, final: Final, *, n: int | None) -> list[int]:
    """Return the n best, among equals the later.

    All without n. A final that was held takes one of the n, for everyone.
    """
    if n is None:
        return all_evenings(values, final)
    return sorted([*_best_first(values, final)[: n - final.held], *([] if final.at is None else [final.at])])


def drop(values: Values, final: Final, *, each: int, after: int) -> list[int]:
    """Return all but the worst, one for each full `each` attended beyond `after`, whatever was attended.

    Never the final.
    """
    dropped = max(len(values) - after, 0) // each
    others = _best_first(values, final)
    return sorted([*others[: max(len(others) - dropped, 0)], *([] if final.at is None else [final.at])])


def _best_first(values: Values, final: Final) -> list[int]:
    """Return every position with a worth but the final's, by value, among equals the later first."""
    valued = [(value, at) for at, value in enumerate(values) if value is not None and at != final.at]
    valued.sort(reverse=True)
    return [at for _value, at in valued]


CHOICES: Mapping[str, Choice] = {
    "all": Choice(_("all evenings"), all_evenings),
    "best": Choice(_("the best evenings"), best, {"n": Key(fields.positive)}),
    "drop": Choice(_("all evenings but the worst"), drop, {"each": Key(fields.positive), "after": Key(fields.count)}),
    "average": Choice(_("the mean of the best evenings"), best, {"n": Key(fields.positive, None)}, mean=True),
}
