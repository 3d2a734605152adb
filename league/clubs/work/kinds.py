from __future__ import annotations

from datetime import datetime, timedelta

import structlog
from django.utils.translation import gettext_lazy as _

from league.actions.club_deletion import RunInProgress, delete_club_if_due, ids_of_clubs_to_delete
from league.actions.jobs import JobKind, TimeSource, enqueue, register_job_kind
from league.models import Job
from league.operations.work.jobs import JobPostponed

log = structlog.get_logger(__name__)

CLUB_DELETION = "club_deletion"
RETRY_DELAY = timedelta(minutes=1)  # the next try, if a recompute is in progress


def schedule(now: datetime) -> None:
    """Enqueue jobs for clubs whose deletion is due. A failed job is not repeated until a superuser retries it."""
    failed = set(Job.objects.failed().filter(kind=CLUB_DELETION).values_list("key", flat=True))
    for club in map(str, ids_of_clubs_to_delete(now)):
        if club not in failed:
            enqueue(CLUB_DELETION, club, now=now)


def delete_club(job: Job, now: TimeSource) -> None:
    """Delete the club if its deletion is still due. Postpone the job while a recompute is in progress."""
    try:
        if delete_club_if_due(int(job.key), now=now()):
            log.info("club_deleted", club=int(job.key))
    except RunInProgress:
        raise JobPostponed(now() + RETRY_DELAY) from None


register_job_kind(JobKind(name=CLUB_DELETION, label=_("Deletion of a club"), work=delete_club, schedule=schedule))
