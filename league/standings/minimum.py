"""Rules for the minimum number of evenings that a player must attend to have a rank: a fixed number, or a share of the
evenings held.

Such a rule is a function. It gets the number of evenings held and a value from the season's rules, and returns a number
of evenings. To add a rule to `MINIMUM_RULES`, write a function, its description, its parser and an example in
examples.toml. docs/standings.md contains the function's docstring.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from league.standings import fields
from league.standings.fields import Parser, RuleWithOptions
from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.words import gettext_noop as _


class MinimumEveningsRule(NamedTuple):
    description: str
    compute: Callable[..., int]
    parse: Parser


def fixed_number(held_count: int, number: int) -> int:
    """Return the number in the season's rules, however many evenings are held."""
    return number


def share_of_evenings(held_count: int, fraction: tuple[int, int]) -> int:
    """Return a share of the number of evenings held, rounded up."""
    numerator, denominator = fraction
    return -(-held_count * numerator // denominator)


def _parse_share(value: object, field: str) -> tuple[int, int]:
    numerator, denominator = (fields.positive_integer(item, field) for item in reading.items(value, field, 2))
    if numerator > denominator:
        raise IllegalDeal(field, "above_one", {"given": numerator, "most": denominator})
    return numerator, denominator


MINIMUM_RULES: Mapping[str, MinimumEveningsRule] = {
    "evenings": MinimumEveningsRule(_("a number of evenings"), fixed_number, fields.count),
    "share": MinimumEveningsRule(_("a share of the evenings held"), share_of_evenings, _parse_share),
}
NO_MINIMUM = RuleWithOptions("evenings", (("evenings", 0),))
