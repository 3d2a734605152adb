"""Requests in another charset than UTF-8 are refused before anything reads them.

Django decodes addresses and forms by the codec that the request names, also one that is none of text (zlib, hex).
Already making the request would fail, outside of all that answers; so the name is looked at before Django is called.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.http import parse_header_parameters

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication

REFUSED = "league.refused_charset"


def utf8_alone(application: WSGIApplication) -> WSGIApplication:
    """Wrap the application: a charset that is not UTF-8 is taken off the request and noted for `refusing`."""

    def guarded(environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        kind, parameters = parse_header_parameters(environ.get("CONTENT_TYPE", ""))
        if not _is_ours(parameters.get("charset", "utf-8")):
            environ["CONTENT_TYPE"] = kind
            environ[REFUSED] = True
        return application(environ, start_response)

    return guarded


def refusing(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Answer 400 to what `utf8_alone` noted. A middleware that stands before those that read the request."""

    def middleware(request: HttpRequest) -> HttpResponse:
        return bad_request(request, BadRequest()) if REFUSED in request.META else get_response(request)

    return middleware


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400 with a page that reads nothing of the request."""
    return HttpResponse(render_to_string("400.html"), status=400)


def _is_ours(charset: str) -> bool:
    """Return whether it is UTF-8; a name that no codec has counts as none, as Django has it."""
    try:
        return codecs.lookup(charset).name == "utf-8"
    except (LookupError, ValueError):
        return True
