"""Which language a page speaks: what its reader chose, for good or in this browser; a club's own for its visitors.

Without any of these it is the browser's, as Django's LocaleMiddleware finds it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

if TYPE_CHECKING:
    from league.models import Club

# Whether this request's reader is a visitor who chose no language, so that a club's page speaks the club's.
_is_open: Final = ContextVar("language_is_open", default=False)


def chosen(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Speak the language that the person chose; it stands behind the middleware that knows the user."""

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        if user.is_authenticated and user.language:
            translation.activate(user.language)
            request.LANGUAGE_CODE = translation.get_language()
        open_before = _is_open.set(not user.is_authenticated and settings.LANGUAGE_COOKIE_NAME not in request.COOKIES)
        try:
            return get_response(request)
        finally:
            _is_open.reset(open_before)

    return middleware


def speak_of(club: Club) -> None:
    """Go on in the club's language, if its page is read by a visitor who chose none."""
    if _is_open.get():
        translation.activate(club.language)
