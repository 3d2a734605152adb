"""Respond 404 to a POST if another request deleted its row (for example with the whole club) in the meantime."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

import structlog
from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from psycopg.errors import ForeignKeyViolation

log = structlog.get_logger(__name__)


def respond_not_found(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Respond 404 to a POST that raises DoesNotExist, breaks a foreign key or saves fields of a deleted row.

    In a GET, a missing row is a bug.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        return get_response(request)

    def process_exception(request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if request.method != "POST" or not _is_missing_row(exception):
            return None
        log.warning("deleted_meanwhile", exc_info=exception)
        return render(request, "404.html", {"is_deleted": True}, status=HTTPStatus.NOT_FOUND)

    middleware.process_exception = process_exception  # type: ignore[attr-defined]
    return middleware


def _is_missing_row(exception: Exception) -> bool:
    if isinstance(exception, IntegrityError):
        return isinstance(exception.__cause__, ForeignKeyViolation)
    # Django raises it without a cause if `save(update_fields=…)` finds no row; errors of the database have a cause.
    if type(exception) is DatabaseError and exception.__cause__ is None:
        return True
    return isinstance(exception, ObjectDoesNotExist)
