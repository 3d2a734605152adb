"""A test email that an admin of the installation sends to their own address."""

from __future__ import annotations

import structlog
from django.conf import settings
from django.core.mail import send_mail
from django.utils.translation import gettext as _

from players.models import User

log = structlog.get_logger(__name__)


def send_test_email(user: User) -> str:
    """Send a test email to the user. Return the error of the mail server, or "" if it accepted the email.

    The mail server must answer within the setting EMAIL_TIMEOUT.
    """
    body = _("This is the test e-mail that you asked for. The site %(site)s can send e-mails.") % {
        "site": settings.SITE_ADDRESS or _("without an address")
    }
    try:
        send_mail(_("League manager: test e-mail"), body, None, [user.email])
    except OSError as error:  # all that smtplib raises are OSErrors
        log.warning("test_mail_not_sent", error=str(error))
        return str(error) or type(error).__name__
    return ""
