"""Write NumPy arrays to a model's table by binary COPY: millions of rows in seconds. Works for any model."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.core.management.color import no_style
from django.db import connection, models
from numpy.typing import NDArray

HEAD = b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)  # no flags, no extension of the header
TAIL = struct.pack(">h", -1)
WIDTHS = {"smallint": ">i2", "integer": ">i4", "bigint": ">i8", "boolean": "?"}
NULL = -1  # the length of a null value

Column = NDArray[Any] | int | bool | str | None


def copy_in(model: type[models.Model], rows: int, values: Mapping[str, Column]) -> None:
    """Insert `rows` rows. `values` maps attributes to an array or to one value for all rows. Others get their default.

    All rows must have the same length: so a column is null in all rows or in none, and a text is the same in all rows.
    """
    if not rows:
        return
    fields = model._meta.concrete_fields
    unknown = set(values) - {field.attname for field in fields}
    assert not unknown, unknown
    columns = [
        (str(field.column), field.db_type(connection), values.get(field.attname, field.get_default()))
        for field in fields
    ]
    names = ", ".join(f'"{name}"' for name, _type, _value in columns)
    with (
        connection.cursor() as cursor,
        cursor.copy(f'COPY "{model._meta.db_table}" ({names}) FROM STDIN (FORMAT BINARY)') as copy,
    ):
        copy.write(HEAD)
        copy.write(_packed(rows, columns))
        copy.write(TAIL)


def _packed(rows: int, columns: Sequence[tuple[str, str | None, Column]]) -> bytes:
    """Return the rows in PostgreSQL's binary format: number of fields, then length and big-endian value of each
    field.
    """
    layout = [("fields", ">i2")]
    for name, database_type, value in columns:
        layout.append((f"{name} length", ">i4"))
        if value is not None:
            layout.append((name, f"S{len(value)}" if isinstance(value, str) else WIDTHS[str(database_type)]))
    packed = np.empty(rows, np.dtype(layout))
    packed["fields"] = len(columns)
    for name, _type, value in columns:
        packed[f"{name} length"] = NULL
        if value is not None:
            packed[name] = value
            packed[f"{name} length"] = packed.dtype[name].itemsize
    return packed.tobytes()


def reset_id_sequences(*copied: type[models.Model]) -> None:
    """Set the id sequences of the tables to continue after the copied rows."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), copied):
            cursor.execute(statement)
