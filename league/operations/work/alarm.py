"""Emails to the installation's admins (superusers) about failed computations of standings, and wrong stored numbers.

If the mail server is unreachable, the error is logged and nothing else fails.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import structlog
from django.core.mail import send_mail
from django.db.models import Count, Max, Min, Q
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.actions.club_emails import absolute_address
from league.models import Check, Run
from league.models.check import CheckKind
from league.operations.work.check_records import record_check
from players.dates import date_format
from players.models import User

log = structlog.get_logger(__name__)

DETAIL_LIMIT = 20  # failures or differences that an email lists
FAILURES_BEFORE_EMAIL = 2  # failures in a row; a single failure may be chance, and the next run tries again


class RepeatedFailure(NamedTuple):
    name: str
    times: int  # failures in a row
    since: datetime  # time when the first of the failed runs began
    died: bool  # the worker of the last run died


def report_failure(run: Run) -> None:
    """Email the installation's admins about a failed computation of standings and ratings (`run`).

    They get an email if a season or game failed twice in a row, or the worker died. There is one email for each series
    of failures. If an email could not be sent, the next failure sends it.
    """
    last_alarm = Check.objects.filter(kind=CheckKind.ALARM).aggregate(last=Max("ended_at"))["last"]
    parts = [failure_series(run, row) for row in run.failed]
    reportable = [part for part in parts if part.died or part.times >= FAILURES_BEFORE_EMAIL]
    if not any(last_alarm is None or last_alarm < part.since for part in reportable):
        return
    subject = _("League manager: the last runs failed")
    lines = [
        ngettext(
            "%(part)s failed in the last run that was to compute it.",
            "%(part)s failed in the last %(count)d runs that were to compute it.",
            part.times,
        )
        % {"part": part.name, "count": part.times}
        for part in reportable[:DETAIL_LIMIT]
    ]
    body = _(
        "%(parts)s\n\n"
        "The newest run began on %(at)s and ended with:\n\n"
        "    %(error)s\n\n"
        "What it had still to do stays due, and is tried again in the next night. The run: %(run)s\n"
        "What else is watched: %(watch)s\n\n"
        "You will not be written to again about these parts before a run has computed them."
    ) % {
        "parts": "\n".join(lines),
        "at": date_format(localtime(run.started_at), "DATETIME_FORMAT"),
        "error": run.error.replace("\n", "\n    "),
        "run": absolute_address(run.get_absolute_url()),
        "watch": absolute_address(reverse("league:watch")),
    }
    if send_to_admins(subject, body):
        record_check(CheckKind.ALARM, now=run.finished_at or run.started_at, ok=False, problems=len(reportable))


def failure_series(run: Run, row: Mapping[str, Any]) -> RepeatedFailure:
    """Return how often the computation of a season or game has failed in a row, up to `run`, and since when.

    `row` is the entry of the season or game in `run.failed`. The series ends with a successful computation of the
    season or game, or with a successful nightly Run. Two queries.
    """
    part = {"game": row["game"]} if row["game"] else {"season": row["season"]}
    computed = Q(games__contains=[part]) if row["game"] else Q(seasons__contains=[part])
    successful = Run.objects.filter(computed | Q(state=Run.State.DONE, trigger=Run.Trigger.NIGHT), pk__lt=run.pk)
    last_success = successful.order_by("-pk").values_list("pk", flat=True).first() or 0
    failures = Run.objects.filter(pk__gt=last_success, pk__lte=run.pk, failed__contains=[part])
    summary = failures.aggregate(count=Count("pk"), first=Min("started_at"))
    return RepeatedFailure(row["game"] or row["name"], summary["count"], summary["first"], row["died"])


def report_differences(differences: Sequence[str], number: int) -> None:
    """Email the installation's admins about wrong stored numbers: `number` in all, and the first `differences`."""
    subject = ngettext(
        "League manager: %(count)d number does not follow from the facts",
        "League manager: %(count)d numbers do not follow from the facts",
        number,
    ) % {"count": number}
    body = _("Every stored number was derived again. These differ:\n\n%(differences)s\n\nAll of it: %(watch)s") % {
        "differences": "\n".join(f"    {difference}" for difference in differences[:DETAIL_LIMIT]),
        "watch": absolute_address(reverse("league:watch")),
    }
    send_to_admins(subject, body)


def send_to_admins(subject: str, body: str) -> bool:
    """Email all active superusers. Return False if none has an address, or the mail server refuses the email."""
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
