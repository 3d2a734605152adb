"""Fetch many small rows beside a row, in one query."""

from __future__ import annotations

from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Func, JSONField, QuerySet


def json_rows(rows: QuerySet[Any, Any]) -> Func:
    """Annotate with the rows as one JSON text; an array of PostgreSQL would be slower."""
    return Func(ArraySubquery(rows.values("row")), function="to_jsonb", output_field=JSONField())
