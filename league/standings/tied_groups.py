"""Splits groups of equal totals by tie-breaks, in the rankings of seasons and tournaments."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

Row = TypeVar("Row")


def split_tied_group(
    tied_group: Sequence[Row], ties: Iterable[str], keys: Callable[[str, Sequence[Row]], Sequence[Any]]
) -> tuple[list[Sequence[Row]], dict[Row, str]]:
    """Split a tied group by the tie-breaks `ties` (names), in order. Each tie-break splits the groups that are left.

    `keys(name, group)` returns a sort key for each row of a group; a higher key ranks first. Return two values: the
    groups in order of rank, and {row: name of the last tie-break that split its group}. The dict has no rows whose
    group was never split.
    """
    groups, decided_by = [tied_group], dict[Row, str]()
    for name in ties:
        finer: list[Sequence[Row]] = []
        for group in groups:
            parts = group_by_key(group, keys(name, group)) if len(group) > 1 else [group]
            if len(parts) > 1:
                decided_by.update(dict.fromkeys(group, name))
            finer += parts
        groups = finer
    return groups, decided_by


def group_by_key(rows: Sequence[Row], keys: Sequence[Any]) -> list[Sequence[Row]]:
    """Return groups of rows with equal keys, the highest key first. Inside a group the order of the rows stays."""
    groups: dict[Any, list[Row]] = {}
    for row, key in zip(rows, keys, strict=True):
        groups.setdefault(key, []).append(row)
    return [groups[key] for key in sorted(groups, reverse=True)]
