"""Bulk reads and writes of table columns between PostgreSQL and numpy arrays, by the binary COPY command.

Columns of numbers without NULL have a fixed width, so the data is an array of records, and no value becomes a Python
object. In numpy, numbers are 64-bit integers and dates are datetime64[D].
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat
from typing import Any, Final, LiteralString, NamedTuple

import numpy as np
from django.db import connection, models
from numpy.typing import NDArray
from psycopg import sql
from psycopg.types.json import Jsonb

Column = NDArray[Any]
# Columns by name: an array of numbers or dates, a list of any values (also None), or a text that all rows have.
Columns = Mapping[str, Column | list[Any] | str]

# The binary format of each PostgreSQL type, big-endian, and the function that produces it.
BINARY_FORMATS: Final = {"smallint": ">i2", "integer": ">i4", "bigint": ">i8", "boolean": "?", "date": ">i4"}
SEND_FUNCTIONS: Final = {
    "smallint": "int2send", "integer": "int4send", "bigint": "int8send", "boolean": "boolsend", "date": "date_send",
}  # fmt: skip
NARROW_TYPES: Final = ("smallint", "integer")
COPY_HEADER: Final = b"PGCOPY\n\xff\r\n\0" + bytes(8)
COPY_TRAILER: Final = b"\xff\xff"
POSTGRES_EPOCH: Final = np.datetime64("2000-01-01", "D")  # PostgreSQL counts the days of a date from this one


class Query(NamedTuple):
    """A SELECT. `types` has a PostgreSQL type for each column: a key of BINARY_FORMATS."""

    statement: str
    params: Sequence[object]
    types: Sequence[str]


class CommonTable(NamedTuple):
    """A common table expression (WITH … AS). Queries refer to it by its name; the database evaluates it once."""

    name: str
    statement: str
    params: Sequence[object]


def read_columns(query: str, params: Sequence[object], types: Sequence[str]) -> list[Column]:
    """Return the columns of a SELECT as arrays. Raise ValueError if a value is NULL."""
    [columns] = read_snapshot(Query(query, params, types))
    return columns


def read_snapshot(*queries: Query, common_tables: Sequence[CommonTable] = ()) -> list[list[Column]]:
    """Return the columns of several SELECTs, all from one snapshot of the database. Raise ValueError if a value is
    NULL.

    The database concatenates all rows of a SELECT into one value, because the driver would process COPY row by row.
    """
    parts = ", ".join(f"({_concatenate_rows(query)}) part{number}" for number, query in enumerate(queries))
    names = ", ".join(f"{table.name} AS MATERIALIZED ({table.statement})" for table in common_tables)
    statement = f"COPY ({names and f'WITH {names}'} SELECT * FROM {parts}) TO STDOUT (FORMAT BINARY)"  # noqa: S608
    params = [*chain(*(table.params for table in common_tables), *(query.params for query in queries))]
    # The driver's cursor: Django's wrapper for DEBUG does not accept parameters of `copy`.
    with connection.cursor() as wrapper, wrapper.cursor.copy(statement, params) as copy:
        data = b"".join(copy)
    columns, offset = [], len(COPY_HEADER) + 2
    for query in queries:
        record = np.dtype([(f"column{number}", BINARY_FORMATS[kind]) for number, kind in enumerate(query.types)])
        _width, rows, width = np.frombuffer(data, _ROW_COUNT, count=1, offset=offset)[0].tolist()
        offset += _ROW_COUNT.itemsize
        if max(width, 0) != rows * record.itemsize:  # without rows the value is NULL, with width −1
            raise ValueError("a column has NULL")
        records = np.frombuffer(data, record, count=rows, offset=offset)
        columns.append([_from_binary(records[f"column{number}"], kind) for number, kind in enumerate(query.types)])
        offset += max(width, 0)
    return columns


def _concatenate_rows(query: Query) -> str:
    """Return a SELECT with one row: the number of rows, and all rows in binary format as one value."""
    names = [f"column{number}" for number in range(len(query.types))]
    row = " || ".join(f"{SEND_FUNCTIONS[kind]}({name}::{kind})" for name, kind in zip(names, query.types, strict=True))
    return f"SELECT count(*), string_agg({row}, '') FROM ({query.statement}) rows ({', '.join(names)})"  # noqa: S608


_ROW_COUNT = np.dtype([("width", ">i4"), ("rows", ">i8"), ("width_of_rows", ">i4")])


def write_columns(model: type[models.Model], columns: Columns, table: str = "") -> int:
    """Append rows to the model's table, or to `table`, which must have the same columns. Return the number of rows.

    The keys of `columns` are column names.
    """
    table = table or str(model._meta.db_table)
    if any(isinstance(column, list) for column in columns.values()):
        return _write_values(model, columns, table)
    return _write_numbers(model, columns, table)


def _write_numbers(model: type[models.Model], columns: Columns, table: str) -> int:
    rows = max((len(column) for column in columns.values() if not isinstance(column, str)), default=0)
    parts = [_binary_column(column, _column_type(model, name)) for name, column in columns.items()]
    record: list[tuple[str, Any]] = [("fields", ">i2")]
    for number, part in enumerate(parts):
        record += [(f"width{number}", ">i4"), (f"value{number}", part.dtype)]
    records = np.empty(rows, np.dtype(record))
    records["fields"] = len(parts)
    for number, part in enumerate(parts):
        records[f"width{number}"] = part.dtype.itemsize
        records[f"value{number}"] = part
    query = _COPY_BINARY.format(sql.Identifier(table), sql_identifiers(columns))
    with connection.cursor() as cursor, cursor.copy(query) as copy:
        copy.write(COPY_HEADER)
        copy.write(records.tobytes())
        copy.write(COPY_TRAILER)
    return rows


def _write_values(model: type[models.Model], columns: Columns, table: str) -> int:
    values = [
        map(Jsonb, column) if isinstance(column, list) and _column_type(model, name) == "jsonb" else column
        for name, column in zip(columns, column_values(columns), strict=True)
    ]
    rows = 0
    query = _COPY.format(sql.Identifier(table), sql_identifiers(columns))
    with connection.cursor() as cursor, cursor.copy(query) as copy:
        for row in zip(*values, strict=False):  # a text is repeated without end
            copy.write_row(row)
            rows += 1
    return rows


def columns_of_rows(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> Columns:
    return {name: [row[index] for row in rows] for index, name in enumerate(names)}


def column_values(columns: Columns) -> list[Iterable[Any]]:
    """Return the values of each column. A text that all rows have is repeated without end."""
    return [
        repeat(column) if isinstance(column, str) else column if isinstance(column, list) else column.tolist()
        for column in columns.values()
    ]


_COPY = sql.SQL("COPY {} ({}) FROM STDIN")
_COPY_BINARY = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)")


def sql_identifiers(names: Iterable[str], prefix: LiteralString = "") -> sql.Composed:
    return sql.SQL(", ").join(sql.SQL(prefix) + sql.Identifier(name) for name in names)


def _column_type(model: type[models.Model], name: str) -> str:
    field = next(field for field in model._meta.concrete_fields if field.column == name)
    return str(field.db_type(connection))


def _from_binary(values: Column, kind: str) -> Column:
    if kind == "date":
        return POSTGRES_EPOCH + values.astype(np.int64)
    return values.astype(np.bool_ if kind == "boolean" else np.int64)


def _binary_column(column: Column | list[Any] | str, kind: str) -> Column:
    if isinstance(column, str):
        return np.array(column.encode())
    assert not isinstance(column, list)
    numbers = column - POSTGRES_EPOCH if kind == "date" else column
    encoded: Column = numbers.astype(BINARY_FORMATS[kind])
    if kind in NARROW_TYPES and (encoded != column).any():
        raise OverflowError(f"a column of {kind} has a number that is too large")
    return encoded
