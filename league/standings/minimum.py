"""How many evenings someone must have attended to be ranked: a number, or a share of those held.

A minimum is a function of the evenings held and what the season says; it answers a number of evenings. `MINIMUMS` has
them by name: the next one is a function, its words, its reader and an example in examples.toml.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from league.standings import fields
from league.standings.fields import Chosen, Reader
from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.words import gettext_noop as _


class Minimum(NamedTuple):
    """A minimum: its words, its function, and how what the season says is read."""

    words: str
    least: Callable[..., int]
    read: Reader


def evenings(held: int, number: int) -> int:
    """Return a number of evenings, however many are held."""
    return number


def share(held: int, part: tuple[int, int]) -> int:
    """Return a share of the evenings held, rounded up: it grows through the season."""
    numerator, denominator = part
    return -(-held * numerator // denominator)


def _read_share(value: object, field: str) -> tuple[int, int]:
    numerator, denominator = (fields.positive(each, field) for each in reading.items(value, field, 2))
    if numerator > denominator:
        raise IllegalDeal(field, "above_one", {"given": numerator, "most": denominator})
    return numerator, denominator


MINIMUMS: Mapping[str, Minimum] = {
    "evenings": Minimum(_("a number of evenings"), evenings, fields.count),
    "share": Minimum(_("a share of the evenings held"), share, _read_share),
}
NONE = Chosen("evenings", (("evenings", 0),))
