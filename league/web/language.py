"""The language of a page.

The user's stored choice comes first, then the browser's cookie. For other visitors, pages of a club use the club's
language, and all other pages the browser's header (Django's LocaleMiddleware). People outside the club read the pages
of a tournament, so these pages use the header before the club's language.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation

from league.models import Club

# Whether this request is from a visitor who chose no language, so that a club's page uses the club's language.
_use_club_language: Final = ContextVar("use_club_language", default=False)


def activate_user_language(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Activate the language that the user has stored. Place it after the authentication middleware."""

    def middleware(request: HttpRequest) -> HttpResponse:
        user = request.user
        if user.is_authenticated and user.language:
            translation.activate(user.language)
            request.LANGUAGE_CODE = translation.get_language()
        has_choice = user.is_authenticated or settings.LANGUAGE_COOKIE_NAME in request.COOKIES
        token = _use_club_language.set(not has_choice)
        try:
            return get_response(request)
        finally:
            _use_club_language.reset(token)

    return middleware


def use_club_language(club: Club) -> None:
    """Activate the club's language if the viewer has not chosen one."""
    if _use_club_language.get():
        translation.activate(club.language)


def use_browser_language(request: HttpRequest) -> None:
    """On a club's page for people outside the club: activate the language of the browser's header, if the site has it.

    Call it after `use_club_language`. A choice of the viewer takes precedence over both.
    """
    language = translation.get_language_from_request(request)
    # Django returns the site's default for a header without any of the site's languages.
    wanted = request.headers.get("Accept-Language", "").lower().split(",")
    if _use_club_language.get() and any(part.strip().startswith(language.partition("-")[0]) for part in wanted):
        translation.activate(language)
