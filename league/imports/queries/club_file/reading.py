"""Reading a club's file: its parts as rows of values, each checked by its field, and every number by what it names.

The file may come from anybody: what is too large, cut off or not what it should be is refused by its line and column.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import IO, Any, Final, NamedTuple

from django.db.models import DateTimeField, Field
from django.utils.translation import gettext as _

from league.bounded_archive import ArchiveTooLarge, BoundedArchive, UnreadableArchive
from league.imports.queries.club_file import cells
from league.imports.queries.club_file.export import (
    ACT_COLUMNS,
    ACTS,
    DESCRIPTION,
    columns,
    past_columns,
    past_fields,
    past_name,
)
from league.imports.queries.club_file.parts import FORMAT, PARTS, Part, references
from players.models import Player

MOST_ENTRIES: Final = 200  # of the zip file
LONGEST_DESCRIPTION: Final = 2**20  # bytes
LONGEST_CELL: Final = 2**20  # characters
LONGEST_ROW: Final = 2**21
MOST: Final = 20  # faults that are told
LABELS: Final = ("insert", "update", "delete")


class UnreadableFile(ValueError):
    """A file that is no club's; `faults` tell where, and what would be right."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = list(faults)


class FileTooLarge(UnreadableFile):
    """A file that exceeds the limits of its reader; larger limits could let it in."""


class Limits(NamedTuple):
    """How large a file may be."""

    size: int  # decompressed bytes
    rows: int  # of all parts
    rows_of: Mapping[str, int]  # of parts whose rows cost much more than others, by their names


FOR_COMMANDS: Final = Limits(size=500 * 2**20, rows=10_000_000, rows_of={})


class Row(NamedTuple):
    """A row of a part by its number; `values` are by the names of its fields, of what it names the numbers."""

    number: int
    values: dict[str, Any]


class PastRow(NamedTuple):
    """A row of a part's history: of which row, when, what, by which act, and what it was then."""

    of: int
    at: datetime
    what: str
    act: int | None
    values: dict[str, Any]


class ReadAct(NamedTuple):
    """Who did something, when and why."""

    number: int
    at: datetime
    by: int | None
    reason: str


class ClubFile(NamedTuple):
    """What a file has: rows and histories by the names of the parts, and the acts."""

    rows: Mapping[str, list[Row]]
    past: Mapping[str, list[PastRow]]
    acts: list[ReadAct]


