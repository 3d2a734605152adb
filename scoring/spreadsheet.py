"""What a club's own spreadsheet calls the cells of a deal's row, and the words that it writes for their codes. Pure.

A game's folder has a `spreadsheet.py` with the value SPREADSHEET. A game without one is read from columns called as the
row's own, with the row's codes, and with players' names where the row has seats.
"""

from collections.abc import Mapping
from typing import NamedTuple

Called = frozenset[str]  # other names of a column, in lower case without accents, in any language
Codes = Mapping[str, str]  # words, written as names of columns are, and the code that each stands for
SaidCodes = Mapping[str, str]  # codes, and which of the game's words says what each stands for, in every language


class CellPart(NamedTuple):
    """A column of its own for a part of what one cell of the row holds.

    A word may be followed by a player's name, and its code then by the seat. `alone` is the code before a seat where
    the name stands by itself; "" if none may.
    """

    name: str
    label: str  # marked for translation
    cell: str
    codes: Codes
    called: Called = frozenset()
    alone: str = ""
    words: SaidCodes = {}


class Spreadsheet(NamedTuple):
    """A game's columns as clubs have them, beside those of its row."""

    called: Mapping[str, Called] = {}  # by the row's cells
    words: Mapping[str, SaidCodes] = {}  # by the row's cells
    codes: Mapping[str, Codes] = {}  # by the row's cells; beside those words
    parts: tuple[CellPart, ...] = ()


PLAIN = Spreadsheet()
