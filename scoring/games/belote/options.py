"""The house rules of belote (RULES.md, B6). The defaults are document 003 as read here."""

from typing import Literal, NamedTuple

from scoring.rules.house_rules import HouseRule
from scoring.rules.words import gettext_noop as _

HOUSE_RULES = (
    HouseRule(
        "dispute",
        _("The taker's side has exactly 81 points, or 91 with a belote"),
        {
            "taker": _("The contract is won (as written)"),
            "held": _("A dispute: the taker's points are held for who wins the next deal"),
        },
    ),
    HouseRule(
        "failed_belote",
        _("The taker's side declared belote and lost: its 20 points"),
        {"defence": _("Go to the defence (as written)"), "holder": _("Stay with the side that declared it")},
    ),
    HouseRule(
        "slam",
        _("Every trick won by the taker's side"),
        {100: _("100 points more, 262 in all (as written)"), 90: _("90 points more, 252 in all")},
    ),
    HouseRule(
        "rounding",
        _("What a player gets of a deal"),
        {None: _("Counts as it is (as written)"), 10: _("Is rounded to the nearest ten, 5 up")},
    ),
)


class Options(NamedTuple):
    dispute: Literal["taker", "held"] = "taker"
    failed_belote: Literal["defence", "holder"] = "defence"
    slam: Literal[100, 90] = 100
    rounding: Literal[10] | None = None
