"""Parsing of a club file, a zip of CSV files. Each value is validated by its model field, and each reference checked.

The file is untrusted: it may be too large, truncated or malformed. Errors name the file, row and column.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import IO, Any, Final, NamedTuple

from django.db.models import DateTimeField, Field
from django.utils.translation import gettext as _

from league.bounded_archive import ArchiveTooLarge, BoundedArchive, UnreadableArchive
from league.imports.queries.club_file import cells
from league.imports.queries.club_file.export import (
    ACT_COLUMNS,
    ACTS_NAME,
    DESCRIPTION_FILE_NAME,
    history_columns,
    history_fields,
    history_name,
    part_columns,
)
from league.imports.queries.club_file.parts import FORMAT_NUMBER, PARTS, Part, references
from players.models import Player

MAX_ENTRIES: Final = 200  # of the zip file
LONGEST_DESCRIPTION: Final = 2**20  # bytes
LONGEST_CELL: Final = 2**20  # characters
LONGEST_ROW: Final = 2**21  # characters
MAX_FAULTS: Final = 20  # errors in one message
HISTORY_LABELS: Final = ("insert", "update", "delete")


class UnreadableFile(ValueError):
    """The file is not a valid club file (a zip of CSV files). `faults` are sentences that name file, row and column."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = list(faults)


class FileTooLarge(UnreadableFile):
    """The file exceeds the given limits. With larger limits it might be valid."""


class Limits(NamedTuple):
    size: int  # decompressed bytes
    rows: int  # number of rows of all parts together
    rows_by_part: Mapping[str, int]  # limits of parts with expensive rows, by name


COMMAND_LIMITS: Final = Limits(size=500 * 2**20, rows=10_000_000, rows_by_part={})


class Row(NamedTuple):
    """A row of a part: its number in the CSV file, from 1, and values by field name. Foreign keys are row numbers."""

    number: int
    values: dict[str, Any]


class HistoryRow(NamedTuple):
    """A change of the row `row_number` of a part.

    `values` are the row's values after the change; if the row was deleted, its last values.
    """

    row_number: int
    time: datetime
    event: str  # one of HISTORY_LABELS
    act: int | None  # number of a ChangeAuthor
    values: dict[str, Any]


class ChangeAuthor(NamedTuple):
    """A row of acts.csv: number, time, author (row number of a player) and reason of a change in the history."""

    number: int
    time: datetime
    player: int | None
    reason: str


class ClubFile(NamedTuple):
    """The content of a club file (a zip of CSV files): its rows and their `history`, by the name of the part.

    A part has the rows of one model. `acts` are authors, times and reasons of the changes in the history.
    """

    rows: Mapping[str, list[Row]]
    history: Mapping[str, list[HistoryRow]]
    acts: list[ChangeAuthor]


