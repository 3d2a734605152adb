"""allauth's adapter: how failed sign-ins are counted, which addresses are taken, and a mail server that is away."""

from __future__ import annotations

from secrets import token_urlsafe
from typing import Any, Final

import structlog
from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players import mail_limits
from players.models import User

log = structlog.get_logger(__name__)

COOKIE: Final = "known_browser"
SALT: Final = "players.known_browser"
LIFETIME: Final = 180 * 86_400  # seconds

# allauth's letters that somebody waits for; the others are notices.
RESETS: Final = frozenset({"account/email/password_reset_key", "account/email/unknown_account"})
AWAITED: Final = RESETS | {
    "account/email/email_confirmation",
    "account/email/email_confirmation_signup",
    "account/email/account_already_exists",
}
OVER_THE_LIMIT: Final = gettext_lazy(
    "Several e-mails went to this address already, so no other was sent. Look there, also among unwanted mail, "
    "or ask again tomorrow."
)
CONFIRMATION_SENT: Final = "account/messages/email_confirmation_sent.txt"


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

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a letter; a mail server that is away fails no page: what was done before stays done, and is shown.

        An email over the limits of its address is not sent; the page says so where the visitor waits for it.
        """
        awaited = template_prefix in AWAITED
        if not (mail_limits.may_request(email) if awaited else mail_limits.may_notify(email)):
            if awaited:
                self.refuse(template_prefix, OVER_THE_LIMIT)
            return
        try:
            super().send_mail(template_prefix, email, context)
        except OSError as error:  # all that smtplib raises are OSErrors
            log.exception("mail_not_sent", about=template_prefix, error=str(error))
            self.not_sent(template_prefix, error)

    def not_sent(self, template_prefix: str, error: OSError) -> None:
        """Say so to who waits for the letter; a notice of a change is waited for by nobody."""
        if template_prefix in AWAITED:
            self.refuse(template_prefix, _("The e-mail could not go out just now. Ask for it again in a few minutes."))

    def refuse(self, template_prefix: str, reason: object) -> None:
        """Show why an email was not sent; raise ImmediateHttpResponse where the next page would claim that it was."""
        self.request.mail_not_sent = True
        messages.error(self.request, str(reason))
        if template_prefix in RESETS:
            raise ImmediateHttpResponse(redirect("account_reset_password"))

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *args: Any, **kwargs: Any
    ) -> None:
        """Show it, unless it says that a letter is on its way that is not."""
        if not (message_template == CONFIRMATION_SENT and _is_not_sent(request)):
            super().add_message(request, level, message_template, *args, **kwargs)

    def respond_email_verification_sent(self, request: HttpRequest, user: AbstractBaseUser | None) -> HttpResponseBase:
        """Say where the letter is that has to come before the first sign-in; if it is not sent, how to get it."""
        if not _is_not_sent(request):
            return super().respond_email_verification_sent(request, user)
        messages.info(request, _("To have it sent again, sign in."))
        return redirect("account_login")

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the key under which wrong passwords for an address are counted."""
        key = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{key}{_known(request, credentials.get('email', ''))}"


def _is_not_sent(request: HttpRequest) -> bool:
    """Return whether a letter that somebody waits for could not go out in this request."""
    return getattr(request, "mail_not_sent", False)


def _known(request: HttpRequest, email: str) -> str:
    """Return the number of this browser if the address signed in from it before, else nothing."""
    try:
        known, number = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return ""
    return str(number) if known == email.lower() else ""
