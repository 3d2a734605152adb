"""Requests as django_htmx's middleware hands them to views."""

from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request that says by `htmx` whether htmx asks, which wants a part of the page."""

    htmx: HtmxDetails
