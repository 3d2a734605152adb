"""Whole columns of numbers between PostgreSQL and numpy, by COPY in its binary format.

A row of numbers without NULL is always as wide as the one before, so that all rows are one array of records: no value
passes through Python. Numbers come and go as 64-bit integers, dates as datetime64[D].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from django.db import connection, models
from numpy.typing import NDArray

Column = NDArray[Any]

# What a type looks like on the wire: big-endian, its width before it.
WIRE: Final = {"integer": ">i4", "bigint": ">i8", "boolean": "?", "date": ">i4"}
HEADER: Final = b"PGCOPY\n\xff\r\n\0" + bytes(8)
TRAILER: Final = b"\xff\xff"
EPOCH: Final = np.datetime64("2000-01-01", "D")  # PostgreSQL counts days from here


def read(query: str, params: Sequence[object], types: Sequence[str]) -> list[Column]:
    """What a SELECT answers, column by column, each of one of the types of WIRE. Throws ValueError at a NULL."""
    statement = f"COPY ({query}) TO STDOUT (FORMAT BINARY)"
    # The driver's own cursor: what DEBUG wraps it in takes no parameters here.
    with connection.cursor() as wrapped, wrapped.cursor.copy(statement, params) as copy:
        data = b"".join(copy)
    record = _record([np.dtype(WIRE[each]) for each in types])
    rows, rest = divmod(len(data) - len(HEADER) - len(TRAILER), record.itemsize)
    records = np.frombuffer(data, record, count=rows, offset=len(HEADER))
    if rest or any((records[f"width{number}"] < 0).any() for number in range(len(types))):
        raise ValueError("a column has NULL, or another type than was said")
    return [_from_wire(records[f"value{number}"], each) for number, each in enumerate(types)]


def write(model: type[models.Model], columns: Mapping[str, Column | str], table: str = "") -> None:
    """Append rows to a model's table, or to `table` with the same columns; a text is the same in every row."""
    rows = max((len(column) for column in columns.values() if not isinstance(column, str)), default=0)
    parts = [_to_wire(column, _type(model, name)) for name, column in columns.items()]
    records = np.empty(rows, _record([part.dtype for part in parts]))
    records["fields"] = len(parts)
    for number, part in enumerate(parts):
        records[f"width{number}"] = part.dtype.itemsize
        records[f"value{number}"] = part
    names = ", ".join(f'"{name}"' for name in columns)
    query = f'COPY "{table or model._meta.db_table}" ({names}) FROM STDIN (FORMAT BINARY)'
    with connection.cursor() as cursor, cursor.copy(query) as copy:
        copy.write(HEADER)
        copy.write(records.tobytes())
        copy.write(TRAILER)


def _type(model: type[models.Model], name: str) -> str:
    """The type of a column as PostgreSQL calls it."""
    field = next(field for field in model._meta.concrete_fields if field.column == name)
    return str(field.db_type(connection))


def _record(values: Sequence[np.dtype[Any]]) -> np.dtype[Any]:
    """A row: the number of its fields, then each field's width and value."""
    fields: list[tuple[str, Any]] = [("fields", ">i2")]
    for number, value in enumerate(values):
        fields += [(f"width{number}", ">i4"), (f"value{number}", value)]
    return np.dtype(fields)


def _from_wire(values: Column, kind: str) -> Column:
    if kind == "date":
        return EPOCH + values.astype(np.int64)
    return values.astype(np.bool_ if kind == "bool" else np.int64)


def _to_wire(column: Column | str, kind: str) -> Column:
    if isinstance(column, str):
        return np.array(column.encode())
    return (column - EPOCH if kind == "date" else column).astype(WIRE[kind])
