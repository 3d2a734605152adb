"""Many small rows beside one row, in one query."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Func, JSONField, QuerySet


def json_rows(rows: QuerySet[Any, Any]) -> Func:
    """Return the column `row` of a query's rows as a list, to annotate another query with.

    The list comes as one JSON text: PostgreSQL sends the elements of an array one by one, which is slower.
    """
    return Func(ArraySubquery(rows.values("row")), function="to_jsonb", output_field=JSONField())
