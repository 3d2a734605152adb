from __future__ import annotations

import re
from typing import Final

# Chinese and Japanese keyboards type the fullwidth characters; spreadsheets treat these as the start of a formula too.
FORMULA_STARTS: Final = (
    *("=", "+", "-", "@", "\t", "\r"),
    *("\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH PLUS SIGN}"),
    *("\N{FULLWIDTH HYPHEN-MINUS}", "\N{FULLWIDTH COMMERCIAL AT}"),
)


_UNWRITABLE_CHARACTERS: Final = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]"
)  # characters that XML can't hold


Cell = str | int | float | None


def escape_formula(cell: Cell) -> Cell:
    """Return the value to write into a spreadsheet's cell. An apostrophe marks text that would else be a formula."""
    if not isinstance(cell, str):
        return "" if cell is None else cell
    text = _UNWRITABLE_CHARACTERS.sub("", cell)
    return f"'{text}" if text.startswith(FORMULA_STARTS) else text


def strip_formula_mark(text: str) -> str:
    """Return the text without the apostrophe that `escape_formula` wrote."""
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA_STARTS) else text
