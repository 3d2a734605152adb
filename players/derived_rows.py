"""Replace stored derived rows (rows that are computed from other rows). Rows that are already equal are not written, so
a second computation changes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from django.db import connection, models
from psycopg import sql

from players.columns import Columns, column_values, sql_identifiers, write_columns

M = TypeVar("M", bound=models.Model)
# A filter by column: equal to a text, within a first and a last date, or one of a list.
Filter = Mapping[str, "str | tuple[date, date] | list[int]"]


class Replacement(NamedTuple):
    """The result of `replace_rows`."""

    rows: int  # number of rows that are now stored
    changes: Counter[Any]  # number of inserted, updated and deleted rows, by the value of the key's first column


class Difference(NamedTuple):
    """A stored value that differs from the newly computed value.

    `model` is the name of the Django model, `row` a text that identifies the row ("id 5"). `field` is "row" if a row is
    missing or should not exist.
    """

    model: str
    row: str
    field: str
    stored: object
    derived: object

    def __str__(self) -> str:
        return f"{self.model} {self.row}: {self.field} is {self.stored!r}, the facts give {self.derived!r}"


def replace_rows(model: type[models.Model], row_filter: Filter, columns: Columns, key: Sequence[str]) -> Replacement:
    """Replace the rows of `model` that match the filter `row_filter` by the rows in `columns`. `key` are the columns
    that identify a row.

    The new rows must match the filter, too. Equal rows are not written. The caller's transaction must hold a lock
    against other writers. If no stored row matches, the new rows are appended; otherwise they are written to a
    temporary table, and the database compares both.
    """
    values = [name for name in columns if name not in key]
    parts = {
        "stored": sql.Identifier(model._meta.db_table),
        "matches": _join_conditions(
            _CONDITIONS[type(value)].format(sql.Identifier(name)) for name, value in row_filter.items()
        ),
        "same_key": _join_conditions(sql.SQL("f.{0} = s.{0}").format(sql.Identifier(name)) for name in key),
        "first": sql.Identifier(key[0]),
        "names": sql_identifiers(columns),
        "fresh_values": sql_identifiers(values, "f."),
        "stored_values": sql_identifiers(values, "s."),
        "values": sql_identifiers(values),
    }
    params = [param for value in row_filter.values() for param in (value if isinstance(value, tuple) else [value])]
    with connection.cursor() as cursor:
        exists = sql.SQL("SELECT EXISTS (SELECT FROM {stored} s WHERE {matches})").format(**parts)
        cursor.execute(exists.as_string(), params)
        if not cursor.fetchone()[0]:
            rows = write_columns(model, columns)
            [first] = column_values({key[0]: columns[key[0]]})
            return Replacement(rows, Counter(islice(first, rows)))
        cursor.execute(
            sql.SQL("CREATE TEMP TABLE fresh AS SELECT {names} FROM {stored} LIMIT 0").format(**parts).as_string()
        )
        rows = write_columns(model, columns, "fresh")
        cursor.execute(sql.SQL("ANALYZE {}").format(sql.Identifier("fresh")).as_string())
        changes = Counter[Any]()
        for statement in (_DELETE, _UPDATE, _INSERT):
            count = _COUNT_CHANGES.format(statement=statement.format(**parts), **parts)
            cursor.execute(count.as_string(), params)
            changes.update(dict(cursor.fetchall()))
        cursor.execute("DROP TABLE fresh")
    return Replacement(rows, changes)


_CONDITIONS: Mapping[type, sql.SQL] = {
    str: sql.SQL("s.{} = %s"),
    tuple: sql.SQL("s.{} BETWEEN %s AND %s"),
    list: sql.SQL("s.{} = ANY (%s)"),
}
_COUNT_CHANGES = sql.SQL(
    "WITH changed AS ({statement} RETURNING s.{first}) SELECT {first}, count(*) FROM changed GROUP BY {first}"
)
_DELETE = sql.SQL("DELETE FROM {stored} s WHERE {matches} AND NOT EXISTS (SELECT FROM fresh f WHERE {same_key})")
# `matches` is redundant in UPDATE and INSERT; without it the database might scan the whole table.
_UPDATE = sql.SQL(
    "UPDATE {stored} s SET ({values}) = ROW({fresh_values}) FROM fresh f"
    " WHERE {matches} AND {same_key} AND ({fresh_values}) IS DISTINCT FROM ({stored_values})"
)
_INSERT = sql.SQL(
    "INSERT INTO {stored} AS s ({names}) SELECT {names} FROM fresh f"
    " WHERE NOT EXISTS (SELECT FROM {stored} s WHERE {matches} AND {same_key})"
)


def _join_conditions(conditions: Iterable[sql.Composed]) -> sql.Composed:
    return sql.SQL(" AND ").join(conditions)


def unsaved_rows(model: type[M], columns: Columns) -> Iterator[M]:
    """Yield a model instance for each row of the columns. The instances are not saved."""
    # A column may be one text that all rows have; `column_values` repeats it without end.
    for values in zip(*column_values(columns), strict=False):
        yield model(**dict(zip(columns, values, strict=True)))


def differences(
    stored: Iterable[M], fresh: Iterable[M], key: Sequence[str], fields: Sequence[str]
) -> Iterable[Difference]:
    """Yield the differences between stored rows and newly computed (`fresh`) rows.

    `key` are the fields that identify a row, `fields` the fields to compare.
    """
    fresh_by_key = {tuple(getattr(row, name) for name in key): row for row in fresh}
    stored_by_key = {tuple(getattr(row, name) for name in key): row for row in stored}
    for values in sorted(fresh_by_key.keys() | stored_by_key.keys(), key=repr):
        name = ", ".join(f"{field} {value}" for field, value in zip(key, values, strict=True))
        model = type(fresh_by_key.get(values) or stored_by_key[values]).__name__
        if values not in stored_by_key:
            yield Difference(model, name, "row", None, "a row")
        elif values not in fresh_by_key:
            yield Difference(model, name, "row", "a row", None)
        else:
            for field in fields:
                stored_value, derived = getattr(stored_by_key[values], field), getattr(fresh_by_key[values], field)
                if stored_value != derived:
                    yield Difference(model, name, field, stored_value, derived)
