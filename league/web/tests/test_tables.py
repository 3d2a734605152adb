"""What the template of boards takes for granted of their columns."""

from __future__ import annotations

from collections.abc import Iterator

import django_tables2 as tables

import league.urls  # noqa: F401  with it every page's tables

CELLS = ("td", "cell")  # keys of cells' attributes, in a column's or a table's `attrs`


def boards(kind: type[tables.Table] = tables.Table) -> Iterator[type[tables.Table]]:
    for board in kind.__subclasses__():
        if board.__module__.startswith("league."):
            yield board
        yield from boards(board)


def test_no_cells_attribute_follows_from_its_row() -> None:
    """They are worked out once a column: league/templatetags/table_cells.py."""
    tables_with_columns = list(boards())
    assert tables_with_columns
    for board in tables_with_columns:
        for attributes in (board._meta.attrs, *(column.attrs for column in board.base_columns.values())):
            values = [value for cells in CELLS for value in attributes.get(cells, {}).values()]
            assert not any(map(callable, values)), board
