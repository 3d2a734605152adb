"""A condition for few rows out of very many, which keeps the database from looking through all of them."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BooleanField, F, Func, QuerySet


def among(column: str, values: QuerySet[Any, Any]) -> Func:
    """Return the condition that a column's value is in a query: `column = ANY (ARRAY (SELECT …))`, for `filter`.

    The database answers the inner query first, then finds the rows by their index. `column__in=values` says the same,
    but leaves it free to look through the whole table instead.
    """
    return Func(
        F(column),
        ArraySubquery(values),
        arg_joiner=" = ANY (",
        template="%(expressions)s)",
        output_field=BooleanField(),
    )
