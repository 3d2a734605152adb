"""Tarot as clubs keep it in a spreadsheet: contracts in words, and a column each for Small, handful and slam."""

from scoring.rules.words import gettext_noop as _
from scoring.spreadsheet import CellPart, Spreadsheet

_NOTHING = dict.fromkeys(("0", "-", "no", "non", "none", "no one", "aucun", "aucune", "personne"), "")
_ATTACK = ("attack", "taker", "attaque", "preneur")
_DEFENCE = ("defence", "defense", "defenders", "defenseurs")
_YES = ("yes", "oui", "x", "1", "true", "vrai")

SPREADSHEET = Spreadsheet(
    called={
        "taker": frozenset({"attaquant", "declarer"}),
        "contract": frozenset({"bid", "enchere", "prise"}),
        "partner": frozenset({"called", "partenaire", "joueur appele", "appele(e)"}),
        "oudlers": frozenset({"bouts", "nb bouts", "nombre de bouts", "number of oudlers"}),
        "points": frozenset({"card points", "points faits", "points du preneur", "points de l'attaque"}),
    },
    codes={
        "taker": dict.fromkeys(("-", "nobody", "personne"), "0"),
        "partner": dict.fromkeys(("alone", "none", "seul", "seule", "aucun"), "0"),
        "contract": {
            **dict.fromkeys(("take", "small", "petite", "prise"), "t"),
            **dict.fromkeys(("guard", "garde"), "g"),
            **dict.fromkeys(("guard without", "garde sans", "garde sans le chien", "gs"), "w"),
            **dict.fromkeys(("guard against", "garde contre", "garde contre le chien", "gc"), "a"),
            **dict.fromkeys(("one for one", "chacun pour soi"), "o"),
            **dict.fromkeys(("passed", "passe", "passee", "passe generale"), "x"),
        },
    },
    parts=(
        CellPart(
            "small_last",
            _("Small in the last trick"),
            "extras",
            {**_NOTHING, **dict.fromkeys(("+", *_ATTACK), "+"), **dict.fromkeys(_DEFENCE, "-")},
            frozenset({"small at the end", "petit", "petit au bout", "pab"}),
            alone="+",
        ),
        CellPart(
            "handful",
            _("Handful"),
            "extras",
            {
                **_NOTHING,
                **dict.fromkeys(("simple", "single"), "h"),
                **dict.fromkeys(("double",), "d"),
                **dict.fromkeys(("triple",), "t"),
            },
            frozenset({"handfuls", "poignee", "poignees"}),
        ),
        CellPart(
            "slam",
            _("Slam"),
            "extras",
            {
                **_NOTHING,
                **dict.fromkeys((*_ATTACK, *_YES, "made", "not announced", "reussi", "non annonce"), "s+"),
                **dict.fromkeys(_DEFENCE, "s-"),
                **dict.fromkeys(("announced and made", "annonce reussi", "annonce et reussi"), "as+"),
                **dict.fromkeys(("announced", "failed", "annonce", "annonce chute", "chute"), "a"),
            },
            frozenset({"chelem"}),
            alone="s",
        ),
        CellPart(
            "slam_announced",
            _("Slam announced"),
            "extras",
            {**_NOTHING, **dict.fromkeys((*_YES, *_ATTACK, "announced", "annonce"), "a")},
            frozenset({"chelem annonce"}),
        ),
    ),
)
