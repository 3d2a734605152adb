"""The schedule of backups, their copies and restore drills, and of storing the revocation list.

The schedule is checked every minute, since a machine may be off at night.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import structlog
from django.conf import settings
from django.utils.timezone import localtime

from league.actions.jobs import TimeSource, enqueue
from league.actions.revocations import has_unstored_revocations
from league.models import Check, Evening, Job
from league.models.check import CheckKind
from league.models.evening import EveningState
from league.models.job import MAX_CLOCK_ERROR
from league.operations.work.backups import copies, revocation_list, store
from league.operations.work.backups.drill import drill_newest_backup
from league.operations.work.backups.recorded_runs import EXPECTED_EXCEPTIONS, AlreadyRunning, run_and_record_check
from league.operations.work.heartbeat_url import call_heartbeat_url_if_healthy
from league.operations.work.jobs import JobPostponed

log = structlog.get_logger(__name__)

# Delays after the hour of the nightly computation of standings. The drill comes after the weekly verification.
BACKUP_DELAY: Final = timedelta(hours=1)
DRILL_DELAY: Final = timedelta(hours=3)
WITH_DRILL_KEY: Final = "with_drill"  # key of the job of a backup that a restore drill follows
BUSY_RETRY_DELAY: Final = timedelta(minutes=1)  # if another process does the same work
HOUR: Final = timedelta(hours=1)
# Delays of the next attempt after a failure.
RETRY_DELAYS: Final = {CheckKind.BACKUP: HOUR, CheckKind.COPY: HOUR, CheckKind.DRILL: timedelta(days=1)}


def backup_is_due(now: datetime) -> bool:
    return _is_due(CheckKind.BACKUP, now, since=last_backup_due_at(now))


def drill_is_due(now: datetime) -> bool:
    return _is_due(CheckKind.DRILL, now, since=last_drill_due_at(now))


def evening_backup_is_due(now: datetime) -> bool:
    """Return whether a backup is due because an evening was closed after the last backup began.

    The last backup must have begun at least an hour ago.
    """
    last = _last_backup()
    if last is None or not settings.BACKUP_AFTER_EVENINGS:
        return False
    [began_at] = store.names_by_time([store.name_in_summary(last.summary)])
    closed = Evening.objects.filter(state=EveningState.CLOSED, closed_at__gt=began_at, closed_at__lte=now)
    # since=now: only a backup that failed within the last hour, or ended in the future, makes this False.
    may_begin = _is_due(CheckKind.BACKUP, now, since=now)
    return now - began_at >= HOUR and may_begin and closed.exists()


def copy_is_due(now: datetime) -> bool:
    """Return whether the last copy of a backup failed, or there is a newer backup."""
    last = _last_backup()
    return last is not None and _is_due(CheckKind.COPY, now, since=last.ended_at)


def _last_backup() -> Check | None:
    """Return the last successful backup, without backups that `manage.py backup FILE` has written."""
    backups = Check.objects.filter(
        kind=CheckKind.BACKUP, ok=True, summary__regex=f"^{store.BACKUP_NAME_PATTERN.pattern}"
    )
    return backups.first()


def last_drill_due_at(now: datetime) -> datetime:
    """Return the latest due time of a restore drill.

    It is due on Sunday, three hours after the nightly computation of standings.
    """
    local = localtime(now)
    sunday = local - timedelta(days=local.isoweekday() % 7)
    moment = sunday.replace(hour=settings.NIGHT_HOUR, minute=0, second=0, microsecond=0, fold=0) + DRILL_DELAY
    return moment if moment <= local else moment - timedelta(days=7)


def last_backup_due_at(now: datetime) -> datetime:
    """Return the latest due time of a backup: an hour after the nightly computation of standings."""
    local = localtime(now)
    moment = local.replace(hour=settings.NIGHT_HOUR, minute=0, second=0, microsecond=0, fold=0) + BACKUP_DELAY
    return moment if moment <= local else moment - timedelta(days=1)


def _is_due(kind: CheckKind, now: datetime, *, since: datetime) -> bool:
    """Return whether work of this kind is due, because none has succeeded since the time `since`.

    After a failure, work is not due before the delay of this kind in RETRY_DELAYS is over.
    """
    of_kind = Check.objects.filter(kind=kind, ended_at__lte=now + MAX_CLOCK_ERROR)  # a wrong clock must not postpone it
    last = of_kind.first()
    if last is not None and not last.ok and now - last.ended_at < RETRY_DELAYS[kind]:
        return False
    return not of_kind.filter(ok=True, ended_at__gte=since).exists()


def schedule_backup(now: datetime) -> None:
    """Enqueue a backup if one is due. Also store the revocation list, and enqueue its copy, if it has changed."""
    if not store.backups_are_configured():
        return
    if has_unstored_revocations():
        _store_revocation_list()
        _enqueue_list_copy(now)
    if (backup_is_due(now) or evening_backup_is_due(now)) and not _job_has_failed(CheckKind.BACKUP, now):
        enqueue(CheckKind.BACKUP, now=now)


def schedule_copy(now: datetime) -> None:
    if settings.BACKUP_COPY_TO and copy_is_due(now) and not _job_has_failed(CheckKind.COPY, now):
        enqueue(CheckKind.COPY, now=now)


def schedule_drill(now: datetime) -> None:
    """Enqueue a restore drill if one is due. Do nothing while a backup is due: the drill must test the new backup."""
    if not store.backups_are_configured() or backup_is_due(now) or not drill_is_due(now):
        return
    if not _job_has_failed(CheckKind.DRILL, now):
        enqueue(CheckKind.DRILL, now=now)


def enqueue_backup_and_drill(now: datetime) -> None:
    """Enqueue a backup now, and a restore drill after it.

    The job has a key of its own, because a job of the schedule may be open, which no drill follows.
    """
    enqueue(CheckKind.BACKUP, WITH_DRILL_KEY, now=now)


def make_backup(job: Job, now: TimeSource) -> None:
    """Job: make a backup, enqueue a drill if the job's key demands it, and store the revocation list."""
    if _run_work(job, CheckKind.BACKUP, partial(store.create_backup, now()), now):
        call_heartbeat_url_if_healthy(now())
        if _drill_follows(job):
            enqueue(CheckKind.DRILL, now=now())
    _store_revocation_list()  # the folder may be new


