"""Cells of a spreadsheet, safe from being run as formulas."""

from __future__ import annotations

import re
from typing import Final

# The wide ones are what a keyboard for Chinese or Japanese types; spreadsheets there take them for the others.
FORMULA_STARTS: Final = (
    *("=", "+", "-", "@", "\t", "\r"),
    *("\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH PLUS SIGN}"),
    *("\N{FULLWIDTH HYPHEN-MINUS}", "\N{FULLWIDTH COMMERCIAL AT}"),
)


_UNWRITABLE: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # characters that XML can't hold


Cell = str | int | None


def harmless(cell: Cell) -> Cell:
    """Return the cell as it is, unless it is text that a spreadsheet would run as a formula or could not read."""
    if not isinstance(cell, str):
        return "" if cell is None else cell
    text = _UNWRITABLE.sub("", cell)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def unmarked(text: str) -> str:
    """Return what stood in a cell before it was made harmless."""
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA_STARTS) else text
