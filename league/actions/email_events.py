"""Events that a mail provider reports after it has accepted an email: returned by the recipient's server, or spam."""

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
def record_return(address: str, *, now: datetime) -> None:
    """Record a failed email, and stop the emails that the user chose."""
    record_send_failure(now)
    _stop_chosen_emails(address, StopReason.RETURNED)


@transaction.atomic
def record_complaint(address: str) -> None:
    """Stop the emails that the user chose: the user has marked one as spam."""
    _stop_chosen_emails(address, StopReason.COMPLAINT)


@transaction.atomic
def resume_emails(user: User) -> None:
    """The user gets the chosen emails again. Both reasons are removed."""
    NotificationChoice.objects.filter(user=user, kind__in=StopReason.values).update(wanted=True)
    log.info("mail_resumed", user=user.pk)


def _stop_chosen_emails(address: str, reason: StopReason) -> None:
    """Emails about the account itself are still sent, and the user's choices are kept for `resume_emails`."""
    user = User.objects.filter(email__iexact=address).first()
    if user is not None:
        NotificationChoice.objects.update_or_create(user=user, kind=reason, defaults={"wanted": False})
    log.warning("mail_stopped", reason=str(reason), user=user and user.pk)
