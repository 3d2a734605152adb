"""Template filters for leaderboards and other tables: `{{ column|cell_attributes }}`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def cell_attributes(column: Any) -> SafeString:
    """Return the HTML attributes of a column's cells, computed once per table.

    django_tables2 computes them for each cell, which takes longer than rendering the cell.
    """
    if not hasattr(column, "cell_attributes"):
        column.cell_attributes = column.attrs["td"].as_html()
    attributes: SafeString = column.cell_attributes
    return attributes


@register.filter
def number_cells(numbers: Iterable[int | None]) -> SafeString:
    """Return one HTML table cell per number. None is shown as a dash."""
    return format_html_join("", '<td class="num">{}</td>', (("–" if number is None else number,) for number in numbers))
