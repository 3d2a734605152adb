"""A deal of belote as a row of short codes: taker, card points, last trick, extras; or an irregularity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scoring.games.belote.rules import CARD_POINTS, TEN_OF_LAST
from scoring.row_codes import Cells, Column, Problem, Reading, RowCodes, RowReader
from scoring.rules.words import gettext_noop as _

SIDE_CODES = {"+": "attack", "-": "defence"}
IRREGULARITY = "i"  # in the taker's cell, in English and in French
_WITH_TAKER = "[^0iI]?"
_EXTRAS = ("belote", "all_tricks")


def columns(seats: int) -> tuple[Column, ...]:
    takers = (
        _("Taker: seat number; 0 when everyone passed"),
        _("Taker: I and a seat number after an irregularity of that seat, I2"),
    )
    points = _("Points: the cards of the taker’s side, without the ten of the last trick")
    last = _("Last trick: + the taker’s side, − the defence")
    extras = _("Extras: b+ or b− belote declared; s+ or s− every trick")

    def column(name: str, label: str, typed: str, legend: str, **options: Any) -> Column:
        return Column(name, label, typed, when=_WITH_TAKER, legend=(legend,), **options)

    return (
        Column(
            "taker",
            _("Taker"),
            "[0-4]|[iI][1-4]?",
            full="[0-4]|[iI].",
            width=2,
            digits=True,
            seat=True,
            holds=("penalty",),
            legend=takers,
        ),
        column("points", _("Points"), "[0-9]{0,3}", points, full="[0-9]{3}", width=3, digits=True),
        column("last_trick", _("Last trick"), "[-−+]", last, full=".", width=1),
        column("extras", _("Extras"), "(?:[bBsScC][-−+]?| )*", extras, width=4, needed=False, holds=_EXTRAS),
    )


def read(cells: Cells, seats: Sequence[int]) -> Reading:
    reader = RowReader(cells, seats)
    if reader.text("taker") == "0":
        reader.require_empty("points", "last_trick", "extras")
        return Reading(None if reader.problems else {"taker": None}, reader.problems)
    if reader.text("taker").startswith(IRREGULARITY):
        reader.require_empty("points", "last_trick", "extras")
        return reader.result({"penalty": reader.seat("taker", reader.text("taker")[1:])})
    return reader.result(
        {
            "taker": reader.seat("taker", also="0"),
            "points": reader.integer("points"),
            "last_trick": reader.code("last_trick", SIDE_CODES),
            **_read_extras(reader),
        }
    )


def _read_extras(reader: RowReader) -> dict[str, Any]:
    extras: dict[str, Any] = {}
    for code in reader.tokens("extras", "[bsc][-+]"):
        name = "belote" if code[0] == "b" else "all_tricks"
        if name in extras:
            reader.refuse("extras", "code_twice", given=code)
        extras[name] = SIDE_CODES[code[1]]
    return extras


def write(facts: Mapping[str, Any], seats: Sequence[int], letters: str) -> dict[str, str]:
    if facts.get("penalty") is not None:
        return {"taker": f"{IRREGULARITY.upper()}{seats[facts['penalty']]}"}
    if facts["taker"] is None:
        return {"taker": "0"}
    signs = {side: sign for sign, side in SIDE_CODES.items()}
    return {
        "taker": str(seats[facts["taker"]]),
        "points": str(facts["points"]),
        "last_trick": signs[facts["last_trick"]],
        "extras": "".join(_write_extras(facts, signs, letters)),
    }


def _write_extras(facts: Mapping[str, Any], signs: Mapping[str, str], letters: str) -> Iterator[str]:
    for name, letter in zip(_EXTRAS, letters, strict=True):
        if facts.get(name):
            yield letter + signs[facts[name]]


ROW = RowCodes(
    columns=columns,
    read=read,
    write=write,
    letters=_("bs"),  # belote, every trick; French: bc
    confusable=_("bs"),
    switch="taker",
)


def columns_with_ten(seats: int) -> tuple[Column, ...]:
    """Return the columns of a row of short codes whose points include the ten of the last trick."""
    legend = _("Points: the taker’s side, with the ten of the last trick")
    return tuple(column._replace(legend=(legend,)) if column.name == "points" else column for column in columns(seats))


def read_with_ten(cells: Cells, seats: Sequence[int]) -> Reading:
    facts, problems = read(cells, seats)
    if facts is None or facts.get("last_trick") != "attack":
        return Reading(facts, problems)
    points, maximum = facts["points"], CARD_POINTS + TEN_OF_LAST
    if not TEN_OF_LAST <= points <= maximum:
        params = {"given": points, "least": TEN_OF_LAST, "most": maximum}
        return Reading(None, {"points": Problem("out_of_range", params)})
    return Reading({**facts, "points": points - TEN_OF_LAST}, problems)


def write_with_ten(facts: Mapping[str, Any], seats: Sequence[int], letters: str) -> dict[str, str]:
    cells = write(facts, seats, letters)
    if facts.get("last_trick") != "attack":
        return cells
    return {**cells, "points": str(facts["points"] + TEN_OF_LAST)}


ROW_WITH_TEN = replace(ROW, columns=columns_with_ten, read=read_with_ten, write=write_with_ten)
