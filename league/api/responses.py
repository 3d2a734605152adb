"""Headers of every API response: language, caching, and access by pages of other sites (CORS)."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import get_supported_language_variant, parse_accept_lang_header
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import conditional_page

from league.api.problems import problem_response

SHARED_CACHE_CONTROL: Final = "public, max-age=60"
PRIVATE_CACHE_CONTROL: Final = "private, no-cache"
EXPOSED_HEADERS: Final = "ETag, Retry-After"  # headers that scripts of other sites may read

View = Callable[..., HttpResponse]


def api_view(view: View) -> View:
    """Wrap a view of the API: set the language and the headers, and respond with JSON to errors 404 and 405.

    HEAD is handled as GET; the server removes the response's body. The view needs no CSRF check, because the API
    ignores cookies.
    """

    @csrf_exempt
    @conditional_page
    @wraps(view)
    def wrapped(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.method == "HEAD":
            request.method = "GET"
        language = _preferred_language(request.headers.get("Accept-Language", ""))
        try:
            with translation.override(language):
                answer = view(request, *args, **kwargs)
        except Http404:
            answer = problem_response(HTTPStatus.NOT_FOUND)
        if answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            allowed = answer.headers["Allow"].replace("GET", "GET, HEAD")
            answer = problem_response(HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": allowed})
        is_shared = request.method == "GET" and "Authorization" not in request.headers
        answer.headers["Content-Language"] = language
        answer.headers["Cache-Control"] = "no-store"
        if request.method == "GET" and answer.status_code == HTTPStatus.OK:
            answer.headers["Cache-Control"] = SHARED_CACHE_CONTROL if is_shared else PRIVATE_CACHE_CONTROL
        if is_shared:
            answer.headers["Access-Control-Allow-Origin"] = "*"
            answer.headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
        patch_vary_headers(answer, ["Authorization", "Accept-Language"])
        return answer

    return wrapped


def _preferred_language(header: str) -> str:
    for code, _weight in parse_accept_lang_header(header):
        try:
            return str(get_supported_language_variant(code))
        except LookupError:
            continue
    return settings.LANGUAGE_CODE
