"""A club's file with a cell or a row of it damaged: each field with the extreme values of its kind."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple
from zipfile import ZipFile

from django.contrib.postgres.fields import ArrayField
from django.db.models import CharField, Field, SlugField

from league.imports.queries.club_file import cells
from league.imports.queries.club_file.parts import PARTS, Part, references

NUMBERS: Final = ("", "0", "-1", "1", "2", "5", "13", "32767", "2147483647", "-2147483648", "9" * 900)
DATES: Final = ("", "0001-01-01", "1899-12-31", "1900-01-01", "2040-01-01", "9999-12-31")
MOMENTS: Final = (
    *("", "0001-01-01T00:00:00+00:00", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"),
    *("1899-12-31T00:00:00+00:00", "2040-01-01T00:00:00+00:00"),
)
TEXTS: Final = ("", " ", "x", "é\u202e\r\n", "<b>{{ x }}</b>", "%s%d{0}", "\U0001f0a1" * 40, "x" * 61)
OBJECTS: Final = (
    *("", "null", "1", "[]", "{}", '""', '{"1":1}', '{"a":null}', '{"a":1e308}', "[[]]", "[null]", "[1,1]", "[-1]"),
    *('{"1":[1,0]}', '{"1":[1]}', '{"1":"x"}', '{"1":null}', '{"2":true}', "[1.5]", '["1"]', '{"attendance":"x"}'),
)
LISTS: Final = ("", "[]", "[0]", "[1]", "[-1]", "[1,1]", "[2]", "[3]", "[12]", "[3,32767]", "[null]", '["x"]', "[[1]]")
TIMES: Final = ("", "00:00:00", "23:59:59.999999")

Rows = list[list[str]]
Tables = dict[str, Rows]


class Edit(NamedTuple):
    """A cell of a table that is changed; rows count from 1, as the header is row 0."""

    table: str
    row: int
    column: str
    value: str


Edits = tuple[Edit, ...]


def read_tables(data: bytes) -> Tables:
    """Return the rows of each table of a file, header first, by its name."""
    with ZipFile(io.BytesIO(data)) as archive:
        names = [name.removesuffix(".csv") for name in archive.namelist() if name.endswith(".csv")]
        return {name: list(csv.reader(io.StringIO(archive.read(f"{name}.csv").decode(), newline=""))) for name in names}


def with_tables(data: bytes, changed_rows: Mapping[str, Rows]) -> bytes:
    """Return the file with these tables instead of its own."""
    file = io.BytesIO()
    with ZipFile(io.BytesIO(data)) as old, ZipFile(file, "w") as new:
        for entry in old.namelist():
            rows = changed_rows.get(entry.removesuffix(".csv"))
            new.writestr(entry, old.read(entry) if rows is None else _csv(rows))
    return file.getvalue()


def _csv(rows: Rows) -> str:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue()


def values_for(part: Part, field: Field[Any, Any], rows: Rows) -> list[str]:
    """Return what a cell of the field may be changed into: extreme values, and those of other rows."""
    column = rows[0].index(field.name)
    other_values = sorted({row[column] for row in rows[1:]})[:6]
    if field.name in references(part):
        return [*other_values, "", "1", "2", "3", "999"]
    if field.choices:
        return [str(value) for value, _label in field.flatchoices] + ["", "other"]
    if isinstance(field, ArrayField):
        return [*other_values, *LISTS]
    kinds = {"boolean": ("", "true", "false"), "datetime": MOMENTS, "date": DATES, "time": TIMES, "any": OBJECTS}
    if isinstance(field, SlugField | CharField):
        return [*other_values, *TEXTS, "x" * (field.max_length or 10_000)]
    return [
        *other_values,
        *kinds.get(cells.table_schema_type(field), NUMBERS if cells.table_schema_type(field) == "integer" else TEXTS),
    ]


def cells_by_themselves(tables: Tables) -> Iterator[Edits]:
    """Yield each field with each of its values, in one row after the other."""
    for part in PARTS:
        rows = tables[part.name]
        if part.is_computed or len(rows) < 2:
            continue
        for field in part.fields:
            for number, value in enumerate(values_for(part, field, rows)):
                row = number % (len(rows) - 1) + 1
                if rows[row][rows[0].index(field.name)] != value:
                    yield (Edit(part.name, row, field.name, value),)


def several_cells(tables: Tables, chance: random.Random) -> Iterator[Edits]:
    """Yield, without end, two to four cells of a table changed at random."""
    parts = [part for part in PARTS if not part.is_computed and len(tables[part.name]) > 1]
    while True:
        part = chance.choice(parts)
        rows, edits = tables[part.name], []
        for _ in range(chance.randint(2, 4)):
            field = chance.choice(part.fields)
            value = chance.choice(values_for(part, field, rows))
            edits.append(Edit(part.name, chance.randrange(1, len(rows)), field.name, value))
        yield tuple(edits)


def edited(tables: Tables, edits: Edits) -> Tables:
    """Return the tables that the edits change, with their changes."""
    changed_rows = {edit.table: [list(row) for row in tables[edit.table]] for edit in edits}
    for edit in edits:
        rows = changed_rows[edit.table]
        rows[edit.row][rows[0].index(edit.column)] = edit.value
    return changed_rows


def rows_by_themselves(tables: Tables) -> Iterator[Tables]:
    """Yield each table without its last row, and with that twice."""
    for name, rows in tables.items():
        if len(rows) > 1:
            repeated_row = [str(len(rows)), *rows[-1][1:]] if rows[0][0] == "id" else rows[-1]
            yield from ({name: rows[:-1]}, {name: [*rows, repeated_row]})
