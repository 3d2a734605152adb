"""How clubs write belote in their spreadsheets: the last trick in words, and separate columns for belote and every
trick.
"""

from scoring.games.belote.row import IRREGULARITY, SIDE_CODES
from scoring.rules.words import gettext_noop as _
from scoring.spreadsheet import CellPart, Spreadsheet

_WORDS_FOR_NONE = dict.fromkeys(("0", "no", "non", "none", "no one", "aucun", "aucune", "personne"), "")
_WORDS_FOR_ATTACK = ("+", "attack", "taker", "taker's side", "attaque", "preneur", "preneurs")
_WORDS_FOR_DEFENCE = ("-", "defence", "defense", "defenders", "defenseurs")

SPREADSHEET = Spreadsheet(
    other_column_names={
        "taker": frozenset({"attaquant", "declarer"}),
        "points": frozenset({"card points", "points faits", "points du preneur", "points de l'attaque"}),
        "last_trick": frozenset({"der", "dix de der", "dernier pli"}),
    },
    words={"taker": {"0": "passed"}, "last_trick": SIDE_CODES},
    codes={
        "taker": dict.fromkeys(("-", "nobody", "personne", "passe generale"), "0"),
        "last_trick": {
            **dict.fromkeys((*_WORDS_FOR_ATTACK, "yes", "oui", "1", "x"), "+"),
            **dict.fromkeys((*_WORDS_FOR_DEFENCE, "no", "non", "0"), "-"),
        },
    },
    parts=(
        CellPart(
            "penalty",
            _("Irregularity"),
            "taker",
            _WORDS_FOR_NONE,
            frozenset({"irregularite", "penalite", "faute"}),
            code_for_name=IRREGULARITY,
        ),
        CellPart(
            "belote",
            _("Belote and rebelote"),
            "extras",
            {**_WORDS_FOR_NONE, **dict.fromkeys(_WORDS_FOR_ATTACK, "b+"), **dict.fromkeys(_WORDS_FOR_DEFENCE, "b-")},
            frozenset({"belote", "belote-rebelote", "rebelote"}),
            words={f"b{sign}": side for sign, side in SIDE_CODES.items()},
        ),
        CellPart(
            "all_tricks",
            _("Every trick"),
            "extras",
            {**_WORDS_FOR_NONE, **dict.fromkeys(_WORDS_FOR_ATTACK, "s+"), **dict.fromkeys(_WORDS_FOR_DEFENCE, "s-")},
            frozenset({"all tricks", "capot"}),
            words={f"s{sign}": side for sign, side in SIDE_CODES.items()},
        ),
    ),
)
