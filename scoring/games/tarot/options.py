"""The house rules of tarot (RULES.md, T6). The defaults are the rules of the documents, unchanged."""

from typing import Literal, NamedTuple

from scoring.rules.house_rules import HouseRule
from scoring.rules.words import gettext_noop as _

HOUSE_RULES = (
    HouseRule(
        "half_point_short",
        _("The taker is exactly half a point short"),
        {
            "lost": _("The deal is lost"),
            "void": _("The deal is void: nobody scores"),
            "won": _("The deal is won, by 0 points"),
        },
    ),
    HouseRule(
        "six_player_partner",
        _("Six players: the attack's shares"),
        {
            "called": _("The taker calls a partner: the taker gets three shares of four, the partner one"),
            "opposite": _("Partners sit opposite each other: each gets two shares"),
        },
        sizes=(6,),
    ),
    HouseRule(
        "best_margin_floor",
        _("One for one: everyone is below the limit"),
        {
            None: _("The best difference counts as it is, also below zero (as written)"),
            0: _("The best difference counts as 0 when everyone is below the limit"),
        },
    ),
    HouseRule(
        "one_for_one_small_last",
        _("One for one: the Small won in the last trick"),
        {0: _("Nothing (as written)"), 10: _("10 points, as an announcement")},
    ),
)


class Options(NamedTuple):
    half_point_short: Literal["lost", "void", "won"] = "lost"
    six_player_partner: Literal["called", "opposite"] = "called"
    best_margin_floor: Literal[0] | None = None
    one_for_one_small_last: Literal[0, 10] = 0