def read_club_file(file: IO[bytes], limits: Limits = COMMAND_LIMITS) -> ClubFile:
    """Parse a club file (a zip of CSV files) and return its content.

    Raise UnreadableFile, or FileTooLarge if the file exceeds the limits.
    """
    try:
        with BoundedArchive(file, entries=MAX_ENTRIES, size=limits.size) as archive:
            return _ClubFileReader(archive, limits).read()
    except ArchiveTooLarge as error:
        message = _("The file is too large: decompressed it has more than %(number)s MB, or it has too many entries.")
        raise FileTooLarge([message % {"number": limits.size // 2**20}]) from error
    except UnreadableArchive as error:
        raise UnreadableFile([_("This is no zip file, or it is damaged.")]) from error


class _BoundedLines:
    """The lines of a CSV file. Iteration raises `csv.Error` for a row that is too long.

    A row may have several lines: the user of this class sets `length` to 0 after each row.
    """

    def __init__(self, text: io.TextIOBase) -> None:
        self._text = text
        self.length = 0  # of the row, as far as it was read

    def __iter__(self) -> Iterator[str]:
        while line := self._text.readline(LONGEST_ROW):
            self.length += len(line)
            if self.length >= LONGEST_ROW:
                raise csv.Error
            yield line


class _ClubFileReader:
    def __init__(self, archive: BoundedArchive, limits: Limits) -> None:
        self.archive = archive
        self.limits = limits
        self.rows_read = 0
        self.faults: list[str] = []
        self.row_counts: dict[str, int] = {}  # by name of the part, as far as it was read
        self.described_tables: set[str] = set()  # names of the CSV files in the file's description

    def read(self) -> ClubFile:
        self._check_format()
        rows = {part.name: list(self._part_rows(part)) for part in PARTS if not part.is_computed}
        acts = list(self._act_rows())
        history = {part.name: list(self._history_rows(part)) for part in PARTS if part.history}
        if len(rows["club"]) != 1:
            self._add_fault("club", 2, "id", _("there has to be one club"))
        if self.faults:
            raise UnreadableFile(self.faults[:MAX_FAULTS])
        return ClubFile(rows, history, acts)

    def _check_format(self) -> None:
        try:
            with self.archive.open(DESCRIPTION_FILE_NAME) as entry:
                package = json.loads(entry.read(LONGEST_DESCRIPTION))
            number = package["format"]
            self.described_tables = {resource["name"] for resource in package["resources"]}
        except (KeyError, TypeError, ValueError, RecursionError):
            raise UnreadableFile(
                [_("This is no club's file: it has no description, or none that can be read.")]
            ) from None
        if number != FORMAT_NUMBER:
            raise UnreadableFile(
                [
                    _("The file has format %(given)s. This installation reads format %(known)s.")
                    % {"given": number, "known": FORMAT_NUMBER}
                ]
            )

    def _part_rows(self, part: Part) -> Iterator[Row]:
        if part.is_later and part.name not in self.described_tables:
            return
        parents = references(part)
        for line, row in self._table_rows(part.name, part_columns(part), part.later_fields):
            number = self._parse_row_number(part.name, line, "id", row["id"])
            if number != line - 1:
                self._add_fault(part.name, line, "id", _("rows are numbered from 1, in order"))
            self.row_counts[part.name] = line - 1
            yield Row(line - 1, self._parse_values(part.name, line, row, part.fields, parents))

    def _history_rows(self, part: Part) -> Iterator[HistoryRow]:
        name, parents, fields = history_name(part), references(part), history_fields(part)
        if part.is_later and name not in self.described_tables:
            return
        header = history_columns(part)
        later = {column: cell for column, cell in part.later_fields.items() if column in header}
        for line, row in self._table_rows(name, header, later):
            act = self._parse_reference(name, line, "act", row["act"], ACTS_NAME) if row["act"] else None
            if row["what"] not in HISTORY_LABELS:
                self._add_fault(
                    name, line, "what", _("it has to be one of %(these)s") % {"these": ", ".join(HISTORY_LABELS)}
                )
            time = self._parse_value(name, line, _TIME_FIELD, row["at"], "at")
            values = self._parse_values(name, line, row, fields, parents, may_be_deleted=True)
            yield HistoryRow(self._parse_row_number(name, line, "of", row["of"]), time, row["what"], act, values)

    def _act_rows(self) -> Iterator[ChangeAuthor]:
        for line, row in self._table_rows(ACTS_NAME, ACT_COLUMNS):
            player = self._parse_reference(ACTS_NAME, line, "by", row["by"], "people") if row["by"] else None
            time = self._parse_value(ACTS_NAME, line, _TIME_FIELD, row["created_at"], "created_at")
            if self._parse_row_number(ACTS_NAME, line, "id", row["id"]) != line - 1:
                self._add_fault(ACTS_NAME, line, "id", _("rows are numbered from 1, in order"))
            self.row_counts[ACTS_NAME] = line - 1
            yield ChangeAuthor(line - 1, time, player, row["reason"])

    def _table_rows(
        self, name: str, header: Sequence[str], later: Mapping[str, str] = MappingProxyType({})
    ) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield the line number and the cells, by column, of each row of a CSV file. The header is line 1.

        `later` has the columns that older files may lack, with the cell that is then assumed.
        """
        try:
            raw = self.archive.open(f"{name}.csv")
        except KeyError:
            self.faults.append(_("%(name)s.csv is missing.") % {"name": name})
            return
        csv.field_size_limit(LONGEST_CELL)
        with raw, io.TextIOWrapper(raw, encoding="utf-8", newline="") as text:
            lines = _BoundedLines(text)
            try:
                rows = csv.reader(lines, strict=True)
                columns_of_file = next(rows, [])
                missing = {column: cell for column, cell in later.items() if column not in columns_of_file}
                if columns_of_file != [column for column in header if column not in missing]:
                    self._add_fault(name, 1, "", _("the columns have to be %(these)s") % {"these": ", ".join(header)})
                    return
                for line, row in enumerate(rows, 2):
                    lines.length = 0
                    self._count_row(name, line - 1)
                    if len(self.faults) >= MAX_FAULTS:
                        return
                    number = len(header) - len(missing)
                    if len(row) != number:
                        self._add_fault(name, line, "", _("there have to be %(number)s cells") % {"number": number})
                        continue
                    yield line, {**dict(zip(columns_of_file, row, strict=True)), **missing}
            except (csv.Error, UnicodeDecodeError):
                self._add_fault(name, 0, "", _("it is no CSV in UTF-8, or a cell is far too long"))

    def _count_row(self, name: str, number: int) -> None:
        self.rows_read += 1
        limit = self.limits.rows_by_part.get(name, self.limits.rows)
        if number > limit:
            message = _("The file is too large: %(name)s.csv has more than %(number)s rows.")
            raise FileTooLarge([message % {"name": name, "number": limit}])
        if self.rows_read > self.limits.rows:
            message = _("The file is too large: it has more than %(number)s rows.")
            raise FileTooLarge([message % {"number": self.limits.rows}])

    def _parse_values(
        self,
        name: str,
        line: int,
        row: Mapping[str, str],
        fields: Sequence[Field[Any, Any]],
        parents: Mapping[str, Part],
        *,
        may_be_deleted: bool = False,
    ) -> dict[str, Any]:
        """Return the values of a row by field name. Add errors to `faults`.

        `name` is the name of the CSV file, `parents` the part to which each foreign key refers, by field name.
        With `may_be_deleted`, a reference may be to a deleted row, which occurs only in the history.
        """
        values = {}
        for field in fields:
            cell = row[field.name]
            if field.name not in parents:
                values[field.name] = self._parse_value(name, line, field, cell, field.name)
            elif not cell and field.null:
                values[field.name] = None
            elif may_be_deleted and parents[field.name].model is not Player:  # a player's row always remains
                values[field.name] = self._parse_row_number(name, line, field.name, cell)
            else:
                values[field.name] = self._parse_reference(name, line, field.name, cell, parents[field.name].name)
        return values

    def _parse_value(self, name: str, line: int, field: Field[Any, Any], cell: str, column: str) -> Any:
        try:
            return cells.parse_cell(field, cell)
        except cells.UnreadableCell as error:
            self._add_fault(name, line, column, f"{error} ({cell[:40]})")
            return None

    def _parse_reference(self, name: str, line: int, column: str, cell: str, part: str) -> int:
        number = self._parse_row_number(name, line, column, cell)
        if number and number > self.row_counts.get(part, 0):
            self._add_fault(
                name, line, column, _("%(part)s.csv has no row %(number)s") % {"part": part, "number": number}
            )
        return number

    def _parse_row_number(self, name: str, line: int, column: str, cell: str) -> int:
        if cell.isascii() and cell.isdecimal() and len(cell) < 10 and int(cell):
            return int(cell)
        self._add_fault(name, line, column, _("it has to be the number of a row (%(given)s)") % {"given": cell[:40]})
        return 0

    def _add_fault(self, name: str, line: int, column: str, problem: str) -> None:
        position = " · ".join(
            part for part in (f"{name}.csv", line and _("row %(number)s") % {"number": line}, column) if part
        )
        self.faults.append(f"{position}: {problem}")


_TIME_FIELD: Final = DateTimeField()
