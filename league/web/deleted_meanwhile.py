"""Answer 404 if a row was deleted while an action waited for its lock, for example with its whole club."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from traceback import walk_tb
from typing import Final

import structlog
from django.conf import settings
from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from psycopg.errors import ForeignKeyViolation

log = structlog.get_logger(__name__)

ACTIONS: Final = str(Path(settings.BASE_DIR) / "league" / "actions")


def answer_not_found(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """A missing row outside of actions remains an error."""

    def middleware(request: HttpRequest) -> HttpResponse:
        return get_response(request)

    def process_exception(request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if not (_is_missing_row(exception) and _is_from_action(exception)):
            return None
        log.warning("deleted_meanwhile", exc_info=exception)
        return render(request, "404.html", {"is_deleted": True}, status=HTTPStatus.NOT_FOUND)

    middleware.process_exception = process_exception  # type: ignore[attr-defined]
    return middleware


def _is_missing_row(exception: Exception) -> bool:
    if isinstance(exception, IntegrityError):
        return isinstance(exception.__cause__, ForeignKeyViolation)
    return isinstance(exception, ObjectDoesNotExist)


def _is_from_action(exception: Exception) -> bool:
    return any(frame.f_code.co_filename.startswith(ACTIONS) for frame, _line in walk_tb(exception.__traceback__))
