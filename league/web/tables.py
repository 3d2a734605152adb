"""Sorting and paging of long lists."""

import django_tables2 as tables
from django.http import HttpRequest
from django_tables2 import RequestConfig


def paged(table: tables.Table, request: HttpRequest, rows: int) -> None:
    """Sort the table and turn to a page as the address says; any other page than there are is the nearest.

    How many rows a page has, the address may not say: django_tables2's own reading of it lets it ask for minus five.
    """
    RequestConfig(request, paginate=False).configure(table)
    table.paginate(per_page=rows)
    table.page = table.paginator.get_page(request.GET.get(table.prefixed_page_field))
