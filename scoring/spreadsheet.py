"""How clubs' spreadsheets of deals name the cells of a row, and their words for codes. Pure.

A game's folder may have a `spreadsheet.py` with the value SPREADSHEET. Every game's import reads columns with the names
of the row's cells, with the row's codes, and with players' names instead of seats.
"""

from collections.abc import Mapping
from typing import NamedTuple

OtherColumnNames = frozenset[str]  # other names of a column, in lower case without accents, in any language
CodesByWord = Mapping[str, str]  # words, in lower case without accents, and their codes
TextKeysByCode = Mapping[str, str]  # codes, and the key of their text in the game's words, for every language


class CellPart(NamedTuple):
    """A separate column for a part of one cell of the row.

    A cell may have a word and a player's name, “double Anna”: the code of the word is then followed by the player's
    number, `d3`. `alone` is the code for a name without a word; "" if such a name is an error.
    """

    name: str
    label: str  # marked for translation
    cell: str
    codes: CodesByWord
    called: OtherColumnNames = frozenset()
    alone: str = ""
    words: TextKeysByCode = {}


class Spreadsheet(NamedTuple):
    called: Mapping[str, OtherColumnNames] = {}  # by the row's cells
    words: Mapping[str, TextKeysByCode] = {}  # by the row's cells
    codes: Mapping[str, CodesByWord] = {}  # by the row's cells; beside those words
    parts: tuple[CellPart, ...] = ()


EMPTY_SPREADSHEET = Spreadsheet()
