"""Writes to the installation's admins, its superusers, when nobody might notice in time: failing runs, wrong numbers.

Decides nothing about runs. A mail server that is away is logged, and fails nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import structlog
from django.conf import settings
from django.core.mail import send_mail
from django.db.models import Count, Max, Min, Q
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Check, Run
from league.models.check import CheckKind
from league.operations.work.check_notes import note
from players.dates import date_format
from players.models import User

log = structlog.get_logger(__name__)

NAMED = 20  # differences in a letter
ENOUGH = 2  # failures in a row: one may be chance, and the next run does its work


class Failing(NamedTuple):
    """A part of the night that fails: a season's standings or a game's ratings."""

    name: str
    times: int  # runs in a row that were to compute it and failed
    since: datetime  # when the first of them began
    died: bool


def after_failure(run: Run) -> None:
    """Write to the admins when a part of `run`, saved as failed, is worth a letter and they don't know yet.

    That is at its second failure in a row, or at once where workers died of it. So they get one letter for a row of
    failures of a part; another at the next failure if it couldn't be sent.
    """
    told = Check.objects.filter(kind=CheckKind.ALARM).aggregate(last=Max("ended_at"))["last"]
    parts = [failing(run, row) for row in run.failed]
    worth = [part for part in parts if part.died or part.times >= ENOUGH]
    if not any(told is None or told < part.since for part in worth):
        return
    subject = _("League manager: the last runs failed")
    lines = [
        ngettext(
            "%(part)s failed in the last run that was to compute it.",
            "%(part)s failed in the last %(count)d runs that were to compute it.",
            part.times,
        )
        % {"part": part.name, "count": part.times}
        for part in worth[:NAMED]
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
        "run": site_address(run.get_absolute_url()),
        "watch": site_address(reverse("league:watch")),
    }
    if send_to_admins(subject, body):
        note(CheckKind.ALARM, now=run.finished_at or run.started_at, ok=False, found=len(worth))


def failing(run: Run, row: Mapping[str, Any]) -> Failing:
    """Return how often in a row a part has failed that failed in `run`; two queries.

    A row ends with a run that computed the part, or with a good night: it would have computed what was due.
    """
    part = {"game": row["game"]} if row["game"] else {"season": row["season"]}
    computed = Q(games__contains=[part]) if row["game"] else Q(seasons__contains=[part])
    good = Run.objects.filter(computed | Q(state=Run.State.DONE, trigger=Run.Trigger.NIGHT), pk__lt=run.pk)
    since = good.order_by("-pk").values_list("pk", flat=True).first() or 0
    failed = Run.objects.filter(pk__gt=since, pk__lte=run.pk, failed__contains=[part])
    counted = failed.aggregate(count=Count("pk"), first=Min("started_at"))
    return Failing(row["game"] or row["name"], counted["count"], counted["first"], row["died"])


def tell_of_differences(found: Sequence[str], number: int) -> None:
    """Write to the admins that so many stored numbers don't follow from the facts; the log has more of them."""
    subject = ngettext(
        "League manager: %(count)d number does not follow from the facts",
        "League manager: %(count)d numbers do not follow from the facts",
        number,
    ) % {"count": number}
    body = _("Every stored number was derived again. These differ:\n\n%(differences)s\n\nAll of it: %(watch)s") % {
        "differences": "\n".join(f"    {difference}" for difference in found[:NAMED]),
        "watch": site_address(reverse("league:watch")),
    }
    send_to_admins(subject, body)


def site_address(path: str) -> str:
    """Return where a page is, as far as the settings say; no request is there to know it."""
    return f"{settings.SITE_ADDRESS}{path}"


def send_to_admins(subject: str, body: str) -> bool:
    """Send an email to every superuser; return whether there was one, and the email could be sent."""
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
