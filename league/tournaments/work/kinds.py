"""The background job that deletes personal data of tournaments after the number of days that visitors were promised."""

from __future__ import annotations

from datetime import datetime

import structlog
from django.utils.translation import gettext_lazy as _

from league.actions.erasure import erase
from league.actions.jobs import JobKind, TimeSource, enqueue, register_job_kind
from league.actions.registration_retention import delete_registration_data_if_due, guests_to_erase
from league.actions.tournament_play import finish_forgotten_tournament
from league.models import Job, Tournament

log = structlog.get_logger(__name__)

RETENTION_JOB_KIND = "data_retention"


def schedule(now: datetime) -> None:
    """Enqueue a job for each tournament whose personal data must be deleted, unless a job for it has failed."""
    failed = set(Job.objects.failed().filter(kind=RETENTION_JOB_KIND).values_list("key", flat=True))
    for tournament in map(str, Tournament.objects.due_for_erasure(now.date()).values_list("pk", flat=True)):
        if tournament not in failed:
            enqueue(RETENTION_JOB_KIND, tournament, now=now)


def delete_personal_data(job: Job, now: TimeSource) -> None:
    """Delete the personal data of the tournament whose id is `job.key`: first the players whom it added as guests, then
    the data in its registrations.

    If the worker is killed between these steps, the next attempt still finds the remaining guests.
    """
    if not Tournament.objects.due_for_erasure(now().date()).filter(pk=int(job.key)).exists():
        return
    finish_forgotten_tournament(int(job.key), now=now())
    for guest in guests_to_erase(int(job.key)):
        erase(guest)
    if delete_registration_data_if_due(int(job.key), now=now()):
        log.info("registrations_forgotten", tournament=int(job.key))


register_job_kind(
    JobKind(
        name=RETENTION_JOB_KIND, label=_("Personal data of a tournament"), work=delete_personal_data, schedule=schedule
    )
)
