"""The house rules of belote (RULES.md, B6). The defaults are the rules of document 003, as RULES.md interprets them."""

from typing import Literal, NamedTuple

from scoring.rules.house_rules import HouseRule, Preset
from scoring.rules.words import gettext_noop as _

HOUSE_RULES = (
    HouseRule(
        "dispute",
        _("The taker's side has exactly 81 points, or 91 with a belote"),
        {
            "taker": _("The contract is won (as written)"),
            "held": _("A dispute: the taker's points are held for who wins the next deal"),
            "lost": _("The contract is lost"),
            "replayed": _("The deal counts nothing for anybody, belotes included"),
        },
    ),
    HouseRule(
        "dispute_at_end",
        _("A dispute in the table's last deal, when points are held"),
        {
            "nobody": _("The taker's points are nobody's"),
            "shared": _("Each side scores its own points"),
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
        {
            100: _("100 points more, 262 in all (as written)"),
            90: _("90 points more, 252 in all"),
            0: _("Nothing more, 162 in all"),
        },
    ),
    HouseRule(
        "slam_defence",
        _("Every trick won by the defence"),
        {False: _("Earns nothing more (as written)"), True: _("Earns as much more as a slam of the taker's side")},
    ),
    HouseRule(
        "rounding",
        _("What a player gets of a deal"),
        {
            None: _("Counts as it is (as written)"),
            10: _("Is rounded to the nearest ten, 5 up"),
            "six_up": _("Is rounded to the nearest ten, 5 down and 6 up"),
        },
    ),
    HouseRule(
        "last_deal_exact",
        _("Rounding in the table's last deal"),
        {False: _("As in every deal"), True: _("None: the last deal counts as it is")},
    ),
)


PRESETS = (
    Preset(
        "document",
        _("Basic rules"),
        _("81 to 81 is won by the taker, a capot makes 262, and nothing is rounded."),
        {},
    ),
    Preset(
        "village",
        _("Village tournament"),
        _("A dispute is held for the next deal, a capot makes 252, and there are no announcements but belote."),
        {"dispute": "held", "slam": 90},
    ),
    Preset(
        "rounded",
        _("Tournament with rounded points"),
        _(
            "Points are rounded to the nearest ten, 5 down, but for the last deal. A dispute is held, and shared in "
            "the last deal; a capot makes 252, for the defence too."
        ),
        {
            "dispute": "held",
            "dispute_at_end": "shared",
            "slam": 90,
            "slam_defence": True,
            "rounding": "six_up",
            "last_deal_exact": True,
        },
    ),
    Preset(
        "lost",
        _("Tournament of 162 points"),
        _("81 to 81 is lost by the taker, a capot makes no more than 162, and a lost belote stays with its side."),
        {"dispute": "lost", "failed_belote": "holder", "slam": 0},
    ),
    Preset(
        "replayed",
        _("Tournament without disputes"),
        _("81 to 81 is replayed, and a capot makes 262, for the defence too."),
        {"dispute": "replayed", "slam_defence": True},
    ),
)


class Options(NamedTuple):
    dispute: Literal["taker", "held", "lost", "replayed"] = "taker"
    dispute_at_end: Literal["nobody", "shared"] = "nobody"
    failed_belote: Literal["defence", "holder"] = "defence"
    slam: Literal[100, 90, 0] = 100
    slam_defence: bool = False
    rounding: Literal[10, "six_up"] | None = None
    last_deal_exact: bool = False
