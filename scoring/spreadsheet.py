"""The column names and words that clubs use for deals in their own spreadsheets, for the import of deals. No Django.

A game's folder may have a `spreadsheet.py` with the value SPREADSHEET. The import also accepts the column names and
the short codes of the game's `row.py`, and players' names instead of seat numbers.

For example, Anna sits at seat 1, and a line has “Anna” in the column “Preneur”, “garde” in “Contrat”, “double Anna” in
“Poignée”. The import reads the cells of the row: taker `1`, contract `g`, and extras `d1` (see `row_codes.py`).
"""

from collections.abc import Mapping
from typing import NamedTuple

OtherColumnNames = frozenset[str]  # further names of a column, in lower case without accents, in any language
CodesByWord = Mapping[str, str]  # words, in lower case without accents, and their codes
TextKeysByCode = Mapping[str, str]  # codes, and the key of their text in the game's words, for every language


class CellPart(NamedTuple):
    """A column of a spreadsheet that has one part of a cell of the row: for example, only the handful of the extras.

    A spreadsheet cell may have a word and a player's name, “double Anna”: the result is the code of the word and the
    player's number, `d3`. `code_for_name` is the code for a name without a word; "" if such a name is an error.
    """

    name: str
    label: str  # marked for translation
    cell: str
    codes: CodesByWord
    other_column_names: OtherColumnNames = frozenset()
    code_for_name: str = ""
    words: TextKeysByCode = {}


class Spreadsheet(NamedTuple):
    """Other names of the row's columns, words for their codes, and separate columns for parts of a cell."""

    other_column_names: Mapping[str, OtherColumnNames] = {}  # by the row's cells
    words: Mapping[str, TextKeysByCode] = {}  # by the row's cells
    codes: Mapping[str, CodesByWord] = {}  # by the row's cells; in addition to `words`
    parts: tuple[CellPart, ...] = ()


EMPTY_SPREADSHEET = Spreadsheet()
