"""What all tables of pages share: sorting and paging, and the looks of their columns."""

from __future__ import annotations

from typing import Final

import django_tables2 as tables
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django_tables2 import RequestConfig

from scoring.numbers import points

NUMBER: Final = {"th": {"class": "num"}, "td": {"class": "num"}}
RANK: Final = {"th": {"class": "rank"}, "td": {"class": "rank"}}


class PointsColumn(tables.Column):
    """Points as pages show them; in a file they are a number."""

    def render(self, value: int) -> SafeString | str:
        """Return the points with their sign and colour."""
        return points(value)

    def value(self, value: int) -> int:
        """Return the points as they are."""
        return value


def paged(table: tables.Table, request: HttpRequest, rows: int) -> None:
    """Sort the table and turn to a page as the address says; any other page than there are is the nearest.

    How many rows a page has, the address may not say: django_tables2's own reading of it lets it ask for minus five.
    """
    RequestConfig(request, paginate=False).configure(table)
    table.paginate(per_page=rows)
    table.page = table.paginator.get_page(request.GET.get(table.prefixed_page_field))
