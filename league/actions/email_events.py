"""Actions after a mail provider reports that an email was returned, or that its recipient marked it as spam."""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import transaction

from league.actions.notifications import record_send_failure
from league.models import NotificationChoice
from league.models.notification import StopReason
from players.models import User

log = structlog.get_logger(__name__)


@transaction.atomic
def record_returned_email(address: str, *, now: datetime) -> None:
    """Store that an email to `address` was returned, and stop the optional emails to its user."""
    record_send_failure(now)
    _stop_optional_emails(address, StopReason.RETURNED)


@transaction.atomic
def record_spam_complaint(address: str) -> None:
    """Stop the optional emails to the user of `address`, who has marked an email as spam."""
    _stop_optional_emails(address, StopReason.COMPLAINT)


@transaction.atomic
def resume_emails(user: User) -> None:
    """Send the optional emails to the user again: remove both stop reasons."""
    NotificationChoice.objects.filter(user=user, kind__in=StopReason.values).update(wanted=True)
    log.info("mail_resumed", user=user.pk)


def _stop_optional_emails(address: str, reason: StopReason) -> None:
    """Stop all optional emails of the user. The user's choices are kept for `resume_emails`, and emails about the
    account are still sent.
    """
    user = User.objects.filter(email__iexact=address).first()
    if user is not None:
        NotificationChoice.objects.update_or_create(user=user, kind=reason, defaults={"wanted": False})
    log.warning("mail_stopped", reason=str(reason), user=user and user.pk)
