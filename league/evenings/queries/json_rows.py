"""Many small rows beside one row, by one question."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Func, JSONField, QuerySet


def json_rows(rows: QuerySet[Any, Any]) -> Func:
    """Return the column `row` of a query's rows as a list, to annotate another query with.

    It comes as one JSON text: an array's elements would be read one by one.
    """
    return Func(ArraySubquery(rows.values("row")), function="to_jsonb", output_field=JSONField())
