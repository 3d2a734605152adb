"""Parser for untrusted XLSX workbooks: it returns the cells as text, within limits that are checked while reading.

Only the XML files (parts) that are needed for cells are parsed. A document type declaration is refused in each part, in
any encoding and with any prefix. A part that several sheets use counts against the limits each time that it is read.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import date, datetime
from posixpath import dirname, join, normpath
from typing import Final, NamedTuple
from xml.parsers import expat

from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format, is_timedelta_format
from openpyxl.utils.cell import column_index_from_string
from openpyxl.utils.datetime import MAC_EPOCH, WINDOWS_EPOCH, from_excel, from_ISO8601

from league.bounded_archive import ArchiveTooLarge, BoundedArchive, UnreadableArchive

MAX_UNPACKED_BYTES: Final = 8_000_000  # bytes of all parts
MAX_PARTS: Final = 200
MAX_SHEETS: Final = 60
MAX_RELATIONS: Final = 1_000  # relations of a part
MAX_STYLES: Final = 65_536  # as in Excel
MAX_CELLS: Final = 250_000  # of all sheets; empty cells with a colour count too
MAX_ROWS, MAX_COLUMNS = 20_000, 50  # of a sheet; further cells are not read
MAX_ROWS_OF_ALL_SHEETS: Final = 60_000  # of all sheets; missing rows between others count too
MAX_TEXT: Final = 2_000_000  # characters of all sheets
MAX_CELL_LENGTH: Final = 300  # characters
MAX_RAW_CELL_LENGTH: Final = 1_000  # characters, spaces included
MAX_TAG_BYTES: Final = 1 << 16  # bytes of a tag with its attributes, which expat has in memory at once
MAX_DEPTH: Final = 64
SIGNIFICANT_DIGITS: Final = 15  # of a number that a spreadsheet shows
LONGEST_FORMAT: Final = 255  # characters of a number format, as in Excel
PARSER_CHUNK_SIZE: Final = 1 << 14
CELL_REFERENCE: Final = re.compile("([A-Za-z]{1,3})[0-9]+")


class UnreadableWorkbook(Exception):
    """The file is damaged, or is not an XLSX workbook."""


class WorkbookTooLarge(UnreadableWorkbook):
    """The workbook exceeds one of the limits of this module."""


class WorkbookSheet(NamedTuple):
    """A sheet of a workbook as text: one line per row, cells separated by tabs and quoted as in CSV."""

    name: str
    text: str
    is_visible: bool


class _Relation(NamedTuple):
    kind: str
    target: str


class _StopParsing(Exception):
    """Ends the parsing of an XML file whose rest is not needed."""


def read_workbook(data: bytes, max_lines: int) -> list[WorkbookSheet]:
    """Return the sheets of an XLSX file as text. Raise UnreadableWorkbook, or WorkbookTooLarge.

    Of each sheet, only the first `max_lines` + 1 rows that are not empty are read.
    """
    try:
        with BoundedArchive(io.BytesIO(data), entries=MAX_PARTS, size=MAX_UNPACKED_BYTES) as archive:
            return list(_WorkbookReader(archive, max_lines).sheets())
    except ArchiveTooLarge as error:
        raise WorkbookTooLarge from error
    # LookupError is raised for a part, string or encoding that does not exist.
    except (UnreadableArchive, expat.ExpatError, LookupError, ValueError, OverflowError) as error:
        raise UnreadableWorkbook from error


class _WorkbookReader:
    def __init__(self, archive: BoundedArchive, max_lines: int) -> None:
        self.archive = archive
        self.max_lines = max_lines
        self.strings: list[str] = []
        self.date_styles: dict[int, bool] = {}  # whether a style of dates shows a duration, by the style's index
        self.epoch = WINDOWS_EPOCH
        self.cells = self.rows = self.text = 0

    def sheets(self) -> Iterator[WorkbookSheet]:
        [workbook] = [relation.target for relation in self._relations("").values() if relation.kind == "officeDocument"]
        relations = self._relations(workbook)
        sheet_keys = self._sheet_keys(workbook)
        for relation in relations.values():
            if relation.kind == "sharedStrings":
                self._read_strings(relation.target)
            elif relation.kind == "styles":
                self._read_styles(relation.target)
        for name, state, key in sheet_keys:
            sheet_relation = relations[key]
            if sheet_relation.kind == "worksheet":
                yield WorkbookSheet(name, _SheetReader(self, sheet_relation.target).read_text(), state == "visible")

    def count_against_limits(self, *, rows: int = 0, cells: int = 0, text: int = 0) -> None:
        self.rows += rows
        self.cells += cells
        self.text += text
        _check_limit(self.rows, MAX_ROWS_OF_ALL_SHEETS)
        _check_limit(self.cells, MAX_CELLS)
        _check_limit(self.text, MAX_TEXT)

    def _relations(self, part: str) -> dict[str, _Relation]:
        """Return the relations of a part by id, without links to other files."""
        folder = dirname(part)
        relations: dict[str, _Relation] = {}
        number = 0

        def start(name: str, attributes: Mapping[str, str]) -> None:
            nonlocal number
            number += 1
            _check_limit(number, MAX_RELATIONS)
            if name == "Relationship" and attributes.get("TargetMode") != "External":
                target = normpath(join("/", folder, attributes["Target"])).lstrip("/")
                relations[attributes["Id"]] = _Relation(attributes["Type"].rpartition("/")[2], target)

        self.parse(join(folder, "_rels", f"{part[len(folder) :].lstrip('/')}.rels"), start)
        return relations

    def _sheet_keys(self, workbook: str) -> list[tuple[str, str, str]]:
        """Return name, state ("visible" or other) and relation id of each sheet. Also set the epoch of dates."""
        sheets = []

        def start(name: str, attributes: Mapping[str, str]) -> None:
            if name == "workbookPr" and attributes.get("date1904") in {"1", "true"}:
                self.epoch = MAC_EPOCH
            elif name == "sheet":
                keys = [value for key, value in attributes.items() if key.endswith(":id")]
                sheets.append((attributes["name"], attributes.get("state", "visible"), keys[0]))
                _check_limit(len(sheets), MAX_SHEETS)

        self.parse(workbook, start)
        return sheets

    def _read_strings(self, part: str) -> None:
        text = _CellText()

        def start(name: str, _attributes: Mapping[str, str]) -> None:
            if name == "si":
                text.clear()
            text.start(name)

        def end(name: str) -> None:
            text.end(name)
            if name == "si":
                self.strings.append(text.value())

        self.parse(part, start, end, text.add)

    def _read_styles(self, part: str) -> None:
        formats = dict(BUILTIN_FORMATS)
        within: list[str] = []
        used: list[int] = []

        def start(name: str, attributes: Mapping[str, str]) -> None:
            if name == "numFmt" and len(attributes["formatCode"]) <= LONGEST_FORMAT:
                formats[int(attributes["numFmtId"])] = attributes["formatCode"]
            elif name == "xf" and within[-1] == "cellXfs":
                used.append(int(attributes.get("numFmtId", 0)))
            within.append(name)
            _check_limit(max(len(formats), len(used)), MAX_STYLES)

        self.parse(part, start, lambda _name: within.pop())
        dates = {key for key in set(used) & formats.keys() if is_date_format(formats[key])}
        self.date_styles = {style: is_timedelta_format(formats[key]) for style, key in enumerate(used) if key in dates}

    def parse(
        self,
        part: str,
        start: Callable[[str, Mapping[str, str]], None],
        end: Callable[[str], object] | None = None,
        add: Callable[[str], None] | None = None,
    ) -> None:
        """Parse a part. Call `start` where an element begins, `end` where it ends, and `add` with its text.

        The names of elements are without a prefix.
        """
        parser = expat.ParserCreate()
        parser.StartDoctypeDeclHandler = _refuse_doctype
        depth = 0

        def start_element(name: str, attributes: dict[str, str]) -> None:
            nonlocal depth
            depth += 1
            if depth > MAX_DEPTH:
                raise UnreadableWorkbook
            start(name.rpartition(":")[2], attributes)

        def end_element(name: str) -> None:
            nonlocal depth
            depth -= 1
            if end:
                end(name.rpartition(":")[2])

        parser.StartElementHandler, parser.EndElementHandler = start_element, end_element
        parser.CharacterDataHandler = add
        bytes_read = 0
        with self.archive.open(part) as source, suppress(_StopParsing):
            while data := source.read(PARSER_CHUNK_SIZE):
                parser.Parse(data, False)
                bytes_read += len(data)
                if bytes_read - parser.CurrentByteIndex > MAX_TAG_BYTES:
                    raise UnreadableWorkbook
            parser.Parse(b"", True)


class _SheetReader:
    def __init__(self, workbook: _WorkbookReader, part: str) -> None:
        self.workbook = workbook
        self.part = part
        self.output = io.StringIO()
        self.writer = csv.writer(self.output, delimiter="\t", lineterminator="\n")
        self.number = 0  # number of the current row
        self.column = 0
        self.filled_row_count = 0  # number of rows that are not empty
        self.cells: list[str] = []
        self.kind, self.style = "n", 0
        self.value = _CellText()

    def read_text(self) -> str:
        """Return the sheet as text. A missing row becomes an empty line, so that line numbers are row numbers."""
        self.workbook.parse(self.part, self._start_element, self._end_element, self.value.add)
        return self.output.getvalue()

    def _start_element(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "row":
            number = max(int(attributes.get("r", self.number + 1)), self.number + 1)
            if number > MAX_ROWS:
                raise _StopParsing
            self.workbook.count_against_limits(rows=number - self.number)
            self.output.write("\n" * (number - self.number - 1))
            self.number, self.column, self.cells = number, 0, []
        elif name == "c":
            self.workbook.count_against_limits(cells=1)
            self.column = _column_index(attributes["r"]) if "r" in attributes else self.column + 1
            self.kind, self.style = attributes.get("t", "n"), int(attributes.get("s", 0))
            self.value.clear()
        elif name == "v":
            self.value.clear()
            self.value.is_open = True
        elif self.kind == "inlineStr":
            self.value.start(name)

    def _end_element(self, name: str) -> None:
        if name == "v":
            self.value.is_open = False
        elif name == "c":
            if self.column <= MAX_COLUMNS and (cell := _cell_text(self._parse_value(self.value.value()))):
                self.cells += [""] * (self.column - len(self.cells))
                self.cells[self.column - 1] = cell
        elif name == "row":
            self._end_row()
        elif self.kind == "inlineStr":
            self.value.end(name)

    def _end_row(self) -> None:
        self.workbook.count_against_limits(text=sum(map(len, self.cells)) + len(self.cells))
        if self.cells:
            self.writer.writerow(self.cells)
            self.filled_row_count += 1
        else:
            self.output.write("\n")
        if self.filled_row_count > self.workbook.max_lines:
            raise _StopParsing

    def _parse_value(self, text: str) -> object:
        if not text:
            return None
        match self.kind:
            case "s":
                return self.workbook.strings[_parse_index(text)]
            case "b":
                return bool(int(text))
            case "d":
                return from_ISO8601(text)
            case "n":
                number = float(text) if re.search("[.eE]", text) else int(text)
                if self.style not in self.workbook.date_styles:
                    return number
                try:
                    return from_excel(number, self.workbook.epoch, timedelta=self.workbook.date_styles[self.style])
                except (OverflowError, ValueError):  # the date is out of range
                    return "#VALUE!"
            case _:
                return text


class _CellText:
    """Collects the text of a cell from its XML elements, without phonetic hints (for Japanese)."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.is_open = False
        self.is_phonetic = False
        self.characters_left = MAX_RAW_CELL_LENGTH

    def clear(self) -> None:
        self.parts, self.characters_left, self.is_phonetic = [], MAX_RAW_CELL_LENGTH, False

    def start(self, name: str) -> None:
        self.is_phonetic |= name == "rPh"
        self.is_open = name == "t" and not self.is_phonetic

    def end(self, name: str) -> None:
        self.is_phonetic &= name != "rPh"
        self.is_open = False

    def add(self, text: str) -> None:
        if self.is_open and self.characters_left:
            self.parts.append(text[: self.characters_left])
            self.characters_left -= len(self.parts[-1])

    def value(self) -> str:
        return "".join(self.parts).replace("x005F_", "")


def _refuse_doctype(*_declared: object) -> None:
    raise UnreadableWorkbook


def _check_limit(number: int, limit: int) -> None:
    if number > limit:
        raise WorkbookTooLarge


def _column_index(reference: str) -> int:
    match = CELL_REFERENCE.fullmatch(reference)
    if not match:
        raise UnreadableWorkbook
    return int(column_index_from_string(match[1]))


def _parse_index(text: str) -> int:
    index = int(text)
    if index < 0:
        raise UnreadableWorkbook
    return index


def _cell_text(value: object) -> str:
    """Return a cell's value as a user would type it: integers without a decimal point, dates in ISO format."""
    if value is None:
        return ""
    if isinstance(value, float):
        value = float(f"{value:.{SIGNIFICANT_DIGITS}g}")  # 0.1 * 3 is shown as 0.3 there
        value = int(value) if value.is_integer() else value
    elif isinstance(value, datetime):
        value = value.date()
    elif isinstance(value, date):
        value = value.isoformat()
    return " ".join(str(value).split())[:MAX_CELL_LENGTH]
