"""The error pages 403 and 404, also for requests with an unreadable body.

Django's own error views read the form for its CSRF token. If that fails, they would respond 500.
"""

from __future__ import annotations

from collections.abc import Callable

from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.views import defaults

from league.web.charset import bad_request

Page = Callable[[HttpRequest, Exception], HttpResponse]


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _read_safely(defaults.page_not_found, request, exception)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _read_safely(defaults.permission_denied, request, exception)


def _read_safely(page: Page, request: HttpRequest, exception: Exception) -> HttpResponse:
    try:
        return page(request, exception)
    except (BadRequest, MultiPartParserError, SuspiciousOperation) as unreadable:
        return bad_request(request, unreadable)
