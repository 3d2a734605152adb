"""Actions after a mail provider reports that an email was returned, or that its recipient marked it as spam."""

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
    """Store that an email to `address` was returned, and stop the optional emails to its user."""
    record_send_failure(now)
    _stop_chosen_emails(address, "returned")


@transaction.atomic
def record_complaint(address: str) -> None:
    """Stop the optional emails to the user of `address`, who has marked an email as spam."""
    _stop_chosen_emails(address, "complaint")


def _stop_chosen_emails(address: str, reason: str) -> None:
    """Switch off all optional emails of the user; the user may choose them again. Emails about the account stay."""
    user = User.objects.filter(email__iexact=address).first()
    if user is not None:
        store_choices(user, (), NotificationKind)
    log.warning("mail_stopped", reason=reason, user=user and user.pk)
