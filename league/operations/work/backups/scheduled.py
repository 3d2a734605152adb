"""Scheduled backups, their restore drills, and the stored list of revocations."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

import structlog

from league.actions.jobs import Now, enqueue
from league.actions.revocations import has_unstored
from league.models import Job
from league.models.check import CheckKind
from league.operations.work.backups import revocation_list, schedule, store
from league.operations.work.backups.drill import drill_newest
from league.operations.work.backups.notes import FAILURES, Busy, run_and_note
from league.operations.work.heartbeat_url import call_if_healthy

log = structlog.get_logger(__name__)


def schedule_backup(now: datetime) -> None:
    if not store.is_set_up():
        return
    if has_unstored():
        _store_list()
    if schedule.backup_is_due(now) and not _has_failed(CheckKind.BACKUP, now):
        enqueue(CheckKind.BACKUP, now=now)


def schedule_drill(now: datetime) -> None:
    if not store.is_set_up() or schedule.backup_is_due(now) or not schedule.drill_is_due(now):
        return
    if not _has_failed(CheckKind.DRILL, now):
        enqueue(CheckKind.DRILL, now=now)


def make_backup(job: Job, now: Now) -> None:
    if _run(job, CheckKind.BACKUP, partial(store.create_backup, now()), now):
        call_if_healthy(now())
    _store_list()  # the folder may be new


def drill(job: Job, now: Now) -> None:
    _run(job, CheckKind.DRILL, drill_newest, now)


def _has_failed(kind: CheckKind, now: datetime) -> bool:
    """Return whether a job failed unexpectedly a moment ago; expected failures are stored as checks."""
    return Job.objects.failed().filter(kind=kind, ended_at__gt=now - schedule.RETRY_DELAY[kind]).exists()


def _run(job: Job, kind: CheckKind, work: Callable[[], str], now: Now) -> bool:
    """A failure is tried again by the schedule, so the job itself succeeds."""
    try:
        job.result = {"summary": run_and_note(kind, work, now)}
    except Busy as busy:
        log.info("at_work_already", kind=kind, why=str(busy))
        job.result = {"summary": str(busy)}
    except FAILURES as error:
        log.error("failed", kind=kind, error=str(error))
        job.result = {"summary": str(error)}
    else:
        return True
    return False


def _store_list() -> None:
    """After a failure the next minute tries again."""
    try:
        revocation_list.store_list()
    except FAILURES as error:
        log.error("list_not_kept", error=str(error))
