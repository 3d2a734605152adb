"""The adapter of django-allauth: limits failed sign-ins and emails, checks the length of addresses, and handles
failures of the mail server.
"""

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

BROWSER_COOKIE: Final = "known_browser"
BROWSER_COOKIE_SALT: Final = "players.known_browser"
BROWSER_COOKIE_SECONDS: Final = 180 * 86_400

# Templates of emails that a visitor requested on a page; all other emails are notices that nobody requested.
PASSWORD_RESET_EMAILS: Final = frozenset({"account/email/password_reset_key", "account/email/unknown_account"})
REQUESTED_EMAILS: Final = PASSWORD_RESET_EMAILS | {
    "account/email/email_confirmation",
    "account/email/email_confirmation_signup",
    "account/email/account_already_exists",
}
EMAIL_LIMIT_MESSAGE: Final = gettext_lazy(
    "Several e-mails went to this address already, so no other was sent. Look there, also among unwanted mail, "
    "or ask again tomorrow."
)
CONFIRMATION_SENT_TEMPLATE: Final = "account/messages/email_confirmation_sent.txt"


class AccountAdapter(DefaultAccountAdapter):
    """Counts wrong passwords separately for each known browser, a browser in which the user has signed in before.

    So an attacker who guesses passwords locks out unknown browsers, but not the user's own browser.
    """

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> HttpResponse:
        """Set a signed cookie that marks the browser as known: it has the user's email address and a random id."""
        assert isinstance(user, User)
        response = super().post_login(request, user, **kwargs)
        if not _browser_id(request, user.email):
            response.set_cookie(
                BROWSER_COOKIE,
                signing.dumps([user.email.lower(), token_urlsafe(9)], salt=BROWSER_COOKIE_SALT),
                max_age=BROWSER_COOKIE_SECONDS,
                secure=settings.SESSION_COOKIE_SECURE,
                httponly=True,
                samesite="Lax",
            )
        return response

    def clean_email(self, email: str) -> str:
        """Raise ValidationError for more than 254 characters, the limit of the database column; allauth's forms allow
        320.
        """
        address: str = User._meta.get_field("email").clean(super().clean_email(email), None)
        return address

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send the email, unless the address has reached its rate limit. An error of the mail server does not fail the
        request.

        If the visitor requested this email and it was not sent, the page shows the reason.
        """
        requested = template_prefix in REQUESTED_EMAILS
        consume_limit = (
            mail_limits.consume_requested_email_limit if requested else mail_limits.consume_notification_limit
        )
        if not consume_limit(email):
            if requested:
                self.show_not_sent_message(template_prefix, EMAIL_LIMIT_MESSAGE)
            return
        try:
            super().send_mail(template_prefix, email, context)
        except OSError as error:  # includes all exceptions of smtplib
            log.exception("mail_not_sent", about=template_prefix, error=str(error))
            self.handle_send_failure(template_prefix, error)

    def handle_send_failure(self, template_prefix: str, error: OSError) -> None:
        if template_prefix in REQUESTED_EMAILS:
            reason = _("The e-mail could not go out just now. Ask for it again in a few minutes.")
            self.show_not_sent_message(template_prefix, reason)

    def show_not_sent_message(self, template_prefix: str, reason: object) -> None:
        """Add a message that explains why the requested email was not sent.

        Raise ImmediateHttpResponse with a redirect if allauth's next page would claim that the email was sent.
        """
        self.request.mail_not_sent = True
        messages.error(self.request, str(reason))
        if template_prefix in PASSWORD_RESET_EMAILS:
            raise ImmediateHttpResponse(redirect("account_reset_password"))

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *args: Any, **kwargs: Any
    ) -> None:
        """Add the message, unless it says that an email was sent that could not be sent."""
        if not (message_template == CONFIRMATION_SENT_TEMPLATE and _is_not_sent(request)):
            super().add_message(request, level, message_template, *args, **kwargs)

    def respond_email_verification_sent(self, request: HttpRequest, user: AbstractBaseUser | None) -> HttpResponseBase:
        """Redirect to the page that says that the email was sent; if it was not, to the sign-in page."""
        if not _is_not_sent(request):
            return super().respond_email_verification_sent(request, user)
        messages.info(request, _("To have it sent again, sign in."))
        return redirect("account_login")

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        key = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{key}{_browser_id(request, credentials.get('email', ''))}"


def _is_not_sent(request: HttpRequest) -> bool:
    return getattr(request, "mail_not_sent", False)


def _browser_id(request: HttpRequest, email: str) -> str:
    """Return the random id in the signed cookie if it is for this email address, else ""."""
    try:
        address, browser_id = signing.loads(
            request.COOKIES.get(BROWSER_COOKIE, ""), salt=BROWSER_COOKIE_SALT, max_age=BROWSER_COOKIE_SECONDS
        )
    except signing.BadSignature:
        return ""
    return str(browser_id) if address == email.lower() else ""
