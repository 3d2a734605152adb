"""What Celery calls. A task takes an id or nothing, starts from stored facts, and may run twice."""

from __future__ import annotations

import structlog
from celery import shared_task

from league.actions import acts, club_deletion
from league.models import Run
from league.night import runs
from league.night.clock import database_now
from league.night.steps import LONGEST, Outcome

log = structlog.get_logger(__name__)


@shared_task(name="league.night.tasks.night")
def night() -> None:
    """The nightly run of what is due, if only to say that nothing was; and what is to be forgotten."""
    now = database_now()
    _hand_out(runs.tick(now, Run.Trigger.NIGHT))
    acts.forget_addresses(now)


@shared_task(name="league.night.tasks.tick")
def tick() -> None:
    """Run if something is due, and hand out again what was lost; cheap when there is neither."""
    _hand_out(runs.tick(database_now()))


@shared_task(name="league.night.tasks.delete_clubs")
def delete_clubs() -> None:
    """Delete the clubs whose admins asked for it thirty days ago."""
    for pk in club_deletion.delete_due(database_now()):
        log.info("club_deleted", club=pk)


@shared_task(name="league.night.tasks.part")
def part(pk: int) -> None:
    """A task of a run, or as much of it as a message may take."""
    outcome = runs.attempt(pk, now=database_now(), seconds=LONGEST)
    log.info("run_task", task=pk, outcome=outcome.value)
    if outcome is Outcome.MORE:
        part.delay(pk)


def _hand_out(tasks: list[int]) -> None:
    """One message a task. One that is lost on the way is sent again by a later tick."""
    for pk in tasks:
        part.delay(pk)
