"""Derived rows are replaced, not edited: what is equal stays untouched, so that computing twice changes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

from django.db import models

M = TypeVar("M", bound=models.Model)
BATCH = 1000


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


def replace_rows(stored: models.QuerySet[M], fresh: Iterable[M], key: Sequence[str], fields: Sequence[str]) -> Moved:
    """Make the stored rows equal to the fresh ones, told apart by `key`. Call it in a transaction that holds a lock."""
    wanted = {_values(row, key): row for row in fresh}
    found = {_values(row, key): row for row in stored}
    gone = [row.pk for values, row in found.items() if values not in wanted]
    new, moved = [], []
    for values, row in wanted.items():
        if values not in found:
            new.append(row)
        elif _values(row, fields) != _values(found[values], fields):
            row.pk = found[values].pk
            moved.append(row)
    manager = stored.model._default_manager
    for start in range(0, len(gone), BATCH):
        manager.filter(pk__in=gone[start : start + BATCH]).delete()
    manager.bulk_update(moved, fields, batch_size=BATCH)
    manager.bulk_create(new, batch_size=BATCH)
    return Moved(rows=len(wanted), changed=len(gone) + len(new) + len(moved))


def differences(
    stored: Iterable[M], fresh: Iterable[M], key: Sequence[str], fields: Sequence[str]
) -> Iterable[Difference]:
    """What `replace_rows` would change, one by one."""
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
