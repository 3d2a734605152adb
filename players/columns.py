"""Whole columns of numbers between PostgreSQL and numpy, by COPY in its binary format.

Numbers without NULL are all equally wide, so that what is on the wire is an array of records: no value passes through
Python. Numbers come and go as 64-bit integers, dates as datetime64[D].
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat
from typing import Any, Final, NamedTuple

import numpy as np
from django.db import connection, models
from numpy.typing import NDArray
from psycopg import sql
from psycopg.types.json import Jsonb

Column = NDArray[Any]
# By name: numbers and dates as an array; any values, also NULL, as a list; a text is the same in every row.
Columns = Mapping[str, Column | list[Any] | str]

# What a type looks like on the wire, big-endian, and PostgreSQL's function that makes it so.
WIRE: Final = {"smallint": ">i2", "integer": ">i4", "bigint": ">i8", "boolean": "?", "date": ">i4"}
SEND: Final = {
    "smallint": "int2send", "integer": "int4send", "bigint": "int8send", "boolean": "boolsend", "date": "date_send",
}  # fmt: skip
NARROW: Final = ("smallint", "integer")
HEADER: Final = b"PGCOPY\n\xff\r\n\0" + bytes(8)
TRAILER: Final = b"\xff\xff"
EPOCH: Final = np.datetime64("2000-01-01", "D")  # PostgreSQL counts days from here


class Query(NamedTuple):
    """A SELECT, and the type of each of its columns, one of WIRE's."""

    statement: str
    params: Sequence[object]
    types: Sequence[str]


class Beside(NamedTuple):
    """A SELECT that others name in theirs: it is answered once for all of them."""

    name: str
    statement: str
    params: Sequence[object]


def read(query: str, params: Sequence[object], types: Sequence[str]) -> list[Column]:
    """Return what a SELECT answers, column by column. Throws ValueError at a NULL."""
    [columns] = read_together(Query(query, params, types))
    return columns


def read_together(*queries: Query, beside: Sequence[Beside] = ()) -> list[list[Column]]:
    """Return what several SELECTs answer at one instant, as `read` does.

    All rows of a SELECT come as one value, end to end: the driver takes a row at a time, and here there is one.
    """
    parts = ", ".join(f"({_end_to_end(query)}) part{number}" for number, query in enumerate(queries))
    named = ", ".join(f"{each.name} AS MATERIALIZED ({each.statement})" for each in beside)
    statement = f"COPY ({named and f'WITH {named}'} SELECT * FROM {parts}) TO STDOUT (FORMAT BINARY)"  # noqa: S608
    params = [*chain(*(each.params for each in beside), *(query.params for query in queries))]
    # The driver's own cursor: what DEBUG wraps it in takes no parameters here.
    with connection.cursor() as wrapped, wrapped.cursor.copy(statement, params) as copy:
        data = b"".join(copy)
    found, at = [], len(HEADER) + 2
    for query in queries:
        columns, at = _columns(data, at, query.types)
        found.append(columns)
    return found


def _end_to_end(query: Query) -> str:
    """Return the SELECT of how many rows a query has, and of these, each as its columns are on the wire."""
    names = [f"column{number}" for number in range(len(query.types))]
    row = " || ".join(f"{SEND[kind]}({name}::{kind})" for name, kind in zip(names, query.types, strict=True))
    return f"SELECT count(*), string_agg({row}, '') FROM ({query.statement}) found ({', '.join(names)})"  # noqa: S608


def _columns(data: bytes, at: int, types: Sequence[str]) -> tuple[list[Column], int]:
    """Return the columns that begin at a place of the message, and where they end."""
    record = np.dtype([(f"column{number}", WIRE[kind]) for number, kind in enumerate(types)])
    _width, rows, width = np.frombuffer(data, _BEFORE, count=1, offset=at)[0].tolist()
    at += _BEFORE.itemsize
    if max(width, 0) != rows * record.itemsize:  # of no row there is no value, not an empty one
        raise ValueError("a column has NULL")
    records = np.frombuffer(data, record, count=rows, offset=at)
    columns = [_from_wire(records[f"column{number}"], kind) for number, kind in enumerate(types)]
    return columns, at + max(width, 0)


