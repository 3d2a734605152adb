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

ErrorView = Callable[[HttpRequest, Exception], HttpResponse]


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _respond_despite_unreadable_body(defaults.page_not_found, request, exception)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _respond_despite_unreadable_body(defaults.permission_denied, request, exception)


def _respond_despite_unreadable_body(view: ErrorView, request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return the response of Django's error view; 400 if the view cannot read the request's body."""
    try:
        return view(request, exception)
    except (BadRequest, MultiPartParserError, SuspiciousOperation) as unreadable:
        return bad_request(request, unreadable)
