"""Middleware that answers live pages and monitoring requests without session and user.

These responses are the same for every viewer.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.urls import resolve
from django.utils import translation

PATH_PREFIXES = ("/live/", "/screen/", "/healthz", "/livez", "/metrics")


def serve_without_sessions(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Respond to live pages and monitoring requests by calling their view directly, without session and user.

    Place it before the middleware of sessions and users.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if not request.path_info.startswith(PATH_PREFIXES):
            return get_response(request)
        translation.activate(translation.get_language_from_request(request))  # for a page that says "not found"
        match = request.resolver_match = resolve(request.path_info)
        answer: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
        return answer

    return middleware
