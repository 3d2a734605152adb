"""Middleware that counts and times requests by view, method and class of status. Active if METRICS_TOKEN is set.

The labels are from fixed lists: no IP address, name or id can become a label.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from prometheus_client import CollectorRegistry, Histogram

KNOWN_METHODS: Final = frozenset(("GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"))
OTHER_METHOD: Final = "other"
NO_VIEW: Final = "none"  # no view matches the URL, or another middleware responded

METRICS_REGISTRY: Final = CollectorRegistry()
REQUEST_DURATION: Final = Histogram(
    "league_request_duration_seconds",
    "Time from the request to the start of its response",
    ("view", "method", "status"),
    buckets=(0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
    registry=METRICS_REGISTRY,
)


def measure_requests(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    def middleware(request: HttpRequest) -> HttpResponseBase:
        start = perf_counter()
        response = get_response(request)
        match = request.resolver_match
        view = match.view_name if match else NO_VIEW
        method = request.method if request.method in KNOWN_METHODS else OTHER_METHOD
        REQUEST_DURATION.labels(view, method, f"{response.status_code // 100}xx").observe(perf_counter() - start)
        return response

    return middleware
