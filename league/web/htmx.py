from django.http import HttpRequest
from django_htmx.middleware import HtmxDetails


class HtmxRequest(HttpRequest):
    """A request after the middleware of django_htmx. The class is used in type annotations only."""

    htmx: HtmxDetails
