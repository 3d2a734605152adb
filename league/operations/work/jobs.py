"""The runner of background jobs. The kinds of jobs are registered in modules `work/kinds.py` (see `actions/jobs.py`).

The database stores the remaining work; a Celery message only has the id of a job. If a message is lost or duplicated,
or a worker is killed, each step is still stored once and in order, and the next tick sends a new message.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime, timedelta
from enum import Enum
from time import monotonic
from typing import Any, Final

import structlog
from django.db import InterfaceError, InternalError, OperationalError, connection, transaction
from django.db.models import F, Q
from structlog.contextvars import bound_contextvars

from league.actions.jobs import JobError, JobKind, fail, job_kinds
from league.models import Job
from league.models.job import JobState
from league.operations.work.backups.postgres_tools import connect
from league.operations.work.clock import Clock

log = structlog.get_logger(__name__)

MESSAGE_LOST_AFTER = timedelta(seconds=60)  # if a job has no heartbeat for so long, another message is sent
FAILED_JOB_RETENTION: Final = timedelta(days=30)
LOCK_TIMEOUT = "60s"  # longest time that a step waits for a locked row; after it the job is tried again later
# The database was unreachable, closed the connection, or had no space. The job continues later, and no attempt is
# counted.
TRANSIENT_DATABASE_ERRORS: Final = (OperationalError, InterfaceError, InternalError)


class WorkerDied(JobError):
    """All workers that began a step have died during it, for example because the step needs too much memory."""


class ArithmeticChanged(JobError):
    """Another version of the arithmetic began the job, so this version must begin the work anew."""

    def __init__(self) -> None:
        super().__init__("The arithmetic was changed on the way. All of it is due by the new one.")


class JobPostponed(Exception):
    """Raised by the work of a job if a step cannot be done now. The job waits until `due_at`; no attempt is counted."""

    def __init__(self, due_at: datetime, reason: str = "") -> None:
        super().__init__(reason)
        self.due_at = due_at


class Outcome(Enum):
    DONE = "done"  # the job has ended
    MORE = "more"  # the time limit of the message is reached; another message continues the job
    LATER = "later"  # the job waits until it is due
    BUSY = "busy"  # another worker works on the job
    OTHER_VERSION = "other"  # another version of the program began the job


def tick(queue: str, now: datetime) -> list[int]:
    """Create the scheduled jobs of a queue that are due, and delete old jobs.

    Return the ids of the jobs for which the caller must send a message to the workers.
    """
    pks: list[int] = []
    for kind in job_kinds().values():
        if kind.queue == queue:
            try:
                if kind.schedule is not None:
                    kind.schedule(now)
                pks += claim_jobs(kind, now)
                old = Q(ended_at__lte=now - kind.retention) & ~Q(state=JobState.FAILED)
                Job.objects.filter(old | Q(ended_at__lte=now - FAILED_JOB_RETENTION), kind=kind.name).delete()
            except Exception:  # one kind must not stop the others
                log.exception("tick_failed", kind=kind.name)
    return pks


def claim_jobs(kind: JobKind, now: datetime) -> list[int]:
    """Return the ids of due jobs of a kind that no worker works on and that had no message recently.

    Their heartbeat is set to `now`; the caller must send a message for each. A heartbeat in the future is ignored. Jobs
    that another version of the arithmetic began fail with ArithmeticChanged.
    """
    silent = Q(heartbeat=None) | Q(heartbeat__lt=now - MESSAGE_LOST_AFTER) | Q(heartbeat__gt=now + MESSAGE_LOST_AFTER)
    waiting = Job.objects.due(now).filter(silent, kind=kind.name).order_by("pk")
    with transaction.atomic():
        jobs = list(waiting.select_for_update(skip_locked=True))
        pks = [job.pk for job in jobs if kind.is_current(job) and _is_job_free(kind, job)]
        Job.objects.filter(pk__in=pks).update(heartbeat=now)
    for job in jobs:
        if not kind.is_current(job):
            fail_job(job.pk, ArithmeticChanged(), now)
    return pks


def work_on_job(pk: int, *, now: datetime, seconds: float | None = None) -> Outcome:
    """Run the steps of a job until it is done, or until the time limit of one message (`seconds`).

    If a step raises an exception, the job fails, and the exception is raised again. An error of the database
    connection (TRANSIENT_DATABASE_ERRORS) is raised again too, but the job does not fail, so a later tick sends a new
    message. The job fails only if it has been due for longer than the `database_retry_period` of its kind. If a step
    raises JobPostponed, the job waits.
    """
    clock = Clock(now)
    job: Job | None = Job.objects.open().filter(pk=pk).first()
    if job is None:
        return Outcome.DONE
    if not job.is_due(now):
        return Outcome.LATER
    kind = job_kinds()[job.kind]
    with bound_contextvars(job=pk):
        try:
            with connection.wrap_database_errors, _lock_job(job) as is_alone:
                outcome = (
                    _attempt_steps(job, kind, clock, kind.seconds if seconds is None else seconds) if is_alone else None
                )
        except JobPostponed as later:
            Job.objects.open().filter(pk=pk).update(
                state=JobState.WAITING, due_at=later.due_at, heartbeat=None, error=str(later)
            )
            return Outcome.LATER
        except Exception as error:
            is_trouble = isinstance(error, TRANSIENT_DATABASE_ERRORS)
            if not (is_trouble and timedelta(0) <= clock.now() - job.due_at <= kind.database_retry_period):
                fail_job(pk, error, clock.now())
            raise
        if outcome is Outcome.DONE and kind.on_end is not None:
            kind.on_end(job, clock.now())
    return outcome or Outcome.BUSY


def fail_job(pk: int, error: Exception, now: datetime) -> None:
    job = fail(pk, error, now=now)
    if job is not None and (on_end := job_kinds()[job.kind].on_end) is not None:
        on_end(job, now)


def _attempt_steps(job: Job, kind: JobKind, clock: Clock, seconds: float) -> Outcome:
    """Count an attempt and run steps of a job.

    An attempt that ends by JobPostponed or an error of the database connection is not counted.
    """
    finish = monotonic() + seconds
    if outcome := _begin_step(job.pk, kind, clock):
        return outcome
    try:
        with connection.wrap_database_errors:  # a COPY raises the driver's own errors
            return _do_steps(job, kind, clock, finish)
    except (JobPostponed, *TRANSIENT_DATABASE_ERRORS):  # the worker has not died, so the attempt does not count
        with suppress(*TRANSIENT_DATABASE_ERRORS):
            Job.objects.filter(pk=job.pk, attempts__gt=0).update(attempts=F("attempts") - 1)
        raise


def _do_steps(job: Job, kind: JobKind, clock: Clock, finish: float) -> Outcome:
    steps: Iterator[None] | None = None
    is_first = True
    while True:
        with transaction.atomic() if kind.atomic else nullcontext():
            current = _read_open_job(job.pk, kind)
            if current is None:
                return _outcome_without_lock(job.pk)
            if is_first or current.steps != job.steps:  # another worker did a step meanwhile
                job.__dict__.update(current.__dict__)
                steps = kind.work(job, clock.now)
                is_first = False
            job.attempts = current.attempts
            is_done = steps is None or next(steps, _NO_MORE_STEPS) is _NO_MORE_STEPS
            is_late = monotonic() > finish
            if not _store_progress(job, clock, is_done=is_done, is_late=is_late):
                return Outcome.BUSY
        if is_done:
            return Outcome.DONE
        if is_late:
            return Outcome.MORE


_NO_MORE_STEPS: Final = object()


def _read_open_job(pk: int, kind: JobKind) -> Job | None:
    """Return the open job, with a lock on its row if its kind is atomic.

    Return None if the job has ended, or another worker has locked it.
    """
    jobs = Job.objects.open().filter(pk=pk)
    if kind.atomic:
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [LOCK_TIMEOUT])
        jobs = jobs.select_for_update(skip_locked=True)
    current: Job | None = jobs.first()
    return current


def _store_progress(job: Job, clock: Clock, *, is_done: bool, is_late: bool) -> bool:
    """Store the progress after a step, and the end of the job if `is_done`. Return whether it was stored.

    It is not stored if the job was cancelled, or another worker has done this step meanwhile.
    """
    now = clock.now()
    values: dict[str, Any] = {
        "payload": job.payload,
        "progress": job.progress,
        "result": job.result,
        "steps": job.steps + 1,
        "heartbeat": now,
        "attempts": 0 if is_done or is_late else 1,  # the next step begins now
        "error": "",
    }
    if is_done:
        values |= {"state": JobState.DONE, "ended_at": now}
    is_stored = Job.objects.open().filter(pk=job.pk, steps=job.steps).update(**values) > 0
    job.steps += is_stored
    return is_stored


@transaction.atomic
def _begin_step(pk: int, kind: JobKind, clock: Clock) -> Outcome | None:
    """Count an attempt of the next step, so that deaths of workers are noticed; return None.

    Return an outcome if this worker must not run the step. Raise WorkerDied after too many attempts.
    """
    job: Job | None = Job.objects.open().select_for_update(skip_locked=True).filter(pk=pk).first()
    if job is None:
        return _outcome_without_lock(pk)
    if not kind.is_current(job):
        return Outcome.OTHER_VERSION
    if job.attempts >= kind.attempts:
        raise WorkerDied(f"The worker ended in the middle of the same step, {job.attempts} times.")
    job.state, job.attempts, job.heartbeat = JobState.RUNNING, job.attempts + 1, clock.now()
    job.save(update_fields=["state", "attempts", "heartbeat"])
    return None


def _outcome_without_lock(pk: int) -> Outcome:
    """Return the outcome for a worker that could not lock the job: another worker works on the job, or it has ended."""
    return Outcome.BUSY if Job.objects.open().filter(pk=pk).exists() else Outcome.DONE


@contextmanager
def _lock_job(job: Job) -> Iterator[bool]:
    """Try to lock a job for this worker, and yield whether it is locked. The lock ends with the block.

    The lock lasts longer than a transaction, so it has a connection of its own. PostgreSQL releases it if the worker
    dies. Steps of atomic kinds also lock the job's row, in case this connection was closed.
    """
    with connect() as database, database.transaction():
        query = "SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))"
        [is_free] = database.execute(query, [f"job {job.pk}"]).fetchone() or [False]
        yield is_free


def _is_job_free(kind: JobKind, job: Job) -> bool:
    """Return whether no worker works on the job. For an atomic kind the caller's lock on the job's row shows this."""
    if kind.atomic:
        return True
    with _lock_job(job) as is_free:
        return is_free
