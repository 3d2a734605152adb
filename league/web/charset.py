"""Refuse requests with a charset other than UTF-8, before any code reads them.

Django decodes URLs and forms by the codec that the request names, even by a binary codec (zlib, hex). That would fail
while Django creates the request object, before any error handling. So the charset is checked before Django is called.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.http import parse_header_parameters

REFUSED_CHARSET_KEY = "league.refused_charset"


def remove_unsupported_charset(application: WSGIApplication) -> WSGIApplication:
    """Wrap a WSGI application: remove a charset other than UTF-8, and mark the request for `refuse_charset`."""

    def guarded(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        kind, parameters = parse_header_parameters(environ.get("CONTENT_TYPE", ""))
        if not _is_utf8(parameters.get("charset", "utf-8")):
            environ["CONTENT_TYPE"] = kind
            environ[REFUSED_CHARSET_KEY] = True
        return application(environ, start_response)

    return guarded


def refuse_charset(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Respond 400 to requests that `remove_unsupported_charset` marked. Must come before middleware that reads them."""

    def middleware(request: HttpRequest) -> HttpResponse:
        return bad_request(request, BadRequest()) if REFUSED_CHARSET_KEY in request.META else get_response(request)

    return middleware


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    return HttpResponse(render_to_string("400.html"), status=400)


def _is_utf8(charset: str) -> bool:
    """Return whether Django would decode by UTF-8. Django ignores an unknown charset, so the result is True for it."""
    try:
        return codecs.lookup(charset).name == "utf-8"
    except (LookupError, ValueError):
        return True
