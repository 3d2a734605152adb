"""A query condition that makes PostgreSQL use an index to find few rows of a large table."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import BooleanField, F, Func, QuerySet


def equals_any(column: str, values: QuerySet[Any, Any]) -> Func:
    """Return the condition `column = ANY (ARRAY (SELECT …))` for `QuerySet.filter`.

    PostgreSQL runs the subquery first and then uses the index. With `column__in=values` it may scan the whole table.
    """
    return Func(
        F(column),
        ArraySubquery(values),
        arg_joiner=" = ANY (",
        template="%(expressions)s)",
        output_field=BooleanField(),
    )
