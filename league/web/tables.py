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
RANK: Final = {"th": {"class": "rank"}, "td": {"class": "rank"}}


class PointsColumn(tables.Column):
    """Points as pages show them; in a file they are a number, a fraction rounded as on the page."""

    def render(self, value: Number) -> SafeString | str:
        """Return the points with their sign and colour."""
        return points(value)

    def value(self, value: Number) -> int | Decimal:
        """Return the points as a number."""
        return rounded(value)


def paged(table: tables.Table, request: HttpRequest, rows: int) -> None:
    """Sort the table and turn to a page as the address says; any other page than there are is the nearest.

    How many rows a page has, the address may not say: django_tables2's own reading of it lets it ask for minus five.
    """
    RequestConfig(request, paginate=False).configure(table)
    table.paginate(per_page=rows)
    table.page = table.paginator.get_page(request.GET.get(table.prefixed_page_field))
