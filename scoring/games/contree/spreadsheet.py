"""How clubs write contrée in their spreadsheets: contracts in full, suits in words, and columns
for the double, the belote and the winning of all tricks.
"""

from scoring.games.contree.row import CONTRACT_CODES, SIDE_CODES, TRUMP_CODES, WINNER_CODES
from scoring.rules.words import gettext_noop as _
from scoring.spreadsheet import CellPart, Spreadsheet

_WORDS_FOR_NONE = dict.fromkeys(("0", "no", "non", "none", "no one", "aucun", "aucune", "personne"), "")
_WORDS_FOR_ATTACK = ("+", "attack", "taker's side", "attaque", "camp du preneur", "preneurs")
_WORDS_FOR_DEFENCE = ("-", "defence", "defense", "defenders", "defenseurs")
_WORDS_FOR_TAKER = ("taker alone", "taker", "preneur", "preneur seul")

SPREADSHEET = Spreadsheet(
    other_column_names={
        "taker": frozenset({"attaquant", "declarer", "demandeur"}),
        "contract": frozenset({"bid", "enchere", "annonce", "demande"}),
        "trump": frozenset({"suit", "couleur"}),
        "points": frozenset({"card points", "points faits", "points du preneur", "points de l'attaque"}),
        "last_trick": frozenset({"der", "dix de der", "dernier pli"}),
    },
    words={
        "taker": {"0": "passed"},
        "trump": TRUMP_CODES,
        "last_trick": SIDE_CODES,
        "contract": {"c": "capot", "g": "generale"},
    },
    codes={
        "taker": dict.fromkeys(("-", "nobody", "personne", "passe generale"), "0"),
        "contract": {str(contract): code for code, contract in CONTRACT_CODES.items() if len(code) == 2},
        "trump": {
            "spade": "s",
            "heart": "h",
            "diamond": "d",
            "club": "c",
            "sa": "n",
            "ta": "a",
            "piques": "p",
            "coeurs": "h",
            "coeur": "h",
            "carreaux": "k",
            "trefles": "t",
            "nt": "n",
            "at": "a",
        },
        "last_trick": {
            **dict.fromkeys((*_WORDS_FOR_ATTACK, *_WORDS_FOR_TAKER, "yes", "oui", "1", "x"), "+"),
            **dict.fromkeys((*_WORDS_FOR_DEFENCE, "no", "non", "0"), "-"),
        },
    },
    parts=(
        CellPart(
            "double",
            _("Double"),
            "extras",
            {
                **_WORDS_FOR_NONE,
                **dict.fromkeys(("x", "2", "x2", "doubled", "contre", "coinche", "oui", "yes"), "x"),
                **dict.fromkeys(("xx", "4", "x4", "redoubled", "surcontre", "surcoinche"), "xx"),
            },
            frozenset({"doubled", "contre", "coinche"}),
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
            {
                **_WORDS_FOR_NONE,
                **dict.fromkeys(_WORDS_FOR_ATTACK, "s+"),
                **dict.fromkeys(_WORDS_FOR_DEFENCE, "s-"),
                **dict.fromkeys(_WORDS_FOR_TAKER, "s*"),
            },
            frozenset({"all tricks", "capot fait", "tous les plis"}),
            words={f"s{sign}": side for sign, side in WINNER_CODES.items()},
        ),
    ),
)
