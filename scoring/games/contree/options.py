"""The house rules of contrée (RULES.md, C5), and a preset (a named set of house rules) for each published text of the
rules (C6).
"""

from typing import Literal, NamedTuple

from scoring.rules.errors import IllegalDeal
from scoring.rules.house_rules import HouseRule, Preset
from scoring.rules.words import gettext_noop as _

HOUSE_RULES = (
    HouseRule(
        "scoring",
        _("What a deal is worth"),
        {
            "points_and_contract": _("Points made and contract"),
            "points": _("Points made"),
            "contract": _("Contract only"),
        },
    ),
    HouseRule("failed_base", _("Points of the defence for a failed contract"), {160: _("160"), 162: _("162")}),
    HouseRule("capot", _("Value of a capot"), {250: _("250"), 270: _("270"), 500: _("500")}),
    HouseRule(
        "capot_scoring",
        _("An announced capot or générale counts"),
        {"contract": _("Like other contracts"), "flat": _("Its value and nothing more")},
    ),
    HouseRule("generale", _("Value of a générale"), {500: _("500"), 1000: _("1000")}),
    HouseRule("all_tricks", _("Points of a side with every trick"), {252: _("252"), 250: _("250"), 162: _("162")}),
    HouseRule("redouble", _("A redouble multiplies by"), {4: _("4"), 3: _("3")}),
    HouseRule(
        "doubled_base",
        _("The points beside a doubled contract"),
        {"plain": _("Count once"), "multiplied": _("Are multiplied too"), "none": _("Do not count")},
    ),
    HouseRule(
        "failed_belote",
        _("A belote of the side that lost the deal"),
        {"defence": _("Goes to the winners"), "holder": _("Stays with the side that declared it")},
    ),
    HouseRule(
        "belote_helps",
        _("A belote of the taker's side"),
        {True: _("Counts towards the contract"), False: _("Does not count towards the contract")},
    ),
    HouseRule(
        "must_beat_defence",
        _("The taker's side needs more points than the defence"),
        {False: _("No"), True: _("Yes")},
    ),
    HouseRule(
        "announcements",
        _("Announcements (tierce, fifty, hundred, four of a kind)"),
        {False: _("Are not played"), True: _("Are played")},
    ),
    HouseRule(
        "rounding",
        _("Each side's points of a deal"),
        {
            None: _("Count as they are"),
            "five_up": _("Are rounded to the nearest ten, 5 up"),
            "six_up": _("Are rounded to the nearest ten, 5 down and 6 up"),
        },
    ),
)

PRESETS = (
    Preset(
        "ffb-2016",
        _("FFB 2016"),
        _(
            "Points made and contract, rounded to the nearest ten, 5 up; a capot counts 500 and nothing more; "
            "a double multiplies everything by 2, a redouble by 4."
        ),
        {"capot": 500, "capot_scoring": "flat", "doubled_base": "multiplied", "rounding": "five_up"},
    ),
    Preset(
        "ffb-2016-points",
        _("FFB 2016, points made"),
        _(
            "Only the points made, rounded to the nearest ten, 5 up; a capot counts 500 and nothing more; "
            "a double multiplies by 2, a redouble by 4."
        ),
        {
            "scoring": "points",
            "capot": 500,
            "capot_scoring": "flat",
            "doubled_base": "multiplied",
            "rounding": "five_up",
        },
    ),
    Preset(
        "cannes-2016",
        _("Cannes 2016"),
        _(
            "Points made and contract, 162 for a failed contract, rounded to the nearest ten, 6 up; a capot is worth "
            "270; a double multiplies the contract by 2, a redouble by 3."
        ),
        {"failed_base": 162, "capot": 270, "redouble": 3, "rounding": "six_up"},
    ),
    Preset(
        "equipe-ludique",
        _("Équipe Ludique"),
        _(
            "Points made and contract, 160 for a failed contract, rounded to the nearest ten, 6 up; a double "
            "multiplies the contract by 2, a redouble by 3."
        ),
        {"failed_base": 160, "redouble": 3, "rounding": "six_up"},
    ),
    Preset(
        "coinchee-2015",
        _("Coinchée 2015 with announcements"),
        _(
            "With announcements; the taker's side needs more points than the defence; each belote stays with the side "
            "that declared it; a capot counts 500 and nothing more; a double multiplies everything."
        ),
        {
            "capot": 500,
            "capot_scoring": "flat",
            "all_tricks": 250,
            "doubled_base": "multiplied",
            "failed_belote": "holder",
            "must_beat_defence": True,
            "announcements": True,
            "rounding": "five_up",
        },
    ),
    Preset(
        "contract-only",
        _("Points announced only"),
        _(
            "The contract goes to the taker's side if it is made and to the defence if it fails; cards, belotes and "
            "the last trick only decide whether it is made."
        ),
        {"scoring": "contract"},
    ),
)


class Options(NamedTuple):
    scoring: Literal["points_and_contract", "points", "contract"] = "points_and_contract"
    failed_base: Literal[160, 162] = 160
    capot: Literal[250, 270, 500] = 250
    capot_scoring: Literal["contract", "flat"] = "contract"
    generale: Literal[500, 1000] = 500
    all_tricks: Literal[252, 250, 162] = 252
    redouble: Literal[4, 3] = 4
    doubled_base: Literal["plain", "multiplied", "none"] = "plain"
    failed_belote: Literal["defence", "holder"] = "defence"
    belote_helps: bool = True
    must_beat_defence: bool = False
    announcements: bool = False
    rounding: Literal["five_up", "six_up"] | None = None


def make_options(**values: object) -> Options:
    """Return the house rules as Options. Raise IllegalDeal for a combination that gives a doubled deal no points."""
    options = Options(**values)  # type: ignore[arg-type]
    if options.doubled_base == "none" and options.scoring == "points":
        raise IllegalDeal("options.doubled_base", "nothing_counts")
    return options
