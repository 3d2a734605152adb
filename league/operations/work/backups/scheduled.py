"""Scheduled backups, their restore drills, and the list of revocations beside them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

import structlog

from league.actions.endings import is_unkept
from league.actions.jobs import Now, enqueue
from league.models import Job
from league.models.check import CheckKind
from league.operations.work.backups import ended_list, schedule, store
from league.operations.work.backups.drill import try_newest
from league.operations.work.backups.notes import FAILURES, Busy, noted
from league.operations.work.heartbeat_url import call_if_healthy

log = structlog.get_logger(__name__)


def schedule_backup(now: datetime) -> None:
    if not store.is_set_up():
        return
    if is_unkept():
        _store_list()
    if schedule.backup_is_due(now) and not _has_failed(CheckKind.BACKUP, now):
        enqueue(CheckKind.BACKUP, now=now)


def schedule_drill(now: datetime) -> None:
    """Enqueue a drill if it is due, after the backup."""
    if not store.is_set_up() or schedule.backup_is_due(now) or not schedule.drill_is_due(now):
        return
    if not _has_failed(CheckKind.DRILL, now):
        enqueue(CheckKind.DRILL, now=now)


def make_backup(job: Job, now: Now) -> None:
    if _run(job, CheckKind.BACKUP, partial(store.keep_new, now()), now):
        call_if_healthy(now())
    _store_list()  # the folder may be new


def drill(job: Job, now: Now) -> None:
    _run(job, CheckKind.DRILL, try_newest, now)


def _has_failed(kind: CheckKind, now: datetime) -> bool:
    """Return whether a job ended by an unforeseen error a moment ago; foreseen ones are stored as checks."""
    return Job.objects.failed().filter(kind=kind, ended_at__gt=now - schedule.AGAIN[kind]).exists()


def _run(job: Job, kind: CheckKind, work: Callable[[], str], now: Now) -> bool:
    """Store the outcome for the status checks. A failure is tried again by the schedule, so the job itself succeeds."""
    try:
        job.result = {"summary": noted(kind, work, now)}
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
    """Store the list of revocations; after a failure the next minute tries again."""
    try:
        ended_list.keep()
    except FAILURES as error:
        log.error("list_not_kept", error=str(error))
