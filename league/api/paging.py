"""Pages of long lists, by limit and offset; and types of query parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Annotated, Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import Field, Schema
from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from league.models.date_bounds import check_date

T = TypeVar("T")

MAX_LIMIT = 100  # largest number of rows of a page
MAX_OFFSET = 1_000_000


def _check_date_bounds(value: date) -> date:
    try:
        check_date(value)
    except ValidationError as refused:
        raise PydanticCustomError("date_out_of_bounds", "{problem}", {"problem": refused.messages[0]}) from None
    return value


BoundedDate = Annotated[date, AfterValidator(_check_date_bounds)]
# Without the NUL character, which PostgreSQL refuses in a text.
ClubSlug = Annotated[str, Field(max_length=50, pattern=r"^[-a-zA-Z0-9_]+$")]


class PageParameters(Schema):
    """The part of a list to return: `limit` items after the first `offset` items."""

    limit: int = Field(50, ge=1, le=MAX_LIMIT)
    offset: int = Field(0, ge=0, le=MAX_OFFSET)


class PageOfItems(Schema, Generic[T]):
    """A part of a list. `count` is the number of all items, `next` the URL of the next part (null at the end)."""

    count: int
    next: str | None
    items: list[T]


def page_of(
    request: HttpRequest,
    rows: QuerySet[Any, Any] | Sequence[Any],
    parameters: PageParameters,
    serialize: Callable[[Any], Any] | None = None,
) -> dict[str, Any]:
    """Return the part of the rows that the parameters select, as `PageOfItems`.

    The rows must be in a total order, so that pages do not overlap. `serialize` converts each row.
    """
    count = rows.count() if isinstance(rows, QuerySet) else len(rows)
    end = parameters.offset + parameters.limit
    part = rows[parameters.offset : end]
    return {
        "count": count,
        "next": _next_url(request, parameters, end) if end < count else None,
        "items": list(map(serialize, part) if serialize else part),
    }


def _next_url(request: HttpRequest, parameters: PageParameters, offset: int) -> str:
    query = request.GET.copy()
    query["limit"], query["offset"] = str(parameters.limit), str(offset)
    return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")
