"""Conditions that Django has no lookup for."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BooleanField, F, Func, QuerySet


def among(column: str, values: QuerySet[Any, Any]) -> Func:
    """That a column's value is one of a query's only column: `column = ANY (ARRAY (SELECT …))`, for `filter`.

    For few out of many rows, as the database answers the inner query first. `column__in=values` says the same, but
    leaves it free to look through the whole table instead.
    """
    return Func(
        F(column),
        ArraySubquery(values),
        arg_joiner=" = ANY (",
        template="%(expressions)s)",
        output_field=BooleanField(),
    )
