"""Shared parts of django_tables2 tables: sorting, pages and CSS classes of columns."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

import django_tables2 as tables
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from scoring.numbers import Number, points, round_to_decimals

NUMBER_ATTRS: Final = {"th": {"class": "num"}, "td": {"class": "num"}}
DETAIL_NUMBER_ATTRS: Final = {"th": {"class": "num more"}, "td": {"class": "num more"}}
DETAIL_TEXT_ATTRS: Final = {"th": {"class": "more"}, "td": {"class": "more"}}
OWN_PAGE_PARAMETER: Final = "mine"  # query parameter: the page with the viewer's row
# Attributes of the viewer's own row. `table.own` is the id of the viewer's player.
OWN_ROW: Final = {
    "class": lambda record, table: "own" if record.player_id == table.own else "",
    "id": lambda record, table: "own" if record.player_id == table.own else None,
}
RANK_ATTRS: Final = {"th": {"class": "rank"}, "td": {"class": "rank"}}


class PointsColumn(tables.Column):
    """Points with sign and colour. Files get a number, rounded as on the page."""

    def render(self, value: Number) -> SafeString | str:
        return points(value)

    def value(self, value: Number) -> int | Decimal:
        return round_to_decimals(value)


def sort_by_request(table: tables.Table, request: HttpRequest) -> None:
    """Sort the table by the query string, and equal rows by their id, so that each row is on exactly one page.

    Ignore unknown column names, because django_tables2 would use them as lookups.
    """
    table.request = request
    columns = frozenset(table.columns.names())
    aliases = request.GET.getlist(table.prefixed_order_by_field)
    if order := [alias for alias in aliases if alias.removeprefix("-") in columns]:
        table.order_by = order
    rows = table.data.data
    if isinstance(rows, QuerySet) and rows.query.order_by:
        table.data.data = rows.order_by(*rows.query.order_by, "pk")


def paginate(table: tables.Table, request: HttpRequest, rows: int) -> None:
    """Sort the table and select a page by the query string. `rows` is the number of rows per page.

    With `?mine` select the page with the viewer's player. The number of rows is not read from the query string, because
    a wrong number could crash django_tables2.
    """
    own = None
    if hasattr(table, "own"):
        player = getattr(request.user, "player", None)
        table.own = own = player.pk if player else None
    sort_by_request(table, request)
    table.paginate(per_page=rows)
    page = request.GET.get(table.prefixed_page_field)
    if own is not None and OWN_PAGE_PARAMETER in request.GET:
        index = next((index for index, row in enumerate(table.rows) if row.record.player_id == own), 0)
        page = str(index // rows + 1)
    table.page = table.paginator.get_page(page)
