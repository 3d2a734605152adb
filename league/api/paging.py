"""Long answers page by page: a limit and an offset, in an order that stays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Field, Schema

T = TypeVar("T")

MOST = 100  # of a page
LAST = 1_000_000


class PageParameters(Schema):
    """Which part of a list is asked for."""

    limit: int = Field(50, ge=1, le=MOST)
    offset: int = Field(0, ge=0, le=LAST)


class PageOfItems(Schema, Generic[T]):
    """A part of a list; `count` are all of it, `next` is the address of the part that follows."""

    count: int
    next: str | None
    items: list[T]


def page_of(
    request: HttpRequest, rows: QuerySet[Any, Any] | Sequence[Any], asked: PageParameters, shown: Callable[[Any], Any]
) -> dict[str, Any]:
    """Return the part that is asked for; the rows are in an order that tells each two apart."""
    count = rows.count() if isinstance(rows, QuerySet) else len(rows)
    end = asked.offset + asked.limit
    part = rows[asked.offset : end]
    return {
        "count": count,
        "next": _next(request, asked, end) if end < count else None,
        "items": list(map(shown, part)),
    }


def _next(request: HttpRequest, asked: PageParameters, offset: int) -> str:
    query = request.GET.copy()
    query["limit"], query["offset"] = str(asked.limit), str(offset)
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
