"""This site's allauth adapter for accounts.

In addition to allauth it logs sign-ins, requires a new second factor in all sessions, and stores emails that could not
be sent.
"""

from __future__ import annotations

from typing import Any, Final

from allauth.account.models import EmailAddress
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.mail import EmailMessage
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _

from league.actions import api_tokens, audit, clubs, notifications, sessions
from players.account_adapter import AccountAdapter
from players.models import User

RESET_EMAIL_TEMPLATE: Final = "account/email/password_reset"
NEW_FACTOR_TEMPLATES: Final = (
    "mfa/email/totp_activated",
    "mfa/email/webauthn_added",
)  # emails about a new second factor


class SiteAccountAdapter(AccountAdapter):
    notification_template = ""  # the template of the notification that is being sent

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> HttpResponse:
        assert isinstance(user, User)
        audit.log_sign_in(user)
        return super().post_login(request, user, **kwargs)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        confirmed: bool = super().confirm_email(request, email_address)
        if confirmed:
            clubs.publish_waiting_clubs(email_address.user)
        return confirmed

    def send_notification_mail(self, template_prefix: str, user: AbstractBaseUser, *args: Any, **kwargs: Any) -> None:
        """Send an email about a change of the account.

        After a password reset, also end the user's API tokens and the address of the calendar. After a new second
        factor, the user's other sessions must give it once.
        """
        assert isinstance(user, User)
        if template_prefix == RESET_EMAIL_TEMPLATE and api_tokens.has_program_access(user):
            api_tokens.end_program_access(user)
            messages.info(self.request, _("Your API tokens and the address of your calendar have ended, too."))
        if template_prefix in NEW_FACTOR_TEMPLATES:
            sessions.require_second_factor_in_other_sessions(user, self.request.session.session_key)
        self.notification_template = template_prefix
        super().send_notification_mail(template_prefix, user, *args, **kwargs)

    def render_mail(self, *args: Any, **kwargs: Any) -> EmailMessage:
        self.mail = super().render_mail(*args, **kwargs)
        return self.mail

    def handle_send_failure(self, template_prefix: str, error: OSError) -> None:
        """Store a notification that could not be sent, to retry it.

        For other emails only the failure is recorded, because these emails may contain a secret link or code.
        """
        if template_prefix == self.notification_template:
            notifications.retry_later(self.mail, error, now=timezone.now())
        else:
            notifications.record_send_failure(timezone.now())
        super().handle_send_failure(template_prefix, error)
