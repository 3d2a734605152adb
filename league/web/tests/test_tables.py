"""What the template of boards takes for granted of their columns."""

from __future__ import annotations

from collections.abc import Iterator

import django_tables2 as tables

import league.urls  # noqa: F401  with it every page's tables

CELLS = ("td", "cell")  # by which a column, or a table for all of its own, names its cells' attributes


def boards(kind: type[tables.Table] = tables.Table) -> Iterator[type[tables.Table]]:
    for board in kind.__subclasses__():
        if board.__module__.startswith("league."):
            yield board
        yield from boards(board)


def test_no_cells_attribute_follows_from_its_row() -> None:
    """They are worked out once a column: league/templatetags/boards.py."""
    found = list(boards())
    assert found
    for board in found:
        for attributes in (board._meta.attrs, *(column.attrs for column in board.base_columns.values())):
            named = [value for cells in CELLS for value in attributes.get(cells, {}).values()]
            assert not any(map(callable, named)), board
