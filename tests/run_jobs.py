"""Background jobs, worked on in the tests' own process."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import Any

from league.actions.jobs import enqueue, job_kinds
from league.models import Job, Run
from league.operations.work import jobs
from league.operations.work.clock import database_now
from league.operations.work.jobs import Outcome
from league.recompute.work import runs


def tick(now: datetime, trigger: Run.Trigger | None = None) -> list[int]:
    """Open a run as each minute's tick does, and return the ids of the jobs whose messages are to be sent."""
    runs.start_due_run(now, trigger)
    return jobs.claim_jobs(job_kinds()[runs.JOB_KIND], now)


def parts(**payload: Any) -> Any:
    """Return the jobs with these values in their payloads."""
    return Job.objects.filter(kind=runs.JOB_KIND, **{f"payload__{name}": value for name, value in payload.items()})


def weekly_verify() -> int:
    """Do the weekly verification, or go on with it; return the number of differences."""
    job = enqueue("verification", now=database_now())
    while jobs.work_on_job(job.pk, now=database_now()) is Outcome.MORE:
        pass
    job.refresh_from_db()
    number: int = job.result["number"]
    return number


def run_tick(*names: str) -> None:
    """Do what each minute's tick does for these kinds, and work on their jobs."""
    now = database_now()
    for name in names:
        kind = job_kinds()[name]
        if kind.schedule is not None:
            kind.schedule(now)
        for pk in Job.objects.due(now).filter(kind=name).order_by("pk").values_list("pk", flat=True):
            jobs.work_on_job(pk, now=now)


def send_letters(now: datetime) -> None:
    """Send what waits, as each minute's messages do."""
    jobs.tick("letters", now)
    for pk in Job.objects.due(now).filter(kind__in=("email", "notifications")).values_list("pk", flat=True):
        with suppress(OSError):
            jobs.work_on_job(pk, now=now)


def emails() -> list[dict[str, str]]:
    """Return the emails that wait to be sent again."""
    return list(Job.objects.open().filter(kind="email").order_by("pk").values_list("payload", flat=True))
