"""Background jobs: kinds, and functions to enqueue, retry and cancel. The runner is `operations/work/jobs.py`.

Each folder of `league` registers its kinds of jobs in its `work/kinds.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from traceback import format_exception_only
from typing import Any, Final

from django.apps import apps
from django.db import IntegrityError, transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.actions import audit
from league.actions.refusals import WrongState
from league.messages import send_job
from league.models import Job
from league.models.audit_entry import AuditEvent
from league.models.job import JobState

TimeSource = Callable[[], datetime]


class JobError(Exception):
    """A job has failed; the message is a sentence for the installation's admin."""


class JobCancelled(JobError):
    def __init__(self) -> None:
        super().__init__("Cancelled.")


@dataclass(frozen=True, kw_only=True)
class JobKind:
    """A kind of background jobs: the function that does the work, its limits, and optional callbacks.

    `work` gets the job and a function that returns the current time. It changes `job.progress` and `job.result`, and
    may empty `job.payload` at the end. If `work` is a generator, each `yield` ends a step, and its return ends the last
    step. If another worker continues the job, local variables are lost: a new generator starts from `job.progress`. A
    plain function is one step.

    Each step of an atomic kind is one transaction, which also stores the progress. Other kinds may use several
    transactions in a step; if the worker is killed, the step is left half done.
    """

    name: str
    label: str | Promise
    work: Callable[[Job, TimeSource], Iterator[None] | None]
    queue: str = "celery"
    seconds: float = 40.0  # of work for one Celery message; then another message continues the job
    attempts: int = 3  # a step is begun at most this often, if workers die in it; then the job fails
    # How long a step is retried after errors of the database connection.
    database_retry_period: timedelta = timedelta(hours=1)
    atomic: bool = True
    retention: timedelta = timedelta(days=30)  # how long jobs that are done or cancelled are stored
    # Called every minute to add jobs that are due.
    schedule: Callable[[datetime], object] | None = None
    # Returns False if another version of the program began the job, and this version must not continue it. The job
    # fails as soon as no worker works on it.
    is_current: Callable[[Job], bool] = lambda _job: True
    # Called in the transaction that ends the job as failed or cancelled, in this case with the error `JobCancelled`.
    # Returns True if other jobs replace the job; the job is then deleted.
    on_failure: Callable[[Job, Exception, datetime], bool] | None = None
    # Called after the transaction that ended the job in any state. If the worker is killed, it is not called.
    on_end: Callable[[Job, datetime], object] | None = None
    # Called to retry a failed job; the failed job is then deleted. Without this function, the job is opened again.
    on_retry: Callable[[Job, datetime], object] | None = None


_kinds: Final[dict[str, JobKind]] = {}


def register_job_kind(kind: JobKind) -> None:
    assert _kinds.get(kind.name, kind) == kind, kind.name
    _kinds[kind.name] = kind


def job_kinds() -> Mapping[str, JobKind]:
    apps.get_app_config("league").load_job_kinds()  # type: ignore[attr-defined]
    return _kinds


def enqueue(
    kind: str,
    key: str = "",
    payload: Mapping[str, Any] | None = None,
    *,
    now: datetime,
    due_at: datetime | None = None,
) -> Job:
    """Return the open job of this kind and key, or add a job and send its Celery message after the commit.

    With `due_at` no message is sent: the runner begins the job at that time.
    """
    times = {"created_at": now, "due_at": due_at or now, "heartbeat": None if due_at else now}
    while True:
        open_job: Job | None = Job.objects.open().filter(kind=kind, key=key).first()
        if open_job is not None:
            return open_job
        try:
            with transaction.atomic():
                job: Job = Job.objects.create(kind=kind, key=key, payload=dict(payload or {}), **times)
        except IntegrityError:  # another transaction has added it
            continue
        if due_at is None:
            transaction.on_commit(partial(send_job, job.pk, job_kinds()[kind].queue))
        return job


@transaction.atomic
def retry(pk: int, *, now: datetime) -> None:
    """Open a failed job again; it continues from its progress. Raise WrongState.

    If the kind has `on_retry`, this function is called instead, and the failed job is deleted.
    """
    job = _lock_failed_job(pk)
    kind = job_kinds()[job.kind]
    audit.log(AuditEvent.JOB_RETRIED, kind=job.kind, key=job.key)
    if kind.on_retry is not None:
        kind.on_retry(job, now)
        job.delete()
        return
    job.state, job.error, job.attempts, job.ended_at = JobState.WAITING, "", 0, None
    job.due_at = job.heartbeat = now
    try:
        with transaction.atomic():
            job.save()
    except IntegrityError as error:
        raise WrongState(_("A newer job does the same work. Wait for its end.")) from error
    transaction.on_commit(partial(send_job, pk, kind.queue))


@transaction.atomic
def cancel(pk: int, *, now: datetime) -> None:
    """End an open job, or hide a failed one. Raise WrongState while a worker runs one of its steps."""
    if Job.objects.open().filter(pk=pk).exists():
        job = fail(pk, JobCancelled(), now=now, state=JobState.CANCELLED)
        if job is None:
            raise WrongState(_("A worker is busy with this job. Try again in a moment."))
        on_end = job_kinds()[job.kind].on_end
        if on_end is not None:
            transaction.on_commit(partial(on_end, job, now))
    else:
        job = _lock_failed_job(pk)
        job.state = JobState.CANCELLED
        job.save(update_fields=["state"])
    audit.log(AuditEvent.JOB_CANCELLED, kind=job.kind, key=job.key)


@transaction.atomic
def fail(pk: int, error: Exception, *, now: datetime, state: JobState = JobState.FAILED) -> Job | None:
    """End an open job as failed, or in another `state`, and return the job. The results of its finished steps stay.

    Return None if the job is not open, a worker runs one of its steps, or another job replaces it.
    """
    job: Job | None = Job.objects.open().select_for_update(skip_locked=True).filter(pk=pk).first()
    if job is None:
        return None
    kind = job_kinds().get(job.kind)
    if kind is not None and kind.on_failure is not None and kind.on_failure(job, error, now):
        job.delete()
        return None
    job.state, job.ended_at = state, now
    job.error = str(error) if isinstance(error, JobError) else "".join(format_exception_only(error)).strip()
    job.save()
    return job


def _lock_failed_job(pk: int) -> Job:
    """Lock a failed job and return it. Raise WrongState if it has not failed."""
    job: Job | None = Job.objects.failed().select_for_update().filter(pk=pk).first()
    if job is None:
        raise WrongState(_("This job has not failed, or was tried again already."))
    return job
