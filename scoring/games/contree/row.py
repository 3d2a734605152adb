"""A deal of contrée as a row of short codes: taker, contract in tens ("8" or "08" is 80), trump, card points, last
trick, extras.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring.games.contree.rules import CAPOT, CONTRACT_POINTS, GENERALE
from scoring.row_codes import Cells, Column, ParsedRow, RowCodes, RowParser
from scoring.rules.words import gettext_noop as _

CONTRACT_CODES: Mapping[str, Any] = {
    **{f"{number // 10:02}": number for number in CONTRACT_POINTS},
    **{f"{number // 10}": number for number in CONTRACT_POINTS},  # "8" for "08"
    "c": CAPOT,
    "g": GENERALE,
}
TRUMP_CODES = {
    "s": "spades",
    "h": "hearts",
    "d": "diamonds",
    "c": "clubs",
    "n": "no_trump",
    "a": "all_trumps",
    "p": "spades",
    "k": "diamonds",
    "t": "clubs",  # pique, carreau, trèfle; cœur is h
}
SIDE_CODES = {"+": "attack", "-": "defence"}
WINNER_CODES = {**SIDE_CODES, "*": "taker"}
DOUBLE_CODES = {"x": "double", "xx": "redouble"}
SUIT_ORDER = ("spades", "hearts", "diamonds", "clubs", "no_trump", "all_trumps")
_FACTS_OF_EXTRAS = ("double", "belotes", "announcements", "all_tricks")
_EXTRA_CODE = r"xx?|b[1-4]?[-+]|a[0-9]{1,4}[-+]|[sc][-+*]"
_EXTRAS_PREFIX = r"(?:[xX]|[bB][1-4]?[-−+]?|[aA][0-9]{0,4}[-−+]?|[sScC][-−+*]?| )*"
EXTRAS_LEGEND = _("Extras: x doubled, xx redoubled; b+ or b− belote declared (all trumps: b2+)")
EVERY_TRICK_LEGEND = _("Every trick: s+ the taker’s side, s− the defence, s* the taker alone")
ANNOUNCEMENTS_LEGEND = _("Announcements: a50+ or a50− the points that count")


def columns(seats: int) -> tuple[Column, ...]:
    """Return the columns of a row of short codes under house rules without announcements."""
    taker = _("Taker: seat number; 0 when everyone passed")
    contract = _("Contract: without its zero: 08 is 80, 10 is 100; C capot, G générale")
    trump = _("Trump: S spades, H hearts, D diamonds, C clubs, N no trump, A all trumps")
    points = _("Points: the cards of the taker’s side, without the ten of the last trick")
    last = _("Last trick: + the taker’s side, − the defence")

    def column(name: str, label: str, prefix_pattern: str, *legend: str, **settings: Any) -> Column:
        return Column(name, label, prefix_pattern, needed_pattern="[^0]?", legend=legend, **settings)

    return (
        Column(
            "taker",
            _("Taker"),
            "[0-4]",
            complete_pattern=".",
            width=1,
            is_numeric=True,
            is_seat_number=True,
            legend=(taker,),
        ),
        column(
            "contract", _("Contract"), "0[89]?|1[0-8]?|[89cCgG]", contract, complete_pattern="[01].|[89cCgG]", width=2
        ),
        column("trump", _("Trump"), "[sShHdDcCnNaApPkKtT]", trump, complete_pattern=".", width=1),
        column("points", _("Points"), "[0-9]{0,3}", points, complete_pattern="[0-9]{3}", width=3, is_numeric=True),
        column("last_trick", _("Last trick"), "[-−+]", last, complete_pattern=".", width=1),
        column(
            "extras",
            _("Extras"),
            _EXTRAS_PREFIX,
            EXTRAS_LEGEND,
            EVERY_TRICK_LEGEND,
            width=5,
            needed=False,
            other_facts=_FACTS_OF_EXTRAS,
        ),
    )


def columns_with_announcements(seats: int) -> tuple[Column, ...]:
    return tuple(
        column._replace(legend=(*column.legend, ANNOUNCEMENTS_LEGEND)) if column.name == "extras" else column
        for column in columns(seats)
    )


def parse(cells: Cells, seats: Sequence[int]) -> ParsedRow:
    parser = RowParser(cells, seats)
    if parser.text("taker") == "0":
        parser.require_empty("contract", "trump", "points", "last_trick", "extras")
        return ParsedRow(None if parser.problems else {"taker": None}, parser.problems)
    return parser.parsed_row(
        {
            "taker": parser.seat("taker", other_text="0"),
            "contract": parser.code("contract", CONTRACT_CODES),
            "trump": parser.code("trump", TRUMP_CODES),
            "points": parser.integer("points"),
            "last_trick": parser.code("last_trick", SIDE_CODES),
            **_parse_extras(parser),
        }
    )


def _parse_extras(parser: RowParser) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for token in parser.tokens("extras", _EXTRA_CODE):
        field, value = _parse_token(token)
        if field in ("belotes", "announcements"):
            sides = facts.setdefault(field, {})
            side, number = value
            if side in sides:
                parser.add_problem("extras", "code_twice", given=token)
            sides[side] = number
        else:
            if field in facts:
                parser.add_problem("extras", "code_twice", given=token)
            facts[field] = value
    return facts


def _parse_token(token: str) -> tuple[str, Any]:
    """Return the name of a fact and its value; for belotes and announcements the value is (side, number)."""
    letter, number, sign = token[0], re.sub(r"\D", "", token), token[-1]
    if letter == "x":
        return "double", DOUBLE_CODES[token]
    if letter == "b":
        return "belotes", (SIDE_CODES[sign], int(number or 1))
    if letter == "a":
        return "announcements", (SIDE_CODES[sign], int(number))
    return "all_tricks", WINNER_CODES[sign]


def format_cells(facts: Mapping[str, Any], seats: Sequence[int], letters: str) -> dict[str, str]:
    if facts["taker"] is None:
        return {"taker": "0"}
    contract = facts["contract"]
    trumps = dict(zip(SUIT_ORDER, letters, strict=False))
    return {
        "taker": str(seats[facts["taker"]]),
        "contract": f"{contract // 10:02}" if isinstance(contract, int) else contract[0],
        "trump": trumps[facts["trump"]],
        "points": str(facts["points"]),
        "last_trick": _SIGN_BY_WINNER[facts["last_trick"]],
        "extras": "".join(_format_extras(facts, letters[len(SUIT_ORDER)])),
    }


_SIGN_BY_WINNER = {winner: sign for sign, winner in WINNER_CODES.items()}
_CODE_BY_DOUBLE = {double: code for code, double in DOUBLE_CODES.items()}


def _format_extras(facts: Mapping[str, Any], every_trick: str) -> Iterator[str]:
    if facts.get("double"):
        yield _CODE_BY_DOUBLE[facts["double"]]
    for side, number in (facts.get("belotes") or {}).items():
        if number:
            yield f"b{number if number > 1 else ''}{_SIGN_BY_WINNER[side]}"
    for side, points in (facts.get("announcements") or {}).items():
        if points:
            yield f"a{points}{_SIGN_BY_WINNER[side]}"
    if facts.get("all_tricks"):
        yield every_trick + _SIGN_BY_WINNER[facts["all_tricks"]]


ROW = RowCodes(
    columns=columns,
    parse=parse,
    format_cells=format_cells,
    letters=_("shdcnas"),  # spades, hearts, diamonds, clubs, no trump, all trumps; every trick. French: phktnac
    confusable_letters=_("xbs"),  # doubled, belote, every trick; French: xbc
    selector_cell="taker",
)
ROW_WITH_ANNOUNCEMENTS = replace(ROW, columns=columns_with_announcements)
