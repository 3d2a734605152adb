"""Derived rows are replaced, not edited: what is equal stays untouched, so that computing twice changes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import islice
from typing import Any, LiteralString, NamedTuple, TypeVar

from django.db import connection, models
from psycopg import sql

from players.columns import Columns, in_lists, write

M = TypeVar("M", bound=models.Model)
# What all stored rows share: a value, the first and last of it, or all that it may be.
Where = Mapping[str, "str | tuple[date, date] | list[int]"]


class Moved(NamedTuple):
    """How many rows there are now, and how many of them came, went or changed, by the first column of their key."""

    rows: int
    changed: Counter[Any]


class Difference(NamedTuple):
    """A stored value that does not follow from the facts; `field` is "row" where a whole row is missing or too much."""

    model: str
    row: str
    field: str
    stored: object
    derived: object

    def __str__(self) -> str:
        return f"{self.model} {self.row}: {self.field} is {self.stored!r}, the facts give {self.derived!r}"


def replace(model: type[models.Model], where: Where, columns: Columns, key: Sequence[str]) -> Moved:
    """Make the stored rows of some place equal to these, told apart by `key`; what is equal stays untouched.

    Call it in a transaction that holds a lock. Into an empty place the rows go straight; else they are laid beside
    what is stored there, and the database compares: all of them belong there.
    """
    others = [name for name in columns if name not in key]
    parts = {
        "stored": sql.Identifier(model._meta.db_table),
        "those": _all_of(_CONDITIONS[type(value)].format(sql.Identifier(name)) for name, value in where.items()),
        "same": _all_of(sql.SQL("f.{0} = s.{0}").format(sql.Identifier(name)) for name in key),
        "first": sql.Identifier(key[0]),
        "names": _listed(columns),
        "news": _listed(others, "f."),
        "olds": _listed(others, "s."),
        "fields": _listed(others),
    }
    given = [each for value in where.values() for each in (value if isinstance(value, tuple) else [value])]
    with connection.cursor() as cursor:
        stored = sql.SQL("SELECT EXISTS (SELECT FROM {stored} s WHERE {those})").format(**parts)
        cursor.execute(stored.as_string(), given)
        if not cursor.fetchone()[0]:
            rows = write(model, columns)
            [first] = in_lists({key[0]: columns[key[0]]})
            return Moved(rows, Counter(islice(first, rows)))
        cursor.execute(
            sql.SQL("CREATE TEMP TABLE fresh AS SELECT {names} FROM {stored} LIMIT 0").format(**parts).as_string()
        )
        rows = write(model, columns, "fresh")
        cursor.execute(sql.SQL("ANALYZE {}").format(sql.Identifier("fresh")).as_string())
        changed = Counter[Any]()
        for statement in (_GONE, _MOVED, _NEW):
            counted = _COUNTED.format(statement=statement.format(**parts), **parts)
            cursor.execute(counted.as_string(), given)
            changed.update(dict(cursor.fetchall()))
        cursor.execute("DROP TABLE fresh")
    return Moved(rows, changed)


_CONDITIONS: Mapping[type, sql.SQL] = {
    str: sql.SQL("s.{} = %s"),
    tuple: sql.SQL("s.{} BETWEEN %s AND %s"),
    list: sql.SQL("s.{} = ANY (%s)"),
}
_COUNTED = sql.SQL(
    "WITH changed AS ({statement} RETURNING s.{first}) SELECT {first}, count(*) FROM changed GROUP BY {first}"
)
_GONE = sql.SQL("DELETE FROM {stored} s WHERE {those} AND NOT EXISTS (SELECT FROM fresh f WHERE {same})")
# By the place too: else the database might go through all that is stored, for a few rows of it.
_MOVED = sql.SQL(
    "UPDATE {stored} s SET ({fields}) = ROW({news}) FROM fresh f"
    " WHERE {those} AND {same} AND ({news}) IS DISTINCT FROM ({olds})"
)
_NEW = sql.SQL(
    "INSERT INTO {stored} AS s ({names}) SELECT {names} FROM fresh f"
    " WHERE NOT EXISTS (SELECT FROM {stored} s WHERE {those} AND {same})"
)


def _listed(names: Iterable[str], before: LiteralString = "") -> sql.Composed:
    return sql.SQL(", ").join(sql.SQL(before) + sql.Identifier(name) for name in names)


def _all_of(conditions: Iterable[sql.Composed]) -> sql.Composed:
    return sql.SQL(" AND ").join(conditions)


def rows_of(model: type[M], columns: Columns) -> Iterator[M]:
    """The same rows, unsaved, one by one."""
    for values in zip(*in_lists(columns), strict=False):  # a text has no end
        yield model(**dict(zip(columns, values, strict=True)))


def differences(
    stored: Iterable[M], fresh: Iterable[M], key: Sequence[str], fields: Sequence[str]
) -> Iterable[Difference]:
    """Return what `replace` would change, one by one."""
    wanted = {_values(row, key): row for row in fresh}
    found = {_values(row, key): row for row in stored}
    for values in sorted(wanted.keys() | found.keys(), key=repr):
        name = ", ".join(f"{field} {value}" for field, value in zip(key, values, strict=True))
        model = type(wanted.get(values) or found[values]).__name__
        if values not in found:
            yield Difference(model, name, "row", None, "a row")
        elif values not in wanted:
            yield Difference(model, name, "row", "a row", None)
        else:
            for field in fields:
                was, should = getattr(found[values], field), getattr(wanted[values], field)
                if was != should:
                    yield Difference(model, name, field, was, should)


def _values(row: models.Model, names: Sequence[str]) -> tuple[object, ...]:
    return tuple(getattr(row, name) for name in names)
