"""allauth's adapter: how failed sign-ins are counted, and which addresses are taken."""

from __future__ import annotations

from secrets import token_urlsafe
from typing import Any, Final

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.core import signing
from django.http import HttpRequest, HttpResponse

from players.models import User

log = structlog.get_logger(__name__)

COOKIE: Final = "known_browser"
SALT: Final = "players.known_browser"
LIFETIME: Final = 180 * 86_400  # seconds


class AccountAdapter(DefaultAccountAdapter):
    """Counts wrong passwords apart for each browser in which the owner has signed in before.

    So whoever guesses at an address locks out all strangers, and not the owner at home.
    """

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> HttpResponse:
        """Remember the browser, by a signed cookie that names the address and a number of its own."""
        assert isinstance(user, User)
        response = super().post_login(request, user, **kwargs)
        if not _known(request, user.email):
            response.set_cookie(
                COOKIE,
                signing.dumps([user.email.lower(), token_urlsafe(9)], salt=SALT),
                max_age=LIFETIME,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response

    def clean_email(self, email: str) -> str:
        """Refuse what is no address that can be kept: forms let 320 characters pass, the database 254."""
        kept: str = User._meta.get_field("email").clean(super().clean_email(email), None)
        return kept

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        """Tell of a change; a mail server that is away is logged, and fails nothing: it is done."""
        try:
            super().send_notification_mail(*args, **kwargs)
        except OSError as error:  # all that smtplib raises are OSErrors
            log.error("mail_not_sent", about=args[0], error=str(error))

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the key under which wrong passwords for an address are counted."""
        key = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{key}{_known(request, credentials.get('email', ''))}"


def _known(request: HttpRequest, email: str) -> str:
    """Return the number of this browser if the address signed in from it before, else nothing."""
    try:
        known, number = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return ""
    return str(number) if known == email.lower() else ""
