"""Celery tasks of background jobs: `work_on_job` works on one job; `tick` runs every minute for each queue."""

from __future__ import annotations

import structlog
from celery import shared_task

from league.actions.jobs import job_kinds
from league.models import Job
from league.operations.work import jobs
from league.operations.work.clock import database_now
from league.operations.work.jobs import Outcome

log = structlog.get_logger(__name__)


@shared_task(name="league.operations.tasks.jobs.tick")
def tick(queue: str = "celery") -> None:
    for pk in jobs.tick(queue, database_now()):
        work_on_job.apply_async((pk,), queue=queue)


@shared_task(name="league.operations.tasks.jobs.work")
def work_on_job(pk: int) -> None:
    outcome = jobs.work_on_job(pk, now=database_now())
    log.info("job", job=pk, outcome=outcome.value)
    if outcome is Outcome.MORE:
        work_on_job.apply_async((pk,), queue=job_kinds()[Job.objects.get(pk=pk).kind].queue)


def _do_nothing(*_args: object) -> None:
    pass


# Messages of the previous release may still be in a queue. They do nothing, since the next tick sends new messages.
# This loop can be deleted in the next release.
for name in (
    *(f"league.night.tasks.{name}" for name in ("night", "tick", "part", "delete_clubs")),
    *("league.backups.tasks.tick", "league.old_results.tasks.tick", "league.old_results.tasks.bring_in"),
    "league.outbox.tasks.send",
    *(f"league.monitoring.tasks.{name}" for name in ("weekly_verify", "verify_slices", "verify_tick")),
):
    shared_task(name=name)(_do_nothing)
