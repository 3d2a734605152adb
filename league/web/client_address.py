"""Middleware that logs the client's address as the rate limits determine it: headers sent by the client are not
trusted.
"""

from __future__ import annotations

from collections.abc import Callable

from allauth.account.adapter import get_adapter
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bind_contextvars


def log_client_address(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Log the client's address. It must come directly before the middleware that clears the log context."""

    def middleware(request: HttpRequest) -> HttpResponse:
        bind_contextvars(ip=client_address(request))
        return get_response(request)

    return middleware


def client_address(request: HttpRequest) -> str:
    """Return the address from trusted proxies, else the address of the connection."""
    try:
        return str(get_adapter().get_client_ip(request))
    except (ImproperlyConfigured, PermissionDenied):  # fewer proxies than TRUSTED_PROXY_COUNT, or no address at all
        return str(request.META.get("REMOTE_ADDR", ""))