def _drill_follows(job: Job) -> bool:
    return job.key == WITH_DRILL_KEY or bool(job.payload.get(WITH_DRILL_KEY))  # payload: jobs of the previous release


def copy_backup(job: Job, now: TimeSource) -> None:
    _run_work(job, CheckKind.COPY, copies.copy_newest_backup, now)


def run_drill(job: Job, now: TimeSource) -> None:
    _run_work(job, CheckKind.DRILL, drill_newest_backup, now)


def _job_has_failed(kind: CheckKind, now: datetime) -> bool:
    """Return whether a job of this kind has failed by an unexpected exception, within its delay in RETRY_DELAYS.

    After an expected exception (EXPECTED_EXCEPTIONS) a job is done, and its outcome is stored as a Check.
    """
    return Job.objects.failed().filter(kind=kind, ended_at__gt=now - RETRY_DELAYS[kind]).exists()


def _run_work(job: Job, kind: CheckKind, work: Callable[[], str], now: TimeSource) -> bool:
    """Call `work`, and store its outcome as a Check and as the result of the job. Return whether it succeeded.

    The job does not fail if the work fails, since the schedule tries again.
    """
    try:
        job.result = {"summary": run_and_record_check(kind, work, now)}
    except AlreadyRunning as busy:
        # Another process already copies or makes a backup, but its work does not replace this job: the copy may have
        # begun before the revocation list was changed, and no drill follows the backup.
        if kind is CheckKind.COPY or _drill_follows(job):
            raise JobPostponed(now() + BUSY_RETRY_DELAY, str(busy)) from busy
        log.info("at_work_already", kind=kind, why=str(busy))
        job.result = {"summary": str(busy)}
    except EXPECTED_EXCEPTIONS as error:
        log.error("failed", kind=kind, error=str(error))
        job.result = {"summary": str(error)}
    else:
        return True
    return False


def _store_revocation_list() -> None:
    try:
        revocation_list.store_revocation_list()
    except EXPECTED_EXCEPTIONS as error:
        log.error("list_not_kept", error=str(error))


def _enqueue_list_copy(now: datetime) -> None:
    """Enqueue a copy of the revocation list. After a failed copy do nothing, since the next attempt copies the list."""
    last = Check.objects.filter(kind=CheckKind.COPY).first()
    if settings.BACKUP_COPY_TO and last is not None and last.ok:
        enqueue(CheckKind.COPY, revocation_list.REVOCATION_FILE_NAME, now=now)
