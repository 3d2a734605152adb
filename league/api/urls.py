from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, include, path, re_path

from league.api import clubs, deals, evenings, games, players, seasons, tables, tournaments, units, views
from league.api.responses import api_view
from league.api.schema import api

for subject in (clubs, seasons, evenings, tables, deals, tournaments, units, players, games):
    api.add_router("", subject.router)


def not_found(request: HttpRequest) -> HttpResponse:
    raise Http404


def endpoint_patterns() -> list[URLPattern | URLResolver]:
    patterns, app, namespace = api.urls
    patterns.append(re_path("", not_found, name="nothing"))  # the response to an unknown URL is JSON, too
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            pattern.callback = api_view(pattern.callback)
    return [path("api/v1/", include((patterns, app), namespace=namespace))]


urlpatterns = [
    path("api", views.guide, name="api"),
    path("tokens", views.tokens, name="tokens"),
    path("tokens/<int:pk>/revoke", views.revoke_token, name="token-revoke"),
]
