"""Middleware that adds the client's IP address to each log line.

The rate limits use the same address. Headers that the client itself can set are not trusted.
"""

from __future__ import annotations

from collections.abc import Callable

from allauth.account.adapter import get_adapter
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest, HttpResponse
from structlog.contextvars import bind_contextvars


def log_client_address(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Add the client's IP address to the log context.

    Place it directly before the middleware that clears this context.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        bind_contextvars(ip=client_address(request))
        return get_response(request)

    return middleware


def client_address(request: HttpRequest) -> str:
    """Return the client's IP address as a trusted proxy reports it, else the address of the connection."""
    try:
        return str(get_adapter().get_client_ip(request))
    except (ImproperlyConfigured, PermissionDenied):  # fewer proxies than TRUSTED_PROXY_COUNT, or no address at all
        return str(request.META.get("REMOTE_ADDR", ""))
