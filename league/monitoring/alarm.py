"""Writes to the installation's admins, its superusers, when nobody might notice in time: failing runs, wrong numbers.

Decides nothing about runs. A mail server that is away is logged, and fails nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import structlog
from django.conf import settings
from django.core.mail import send_mail
from django.db.models import Count, Min
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Check, Run
from league.models.check import CheckKind
from league.monitoring.checks import note
from players.derived_rows import Difference
from players.models import User

log = structlog.get_logger(__name__)

NAMED = 20  # differences in a letter
ENOUGH = 2  # failures in a row: one may be chance, and the next run does its work


def after_failure(run: Run) -> None:
    """Write to the admins when `run`, saved as failed, is not the first failure in a row and they don't know yet.

    So they get one letter for a row of failures, at the second of them; at the next if it couldn't be sent.
    """
    count, first = failures_in_a_row()
    if count < ENOUGH or Check.objects.filter(kind=CheckKind.ALARM, ended_at__gte=first).exists():
        return
    subject = _("League manager: the last runs failed")
    body = _(
        "The last %(count)d runs failed. The newest one began on %(at)s and ended with:\n\n"
        "    %(error)s\n\n"
        "What they had still to do stays due, and is tried again. The run: %(run)s\n"
        "What else is watched: %(watch)s\n\n"
        "You will not be written to again before a run has done its work."
    ) % {
        "count": count,
        "at": date_format(localtime(run.started_at), "DATETIME_FORMAT"),
        "error": run.error,
        "run": _address(run.get_absolute_url()),
        "watch": _address(reverse("league:watch")),
    }
    if _told(subject, body):
        note(CheckKind.ALARM, now=run.finished_at or run.started_at, ok=False, found=count)


def failures_in_a_row() -> tuple[int, datetime | None]:
    """How many runs failed since the last good one, and when the first of them began; two queries.

    What is due stays due and is tried again: after a day they may be hundreds.
    """
    good = Run.objects.filter(state=Run.State.DONE).order_by("-pk").values_list("pk", flat=True).first() or 0
    row = Run.objects.filter(state=Run.State.FAILED, pk__gt=good).aggregate(count=Count("pk"), first=Min("started_at"))
    return row["count"], row["first"]


def tell_of_differences(found: Sequence[Difference]) -> None:
    """Write to the admins that stored numbers don't follow from the facts; the log has them all."""
    subject = ngettext(
        "League manager: %(count)d number does not follow from the facts",
        "League manager: %(count)d numbers do not follow from the facts",
        len(found),
    ) % {"count": len(found)}
    body = _("Every stored number was derived again. These differ:\n\n%(differences)s\n\nAll of it: %(watch)s") % {
        "differences": "\n".join(f"    {difference}" for difference in found[:NAMED]),
        "watch": _address(reverse("league:watch")),
    }
    _told(subject, body)


def _address(path: str) -> str:
    """Where a page is, as far as the settings say; no request is there to know it."""
    return f"{settings.SITE_ADDRESS}{path}"


def _told(subject: str, body: str) -> bool:
    """Whether the letter could be sent, and there was somebody to send it to."""
    admins = User.objects.filter(is_superuser=True, is_active=True).exclude(email="")
    addresses = list(admins.order_by("pk").values_list("email", flat=True))
    if not addresses:
        log.error("nobody_to_tell", subject=subject)
        return False
    try:
        return send_mail(subject, body, None, addresses) > 0
    except OSError as error:  # all that smtplib raises are OSErrors
        log.error("mail_not_sent", subject=subject, error=str(error))
        return False
