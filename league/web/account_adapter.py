"""allauth's adapter of this site: that of accounts, which also notes sign-ins, second factors and letters not sent."""

from __future__ import annotations

from typing import Any, Final

from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from league.actions import acts, outbox, sessions
from league.models.act import ActKind
from players.account_adapter import AccountAdapter
from players.models import User

SET_UP: Final = ("mfa/email/totp_activated", "mfa/email/webauthn_added")  # the letters that tell of a new factor


class NotingAdapter(AccountAdapter):
    """Notes each sign-in, and asks a second factor of sessions that began before it was set up."""

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> HttpResponse:
        """Note it, and go on."""
        assert isinstance(user, User)
        acts.note(ActKind.SIGNED_IN, user)
        return super().post_login(request, user, **kwargs)

    def send_notification_mail(self, template_prefix: str, user: AbstractBaseUser, *args: Any, **kwargs: Any) -> None:
        """Tell of a change; of a new second factor also the account's other sessions."""
        assert isinstance(user, User)
        if template_prefix in SET_UP:
            sessions.ask_others(user, self.request.session.session_key)
        super().send_notification_mail(template_prefix, user, *args, **kwargs)

    def not_sent(self, template_prefix: str) -> None:
        """Have the installation's admin see it, and go on."""
        outbox.note_not_sent(timezone.now())
        super().not_sent(template_prefix)
