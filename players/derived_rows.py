"""Derived rows are replaced, not edited: what is equal stays untouched, so that computing twice changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import LiteralString, NamedTuple, TypeVar

from django.db import connection, models
from psycopg import sql

from players.columns import Column, write, write_models

M = TypeVar("M", bound=models.Model)
BATCH = 1000
Columns = Mapping[str, Column | str]  # by name; a text is the same in every row


class Moved(NamedTuple):
    """How many rows there are now, and how many of them came, went or changed."""

    rows: int
    changed: int


class Difference(NamedTuple):
    """A stored value that does not follow from the facts; `field` is "row" where a whole row is missing or too much."""

    model: str
    row: str
    field: str
    stored: object
    derived: object

    def __str__(self) -> str:
        return f"{self.model} {self.row}: {self.field} is {self.stored!r}, the facts give {self.derived!r}"


def replace_rows(
    stored: models.QuerySet[M], fresh: Iterable[M], key: Sequence[str], fields: Sequence[str]
) -> list[tuple[M | None, M | None]]:
    """Make the stored rows equal to the fresh ones, told apart by `key`. Call it in a transaction that holds a lock.

    Answers each row that changed, before and after; None where there was none, or is none.
    """
    wanted = {_values(row, key): row for row in fresh}
    found = {_values(row, key): row for row in stored}
    gone = [row for values, row in found.items() if values not in wanted]
    new, moved = [], []
    for values, row in wanted.items():
        if values not in found:
            new.append(row)
        elif _values(row, fields) != _values(found[values], fields):
            row.pk = found[values].pk
            moved.append(row)
    manager = stored.model._default_manager
    for start in range(0, len(gone), BATCH):
        manager.filter(pk__in=[row.pk for row in gone[start : start + BATCH]]).delete()
    manager.bulk_update(moved, fields, batch_size=BATCH)
    write_models(stored.model, new)
    changed: list[tuple[M | None, M | None]] = [(row, None) for row in gone]
    changed += [(found[_values(row, key)], row) for row in moved]
    return changed + [(None, row) for row in new]


def replace_columns(
    model: type[models.Model],
    where: Mapping[str, str | tuple[date, date]],
    columns: Columns,
    key: Sequence[str],
) -> Moved:
    """As `replace_rows`, of rows in columns: `where` has what all stored rows share, or the first and last of it.

    Call it in a transaction. Into an empty place the rows go straight; else they are laid beside what is stored, and
    the database compares.
    """
    parts = {
        "stored": sql.Identifier(model._meta.db_table),
        "those": _all_of(
            sql.SQL("{} = %s" if isinstance(value, str) else "{} BETWEEN %s AND %s").format(sql.Identifier(name))
            for name, value in where.items()
        ),
        "same": _all_of(sql.SQL("f.{0} = s.{0}").format(sql.Identifier(name)) for name in key),
        "names": _listed(columns),
        "news": _listed([name for name in columns if name not in key], "f."),
        "olds": _listed([name for name in columns if name not in key], "s."),
        "fields": _listed(name for name in columns if name not in key),
    }
    given = [each for value in where.values() for each in ([value] if isinstance(value, str) else value)]
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("SELECT EXISTS (SELECT FROM {stored} WHERE {those})").format(**parts), given)
        if not cursor.fetchone()[0]:
            rows = write(model, columns)
            return Moved(rows, rows)
        cursor.execute(sql.SQL("CREATE TEMP TABLE fresh AS SELECT {names} FROM {stored} LIMIT 0").format(**parts))
        rows = write(model, columns, "fresh")
        cursor.execute(sql.SQL("ANALYZE {}").format(sql.Identifier("fresh")))
        changed = 0
        for statement, params in ((_GONE, given), (_MOVED, None), (_NEW, None)):
            cursor.execute(statement.format(**parts), params)
            changed += cursor.rowcount
        cursor.execute("DROP TABLE fresh")
    return Moved(rows, changed)


_GONE = sql.SQL("DELETE FROM {stored} s WHERE {those} AND NOT EXISTS (SELECT FROM fresh f WHERE {same})")
_MOVED = sql.SQL(
    "UPDATE {stored} s SET ({fields}) = ROW({news}) FROM fresh f WHERE {same} AND ({news}) IS DISTINCT FROM ({olds})"
)
_NEW = sql.SQL(
    "INSERT INTO {stored} ({names}) SELECT {names} FROM fresh f WHERE NOT EXISTS (SELECT FROM {stored} s WHERE {same})"
)


def _listed(names: Iterable[str], before: LiteralString = "") -> sql.Composed:
    return sql.SQL(", ").join(sql.SQL(before) + sql.Identifier(name) for name in names)


def _all_of(conditions: Iterable[sql.Composed]) -> sql.Composed:
    return sql.SQL(" AND ").join(conditions)


def rows_of(model: type[M], columns: Columns) -> Iterator[M]:
    """The same rows, unsaved, one by one."""
    texts = {name: column for name, column in columns.items() if isinstance(column, str)}
    others = {name: column.tolist() for name, column in columns.items() if not isinstance(column, str)}
    for values in zip(*others.values(), strict=True):
        yield model(**texts, **dict(zip(others, values, strict=True)))


def differences(
    stored: Iterable[M], fresh: Iterable[M], key: Sequence[str], fields: Sequence[str]
) -> Iterable[Difference]:
    """Return what `replace_rows` would change, one by one."""
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