_BEFORE = np.dtype([("width", ">i4"), ("rows", ">i8"), ("width_of_rows", ">i4")])


def write(model: type[models.Model], columns: Columns, table: str = "") -> int:
    """Append rows to a model's table, or to `table` with the same columns, and say how many they are."""
    into = table or str(model._meta.db_table)
    if any(isinstance(column, list) for column in columns.values()):
        return _write_values(model, columns, into)
    return _write_numbers(model, columns, into)


def _write_numbers(model: type[models.Model], columns: Columns, table: str) -> int:
    """Append rows without NULL, all equally long, as an array of records."""
    rows = max((len(column) for column in columns.values() if not isinstance(column, str)), default=0)
    parts = [_to_wire(column, _type(model, name)) for name, column in columns.items()]
    records = np.empty(rows, _record([part.dtype for part in parts]))
    records["fields"] = len(parts)
    for number, part in enumerate(parts):
        records[f"width{number}"] = part.dtype.itemsize
        records[f"value{number}"] = part
    query = _INTO_BINARY.format(sql.Identifier(table), _listed(columns))
    with connection.cursor() as cursor, cursor.copy(query) as copy:
        copy.write(HEADER)
        copy.write(records.tobytes())
        copy.write(TRAILER)
    return rows


def _write_values(model: type[models.Model], columns: Columns, table: str) -> int:
    """Append rows of any values, one by one."""
    values = [
        map(Jsonb, column) if isinstance(column, list) and _type(model, name) == "jsonb" else column
        for name, column in zip(columns, in_lists(columns), strict=True)
    ]
    rows = 0
    query = _INTO.format(sql.Identifier(table), _listed(columns))
    with connection.cursor() as cursor, cursor.copy(query) as copy:
        for row in zip(*values, strict=False):  # a text has no end
            copy.write_row(row)
            rows += 1
    return rows


def of_rows(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Columns:
    """Return rows, whose values are in the order of the names, as columns by these names."""
    return {name: [row[at] for row in rows] for at, name in enumerate(names)}


def in_lists(columns: Columns) -> list[Iterable[Any]]:
    """Return the columns' values; a text, which is the same in every row, without end."""
    return [
        repeat(column) if isinstance(column, str) else column if isinstance(column, list) else column.tolist()
        for column in columns.values()
    ]


_INTO = sql.SQL("COPY {} ({}) FROM STDIN")
_INTO_BINARY = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)")


def _listed(names: Iterable[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, names))


def _type(model: type[models.Model], name: str) -> str:
    """Return the type of a column as PostgreSQL calls it."""
    field = next(field for field in model._meta.concrete_fields if field.column == name)
    return str(field.db_type(connection))


def _record(values: Sequence[np.dtype[Any]]) -> np.dtype[Any]:
    """Return a row: the number of its fields, then each field's width and value."""
    fields: list[tuple[str, Any]] = [("fields", ">i2")]
    for number, value in enumerate(values):
        fields += [(f"width{number}", ">i4"), (f"value{number}", value)]
    return np.dtype(fields)


def _from_wire(values: Column, kind: str) -> Column:
    if kind == "date":
        return EPOCH + values.astype(np.int64)
    return values.astype(np.bool_ if kind == "boolean" else np.int64)


def _to_wire(column: Column | list[Any] | str, kind: str) -> Column:
    if isinstance(column, str):
        return np.array(column.encode())
    assert not isinstance(column, list)
    numbers = column - EPOCH if kind == "date" else column
    sent: Column = numbers.astype(WIRE[kind])
    if kind in NARROW and (sent != column).any():
        raise OverflowError(f"a column of {kind} has a number that is too large")
    return sent
