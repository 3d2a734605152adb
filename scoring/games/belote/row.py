"""A deal of belote as a row of short codes: taker, card points, last trick, extras; or an irregularity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring.games.belote.rules import CARD_POINTS, TEN_OF_LAST
from scoring.row_codes import Cells, Column, ParsedRow, Problem, RowCodes, RowParser
from scoring.rules.words import gettext_noop as _

SIDE_CODES = {"+": "attack", "-": "defence"}
IRREGULARITY = "i"  # in the taker's cell, in English and in French
# Matches the texts of the taker's cell for which the deal has a taker; also the empty text.
_TAKER_CELL_WITH_TAKER = "[^0iI]?"
_FACTS_OF_EXTRAS = ("belote", "all_tricks")


def columns(seats: int) -> tuple[Column, ...]:
    takers = (
        _("Taker: seat number; 0 when everyone passed"),
        _("Taker: I and a seat number after an irregularity of that seat, I2"),
    )
    points = _("Points: the cards of the taker’s side, without the ten of the last trick")
    last = _("Last trick: + the taker’s side, − the defence")
    extras = _("Extras: b+ or b− belote declared; s+ or s− every trick")

    def column(name: str, label: str, prefix_pattern: str, legend: str, **settings: Any) -> Column:
        return Column(name, label, prefix_pattern, needed_pattern=_TAKER_CELL_WITH_TAKER, legend=(legend,), **settings)

    return (
        Column(
            "taker",
            _("Taker"),
            "[0-4]|[iI][1-4]?",
            complete_pattern="[0-4]|[iI].",
            width=2,
            is_numeric=True,
            is_seat_number=True,
            other_facts=("penalty",),
            legend=takers,
        ),
        column("points", _("Points"), "[0-9]{0,3}", points, complete_pattern="[0-9]{3}", width=3, is_numeric=True),
        column("last_trick", _("Last trick"), "[-−+]", last, complete_pattern=".", width=1),
        column(
            "extras", _("Extras"), "(?:[bBsScC][-−+]?| )*", extras, width=4, needed=False, other_facts=_FACTS_OF_EXTRAS
        ),
    )


def parse(cells: Cells, seats: Sequence[int]) -> ParsedRow:
    parser = RowParser(cells, seats)
    if parser.text("taker") == "0":
        parser.require_empty("points", "last_trick", "extras")
        return ParsedRow(None if parser.problems else {"taker": None}, parser.problems)
    if parser.text("taker").startswith(IRREGULARITY):
        parser.require_empty("points", "last_trick", "extras")
        return parser.parsed_row({"penalty": parser.seat("taker", parser.text("taker")[1:])})
    return parser.parsed_row(
        {
            "taker": parser.seat("taker", other_text="0"),
            "points": parser.integer("points"),
            "last_trick": parser.code("last_trick", SIDE_CODES),
            **_parse_extras(parser),
        }
    )


def _parse_extras(parser: RowParser) -> dict[str, Any]:
    extras: dict[str, Any] = {}
    for code in parser.tokens("extras", "[bsc][-+]"):
        name = "belote" if code[0] == "b" else "all_tricks"
        if name in extras:
            parser.add_problem("extras", "code_twice", given=code)
        extras[name] = SIDE_CODES[code[1]]
    return extras


def format_cells(facts: Mapping[str, Any], seats: Sequence[int], letters: str) -> dict[str, str]:
    if facts.get("penalty") is not None:
        return {"taker": f"{IRREGULARITY.upper()}{seats[facts['penalty']]}"}
    if facts["taker"] is None:
        return {"taker": "0"}
    signs = {side: sign for sign, side in SIDE_CODES.items()}
    return {
        "taker": str(seats[facts["taker"]]),
        "points": str(facts["points"]),
        "last_trick": signs[facts["last_trick"]],
        "extras": "".join(_format_extras(facts, signs, letters)),
    }


def _format_extras(facts: Mapping[str, Any], signs: Mapping[str, str], letters: str) -> Iterator[str]:
    for name, letter in zip(_FACTS_OF_EXTRAS, letters, strict=True):
        if facts.get(name):
            yield letter + signs[facts[name]]


ROW = RowCodes(
    columns=columns,
    parse=parse,
    format_cells=format_cells,
    letters=_("bs"),  # belote, every trick; French: bc
    confusable_letters=_("bs"),
    selector_cell="taker",
)


def columns_with_ten(seats: int) -> tuple[Column, ...]:
    """Return the columns of a row of short codes whose points include the ten of the last trick."""
    legend = _("Points: the taker’s side, with the ten of the last trick")
    return tuple(column._replace(legend=(legend,)) if column.name == "points" else column for column in columns(seats))


def parse_with_ten(cells: Cells, seats: Sequence[int]) -> ParsedRow:
    """Return the facts of a row whose points include the ten of the last trick if the taker's side won it."""
    facts, problems = parse(cells, seats)
    if facts is None or facts.get("last_trick") != "attack":
        return ParsedRow(facts, problems)
    points, maximum = facts["points"], CARD_POINTS + TEN_OF_LAST
    if not TEN_OF_LAST <= points <= maximum:
        params = {"given": points, "least": TEN_OF_LAST, "most": maximum}
        return ParsedRow(None, {"points": Problem("out_of_range", params)})
    return ParsedRow({**facts, "points": points - TEN_OF_LAST}, problems)


def format_cells_with_ten(facts: Mapping[str, Any], seats: Sequence[int], letters: str) -> dict[str, str]:
    cells = format_cells(facts, seats, letters)
    if facts.get("last_trick") != "attack":
        return cells
    return {**cells, "points": str(facts["points"] + TEN_OF_LAST)}


ROW_WITH_TEN = replace(ROW, columns=columns_with_ten, parse=parse_with_ten, format_cells=format_cells_with_ten)