def read_club(file: IO[bytes], limits: Limits = FOR_COMMANDS) -> ClubFile:
    """Return the rows of a file. Raise UnreadableFile, FileTooLarge beyond the limits."""
    try:
        with BoundedArchive(file, entries=MOST_ENTRIES, size=limits.size) as archive:
            return _ClubFileReading(archive, limits).read()
    except ArchiveTooLarge as error:
        message = _("The file is too large: decompressed it has more than %(number)s MB, or it has too many entries.")
        raise FileTooLarge([message % {"number": limits.size // 2**20}]) from error
    except UnreadableArchive as error:
        raise UnreadableFile([_("This is no zip file, or it is damaged.")]) from error


class _Lines:
    """The lines of a table. A row that is too long, in one line or in quoted lines, raises `csv.Error`."""

    def __init__(self, text: io.TextIOBase) -> None:
        self._text = text
        self.length = 0  # of the row, as far as it was read

    def __iter__(self) -> Iterator[str]:
        while line := self._text.readline(LONGEST_ROW):
            self.length += len(line)
            if self.length >= LONGEST_ROW:
                raise csv.Error
            yield line


class _ClubFileReading:
    def __init__(self, archive: BoundedArchive, limits: Limits) -> None:
        self.archive = archive
        self.limits = limits
        self.rows_read = 0
        self.faults: list[str] = []
        self.numbers: dict[str, int] = {}  # how many rows each part has
        self.described: set[str] = set()  # the tables that the file says to have

    def read(self) -> ClubFile:
        """Read the description, then part after part."""
        self._check_format()
        rows = {part.name: list(self._rows(part)) for part in PARTS if not part.is_computed}
        acts = list(self._acts())
        past = {part.name: list(self._past(part)) for part in PARTS if part.history}
        if len(rows["club"]) != 1:
            self._fault("club", 2, "id", _("there has to be one club"))
        if self.faults:
            raise UnreadableFile(self.faults[:MOST])
        return ClubFile(rows, past, acts)

    def _check_format(self) -> None:
        try:
            with self.archive.open(DESCRIPTION) as entry:
                told = json.loads(entry.read(LONGEST_DESCRIPTION))
            number = told["format"]
            self.described = {each["name"] for each in told["resources"]}
        except (KeyError, TypeError, ValueError, RecursionError):
            raise UnreadableFile(
                [_("This is no club's file: it has no description, or none that can be read.")]
            ) from None
        if number != FORMAT:
            raise UnreadableFile(
                [
                    _("The file has format %(given)s. This installation reads format %(known)s.")
                    % {"given": number, "known": FORMAT}
                ]
            )

    def _rows(self, part: Part) -> Iterator[Row]:
        if part.later and part.name not in self.described:
            return
        to = references(part)
        for line, row in self._table(part.name, columns(part)):
            number = self._number(part.name, line, "id", row["id"])
            if number != line - 1:
                self._fault(part.name, line, "id", _("rows are numbered from 1, in order"))
            self.numbers[part.name] = line - 1
            yield Row(line - 1, self._values(part.name, line, row, part.fields, to))

    def _past(self, part: Part) -> Iterator[PastRow]:
        name, to, fields = past_name(part), references(part), past_fields(part)
        for line, row in self._table(name, past_columns(part)):
            act = self._known(name, line, "act", row["act"], ACTS) if row["act"] else None
            if row["what"] not in LABELS:
                self._fault(name, line, "what", _("it has to be one of %(these)s") % {"these": ", ".join(LABELS)})
            at = self._value(name, line, _AT, row["at"], "at")
            values = self._values(name, line, row, fields, to, gone=True)
            yield PastRow(self._number(name, line, "of", row["of"]), at, row["what"], act, values)

    def _acts(self) -> Iterator[ReadAct]:
        for line, row in self._table(ACTS, ACT_COLUMNS):
            by = self._known(ACTS, line, "by", row["by"], "people") if row["by"] else None
            at = self._value(ACTS, line, _AT, row["created_at"], "created_at")
            if self._number(ACTS, line, "id", row["id"]) != line - 1:
                self._fault(ACTS, line, "id", _("rows are numbered from 1, in order"))
            self.numbers[ACTS] = line - 1
            yield ReadAct(line - 1, at, by, row["reason"])

    def _table(self, name: str, header: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
        """Yield the rows of a table with their numbers, the header's being 1."""
        try:
            raw = self.archive.open(f"{name}.csv")
        except KeyError:
            self.faults.append(_("%(name)s.csv is missing.") % {"name": name})
            return
        csv.field_size_limit(LONGEST_CELL)
        with raw, io.TextIOWrapper(raw, encoding="utf-8", newline="") as text:
            lines = _Lines(text)
            try:
                rows = csv.reader(lines, strict=True)
                if next(rows, None) != list(header):
                    self._fault(name, 1, "", _("the columns have to be %(these)s") % {"these": ", ".join(header)})
                    return
                for line, row in enumerate(rows, 2):
                    lines.length = 0
                    self._count_row(name, line - 1)
                    if len(self.faults) >= MOST:
                        return
                    if len(row) != len(header):
                        self._fault(name, line, "", _("there have to be %(number)s cells") % {"number": len(header)})
                        continue
                    yield line, dict(zip(header, row, strict=True))
            except (csv.Error, UnicodeDecodeError):
                self._fault(name, 0, "", _("it is no CSV in UTF-8, or a cell is far too long"))

    def _count_row(self, name: str, number: int) -> None:
        self.rows_read += 1
        most = self.limits.rows_of.get(name, self.limits.rows)
        if number > most:
            message = _("The file is too large: %(name)s.csv has more than %(number)s rows.")
            raise FileTooLarge([message % {"name": name, "number": most}])
        if self.rows_read > self.limits.rows:
            message = _("The file is too large: it has more than %(number)s rows.")
            raise FileTooLarge([message % {"number": self.limits.rows}])

    def _values(
        self,
        name: str,
        line: int,
        row: Mapping[str, str],
        fields: Sequence[Field[Any, Any]],
        to: Mapping[str, Part],
        *,
        gone: bool = False,
    ) -> dict[str, Any]:
        """Return a row's values; what it names may be `gone`, known to the history alone."""
        found = {}
        for field in fields:
            cell = row[field.name]
            if field.name not in to:
                found[field.name] = self._value(name, line, field, cell, field.name)
            elif not cell and field.null:
                found[field.name] = None
            elif gone and to[field.name].model is not Player:  # of people somebody is left, whatever happens
                found[field.name] = self._number(name, line, field.name, cell)
            else:
                found[field.name] = self._known(name, line, field.name, cell, to[field.name].name)
        return found

    def _value(self, name: str, line: int, field: Field[Any, Any], cell: str, column: str) -> Any:
        try:
            return cells.read(field, cell)
        except cells.UnreadableCell as error:
            self._fault(name, line, column, f"{error} ({cell[:40]})")
            return None

    def _known(self, name: str, line: int, column: str, cell: str, part: str) -> int:
        number = self._number(name, line, column, cell)
        if number and number > self.numbers.get(part, 0):
            self._fault(name, line, column, _("%(part)s.csv has no row %(number)s") % {"part": part, "number": number})
        return number

    def _number(self, name: str, line: int, column: str, cell: str) -> int:
        if cell.isascii() and cell.isdecimal() and len(cell) < 10 and int(cell):
            return int(cell)
        self._fault(name, line, column, _("it has to be the number of a row (%(given)s)") % {"given": cell[:40]})
        return 0

    def _fault(self, name: str, line: int, column: str, what: str) -> None:
        where = " · ".join(
            part for part in (f"{name}.csv", line and _("row %(number)s") % {"number": line}, column) if part
        )
        self.faults.append(f"{where}: {what}")


_AT: Final = DateTimeField()
