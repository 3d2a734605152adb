"""Conversion of an uploaded CSV or XLSX file to text, as a user would paste it; and parsing of such text into rows.

A file is untrusted: it is checked before it is unpacked, and read within limits.
"""

from __future__ import annotations

import csv
from itertools import islice
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.imports.queries.workbook import MAX_TEXT, UnreadableWorkbook, WorkbookTooLarge, read_workbook

MAX_UPLOADED: Final = 2_000_000  # bytes
MAX_COLUMNS: Final = 100  # of a list as text
LONGEST_CELL: Final = 1_000  # characters
SAMPLED_LINES: Final = 30  # lines that are searched for the separator of cells
ZIP_PREFIX: Final = b"PK\x03\x04"  # first bytes of an XLSX file

UNREADABLE_FILE_MESSAGE = _("This file can't be read. Save it as XLSX or CSV, without a password, and try again.")
TOO_LARGE_MESSAGE = _("This file is too large for a list.")


class UnreadableList(ValueError):
    """An uploaded file or pasted text is not a list. `message` is the reason, in the user's language."""

    def __init__(self, message: str | Promise) -> None:
        super().__init__(message)
        self.message = message


class ListSheet(NamedTuple):
    name: str
    text: str

    @property
    def rows(self) -> int:
        """The number of lines that are not empty."""
        return sum(bool(line) for line in self.text.splitlines())


def read_sheets(data: bytes, max_lines: int) -> list[ListSheet]:
    """Return the visible sheets of an XLSX file that are not empty, as text; any other file is one sheet of text.

    Reading stops soon after `max_lines` rows. Raise UnreadableList.
    """
    if len(data) > MAX_UPLOADED:
        raise UnreadableList(TOO_LARGE_MESSAGE)
    sheets = _read_workbook_sheets(data, max_lines) if data.startswith(ZIP_PREFIX) else [ListSheet("", _decode(data))]
    if sum(len(sheet.text) for sheet in sheets) > MAX_TEXT:
        raise UnreadableList(TOO_LARGE_MESSAGE)
    return sheets


def _decode(data: bytes) -> str:
    if b"\0" in data:  # a binary file, such as an old workbook (XLS) or a picture
        raise UnreadableList(UNREADABLE_FILE_MESSAGE)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")  # as spreadsheets for Windows save CSV


def _read_workbook_sheets(data: bytes, max_lines: int) -> list[ListSheet]:
    try:
        workbook = read_workbook(data, max_lines)
    except WorkbookTooLarge as error:
        raise UnreadableList(TOO_LARGE_MESSAGE) from error
    except UnreadableWorkbook as error:
        raise UnreadableList(UNREADABLE_FILE_MESSAGE) from error
    if not workbook:
        raise UnreadableList(_("This file has no sheet."))
    visible = [sheet for sheet in workbook if sheet.is_visible] or workbook
    sheets = [ListSheet(sheet.name, sheet.text) for sheet in visible]
    return [sheet for sheet in sheets if sheet.rows] or sheets[:1]


def read_rows(text: str, max_lines: int) -> list[tuple[int, list[str]]]:
    """Parse text into rows of cells; return the rows that are not empty, with their line numbers.

    The separator is the tab, semicolon or comma that most of the first lines contain. Raise UnreadableList, for example
    for more than `max_lines` rows, which include the header.
    """
    lines = text.lstrip("\ufeff").splitlines()
    first = list(islice(filter(str.strip, lines), SAMPLED_LINES))
    separator = max("\t;,", key=lambda mark: sum(mark in line for line in first))
    try:
        # The line ends separate the words of a cell with several lines.
        reader = csv.reader((f"{line}\n" for line in lines), delimiter=separator, strict=True)
        rows = [_check_row(row) for row in reader]
    except csv.Error as error:
        raise UnreadableList(
            _("This is no list of cells: a quotation mark is not closed, or a cell is far too long.")
        ) from error
    numbered = [(number, row) for number, row in enumerate(rows, 1) if any(cell.strip() for cell in row)]
    if not numbered:
        raise UnreadableList(_("The list is empty."))
    if len(numbered) > max_lines:
        raise UnreadableList(
            _("The list has %(given)s lines; at most %(most)s come in at once.")
            % {"given": len(numbered) - 1, "most": max_lines - 1}
        )
    return numbered


def _check_row(row: list[str]) -> list[str]:
    """Return the row, with each cell on one line.

    Raise UnreadableList for too many columns, csv.Error for a cell that is too long.
    """
    if len(row) > MAX_COLUMNS:
        raise UnreadableList(
            _("The list has %(given)s columns; at most %(most)s are read.") % {"given": len(row), "most": MAX_COLUMNS}
        )
    if any(len(cell) > LONGEST_CELL for cell in row):
        raise csv.Error
    return [cell.replace("\n", " ") for cell in row]
