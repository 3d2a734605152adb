"""What all tables of pages share: sorting and paging, and the looks of their columns."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

import django_tables2 as tables
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django_tables2 import RequestConfig

from scoring.numbers import Number, points, rounded

NUMBER: Final = {"th": {"class": "num"}, "td": {"class": "num"}}
MORE: Final = {"th": {"class": "num more"}, "td": {"class": "num more"}}
MORE_WORDS: Final = {"th": {"class": "more"}, "td": {"class": "more"}}
MOVE: Final = {"th": {"class": "arrow"}, "td": {"class": "arrow"}}
MINE: Final = "mine"  # in the address of a board: the page with the reader's own row
# For a table whose `own` is the reader's player.
OWN_ROW: Final = {
    "class": lambda record, table: "own" if record.player_id == table.own else "",
    "id": lambda record, table: "own" if record.player_id == table.own else None,
}
RANK: Final = {"th": {"class": "rank"}, "td": {"class": "rank"}}


class PointsColumn(tables.Column):
    """Points as pages show them; in a file they are a number, a fraction rounded as on the page."""

    def render(self, value: Number) -> SafeString | str:
        """Return the points with their sign and colour."""
        return points(value)

    def value(self, value: Number) -> int | Decimal:
        """Return the points as a number."""
        return rounded(value)


def sorted_as_asked(table: tables.Table, request: HttpRequest) -> None:
    """Sort the table as the address says; all its rows are there, as a file has them."""
    RequestConfig(request, paginate=False).configure(table)


def paged(table: tables.Table, request: HttpRequest, rows: int, *, own: int | None = None) -> None:
    """Sort the table and turn to a page as the address says; any other page than there are is the nearest.

    With `?mine` it is the page on which the reader's `own` player stands. How many rows a page has, the address may not
    say: django_tables2's own reading of it lets it ask for minus five.
    """
    sorted_as_asked(table, request)
    table.paginate(per_page=rows)
    asked = request.GET.get(table.prefixed_page_field)
    if own is not None and MINE in request.GET:
        place = next((place for place, row in enumerate(table.rows) if row.record.player_id == own), 0)
        asked = str(place // rows + 1)
    table.page = table.paginator.get_page(asked)
