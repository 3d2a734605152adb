"""Reads a file with a list: CSV, or the sheets of an XLSX workbook. Answers text, as it would be pasted.

A file comes from anywhere: it is looked at before it is unpacked, and at most so much of it is read.
"""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from typing import Any, Final, NamedTuple
from zipfile import ZipFile

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from openpyxl.reader.excel import load_workbook

MOST_UPLOADED: Final = 2_000_000  # bytes
MOST_UNPACKED: Final = 8_000_000  # bytes of all the parts of a workbook
MOST_PARTS: Final = 200
MOST_ROWS, MOST_COLUMNS = 20_000, 50  # empty ones too: spreadsheets keep rows that were once coloured
MOST_IN_CELL, MOST_TEXT = 300, 2_000_000  # characters
LOOKED_AT: Final = 30  # lines, to see what parts the cells
ZIP: Final = b"PK\x03\x04"

NO_WORKBOOK = _("This file can't be read. Save it as XLSX or CSV, without a password, and try again.")
TOO_LARGE = _("This file is too large for a list.")


class UnreadableList(ValueError):
    """The file or the text is no list; the `message` says why, in words."""

    def __init__(self, message: str | Promise) -> None:
        super().__init__(message)
        self.message = message


class Sheet(NamedTuple):
    """A list out of a file, and what its sheet is called there."""

    name: str
    text: str

    @property
    def rows(self) -> int:
        """How many of its rows say something."""
        return sum(bool(line) for line in self.text.splitlines())


def sheets_of(data: bytes, most_lines: int) -> list[Sheet]:
    """Return the lists that a file has: of a workbook its visible sheets with rows, else the text of the file.

    Each has a line a row, not many more than `most_lines`. Raises UnreadableList.
    """
    if len(data) > MOST_UPLOADED:
        raise UnreadableList(TOO_LARGE)
    sheets = _sheets(data, most_lines) if data.startswith(ZIP) else [Sheet("", _decoded(data))]
    if sum(len(sheet.text) for sheet in sheets) > MOST_TEXT:
        raise UnreadableList(TOO_LARGE)
    return sheets


def _decoded(data: bytes) -> str:
    if b"\0" in data:  # no text: an old workbook (XLS), a picture
        raise UnreadableList(NO_WORKBOOK)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")  # as spreadsheets for Windows save CSV


def _sheets(data: bytes, most_lines: int) -> list[Sheet]:
    _check_parts(data)
    try:
        # Values instead of formulas; links to other files are not looked at.
        with closing(load_workbook(io.BytesIO(data), read_only=True, data_only=True, keep_links=False)) as workbook:
            sheets = [Sheet(each.title, _text(each, most_lines)) for each in _visible(workbook)]
    except UnreadableList:
        raise
    except Exception as broken:  # whatever a broken part leads the library to
        raise UnreadableList(NO_WORKBOOK) from broken
    return [sheet for sheet in sheets if sheet.rows] or sheets[:1]


def _text(sheet: Any, most_lines: int) -> str:
    written = io.StringIO()
    writer = csv.writer(written, delimiter="\t", lineterminator="\n")
    kept = 0
    for row in _rows(sheet):
        if row:
            writer.writerow(row)
            kept += 1
        else:
            written.write("\n")  # lines keep their numbers
        if kept > most_lines:
            break
    return written.getvalue()


def _check_parts(data: bytes) -> None:
    """Refuse a workbook whose parts, unpacked, would be too much, or that declare entities. Raises UnreadableList."""
    try:
        with ZipFile(io.BytesIO(data)) as parts:
            listed = parts.infolist()
            if len(listed) > MOST_PARTS or sum(part.file_size for part in listed) > MOST_UNPACKED:
                raise UnreadableList(TOO_LARGE)
            # Nobody unpacks more of a part than it says to have.
            if any(b"<!DOCTYPE" in parts.read(part) for part in listed if part.filename.endswith((".xml", ".rels"))):
                raise UnreadableList(NO_WORKBOOK)
    except UnreadableList:
        raise
    except Exception as broken:  # a password, another compression, bytes that are none
        raise UnreadableList(NO_WORKBOOK) from broken


def _visible(workbook: Any) -> list[Any]:
    """Return the sheets that a reader sees, all of them if he sees none. Raises UnreadableList without one."""
    sheets = workbook.worksheets
    if not sheets:
        raise UnreadableList(_("This file has no sheet."))
    return [each for each in sheets if each.sheet_state == "visible"] or sheets


def _rows(sheet: Any) -> Iterator[list[str]]:
    """Yield the rows of a sheet, without the empty cells at their ends."""
    sheet.reset_dimensions()  # what it says of its size may be wrong
    for row in sheet.iter_rows(max_row=MOST_ROWS, max_col=MOST_COLUMNS, values_only=True):
        cells = [_written(value) for value in row]
        while cells and not cells[-1]:
            cells.pop()
        yield cells


def _written(value: object) -> str:
    """Return a cell as it would be typed: a whole number without a point, a date as a calendar says it."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    elif isinstance(value, datetime.datetime):
        value = value.date()
    return " ".join(str(value).split())[:MOST_IN_CELL]


def rows_of(text: str, most_lines: int) -> list[tuple[int, list[str]]]:
    """Return a text's rows with their numbers, cells apart by tabs, semicolons or commas, without those that are empty.

    What is in the most of the first lines parts the cells: a title above them may have none. The first of at most so
    many rows names the columns. Raises UnreadableList.
    """
    lines = text.lstrip("\ufeff").splitlines()
    first = list(islice(filter(str.strip, lines), LOOKED_AT))
    separator = max("\t;,", key=lambda each: sum(each in line for line in first))
    try:
        rows = list(csv.reader(lines, delimiter=separator, strict=True))
    except csv.Error as error:
        raise UnreadableList(
            _("This is no list of cells: a quotation mark is not closed, or a cell is far too long.")
        ) from error
    numbered = [(number, row) for number, row in enumerate(rows, 1) if any(cell.strip() for cell in row)]
    if not numbered:
        raise UnreadableList(_("The list is empty."))
    if len(numbered) > most_lines:
        raise UnreadableList(
            _("The list has %(given)s lines; at most %(most)s come in at once.")
            % {"given": len(numbered) - 1, "most": most_lines - 1}
        )
    return numbered
