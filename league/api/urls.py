"""The API's addresses, and those of its pages for people."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path, re_path

from league.api import clubs, evenings, games, players, seasons, tables, views
from league.api.answers import answered
from league.api.schema import api

for subject in (clubs, seasons, evenings, tables, players, games):
    api.add_router("", subject.router)


def nothing(request: HttpRequest) -> HttpResponse:
    """Refuse an address that is none."""
    raise Http404


def questions() -> list[URLPattern | URLResolver]:
    """Return the addresses that programs ask."""
    found, app, namespace = api.urls
    found.append(re_path("", nothing, name="nothing"))  # what is no question is refused as one
    for each in found:
        if isinstance(each, URLPattern):
            each.callback = answered(each.callback)
    return [path("api/v1/", include((found, app), namespace=namespace))]


urlpatterns = [
    path("api", views.guide, name="api"),
    path("tokens", views.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke", views.revoke, name="token-revoke"),
]
