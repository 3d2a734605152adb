"""How clubs write tarot in their spreadsheets: contracts in words, and separate columns for Small, handful and slam."""

from scoring.games.tarot.row import CONTRACT_CODES, HANDFUL_CODES, SIDE_CODES
from scoring.rules.words import gettext_noop as _
from scoring.spreadsheet import CellPart, Spreadsheet

_EMPTY = dict.fromkeys(("0", "-", "no", "non", "none", "no one", "aucun", "aucune", "personne"), "")
_ATTACK = ("taker", "preneur")
_DEFENCE = ("defenders", "defenseurs")
_YES = ("yes", "oui", "x", "1", "true", "vrai")

SPREADSHEET = Spreadsheet(
    other_column_names={
        "taker": frozenset({"attaquant", "declarer"}),
        "contract": frozenset({"bid", "enchere", "prise"}),
        "partner": frozenset({"called", "partenaire", "joueur appele", "appele(e)"}),
        "oudlers": frozenset({"bouts", "nb bouts", "nombre de bouts", "number of oudlers"}),
        "points": frozenset({"card points", "points faits", "points du preneur", "points de l'attaque"}),
    },
    words={"contract": CONTRACT_CODES},
    codes={
        "taker": dict.fromkeys(("-", "nobody", "personne"), "0"),
        "partner": dict.fromkeys(("alone", "none", "seul", "seule", "aucun"), "0"),
        "contract": {
            **dict.fromkeys(("small", "petite"), "t"),
            **dict.fromkeys(("without", "sans", "garde sans le chien", "gs"), "w"),
            **dict.fromkeys(("against", "contre", "garde contre le chien", "gc"), "a"),
            **dict.fromkeys(("passee", "passe generale"), "x"),
        },
    },
    parts=(
        CellPart(
            "small_last",
            _("Small in the last trick"),
            "extras",
            {**_EMPTY, **dict.fromkeys(("+", *_ATTACK), "+"), **dict.fromkeys(_DEFENCE, "-")},
            frozenset({"small at the end", "petit", "petit au bout", "pab"}),
            code_for_name="+",
            words=SIDE_CODES,
        ),
        CellPart(
            "handful",
            _("Handful"),
            "extras",
            {**_EMPTY, "single": "h"},
            frozenset({"handfuls", "poignee", "poignees"}),
            words=HANDFUL_CODES,
        ),
        CellPart(
            "slam",
            _("Slam"),
            "extras",
            {
                **_EMPTY,
                **dict.fromkeys((*_ATTACK, *_YES, "made", "not announced", "reussi", "non annonce"), "s+"),
                **dict.fromkeys(_DEFENCE, "s-"),
                **dict.fromkeys(("announced and made", "annonce reussi", "annonce et reussi"), "as+"),
                **dict.fromkeys(("announced", "failed", "annonce", "annonce chute", "chute"), "a"),
            },
            frozenset({"chelem"}),
            code_for_name="s",
            words={f"s{sign}": side for sign, side in SIDE_CODES.items()},
        ),
        CellPart(
            "slam_announced",
            _("Slam announced"),
            "extras",
            {**_EMPTY, **dict.fromkeys((*_YES, *_ATTACK, "announced", "annonce"), "a")},
            frozenset({"chelem annonce"}),
        ),
    ),
)
