"""Events that a mail provider reports after it has accepted an email: returned by the recipient's server, or spam."""

from __future__ import annotations

from datetime import datetime

import structlog
from django.db import transaction

from league.actions.notifications import record_send_failure, store_choices
from league.models.notification import NotificationKind
from players.models import User

log = structlog.get_logger(__name__)


@transaction.atomic
def record_return(address: str, *, now: datetime) -> None:
    """Record a failed email, and stop the emails that the user chose."""
    record_send_failure(now)
    _stop_chosen_emails(address, "returned")


@transaction.atomic
def record_complaint(address: str) -> None:
    """Stop the emails that the user chose: the user has marked one as spam."""
    _stop_chosen_emails(address, "complaint")


def _stop_chosen_emails(address: str, reason: str) -> None:
    """Emails about the account itself are still sent, and the user may choose emails again."""
    user = User.objects.filter(email__iexact=address).first()
    if user is not None:
        store_choices(user, (), NotificationKind)
    log.warning("mail_stopped", reason=reason, user=user and user.pk)
