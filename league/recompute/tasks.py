"""What Celery calls. A task takes an id or nothing, starts from stored facts, and may run twice."""

from __future__ import annotations

import structlog
from celery import shared_task

from league.actions import audit, club_deletion
from league.models import Run
from league.operations.work.clock import database_now
from league.recompute.work import runs
from league.recompute.work.steps import LONGEST, Outcome

log = structlog.get_logger(__name__)


@shared_task(name="league.recompute.tasks.night")
def night() -> None:
    """The nightly run of what is due, if only to say that nothing was; and what is to be forgotten."""
    now = database_now()
    _hand_out(runs.tick(now, Run.Trigger.NIGHT))
    audit.remove_old_addresses(now)


@shared_task(name="league.recompute.tasks.tick")
def tick() -> None:
    """Run if something is due, and hand out again what was lost; cheap when there is neither."""
    _hand_out(runs.tick(database_now()))


@shared_task(name="league.recompute.tasks.delete_clubs")
def delete_clubs() -> None:
    """Delete the clubs whose admins asked for it thirty days ago."""
    for pk in club_deletion.delete_due(database_now()):
        log.info("club_deleted", club=pk)


@shared_task(name="league.recompute.tasks.part")
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


# Messages of the release before may still be in a queue. These names go with the next release.
shared_task(name="league.night.tasks.night")(night.run)
shared_task(name="league.night.tasks.tick")(tick.run)
shared_task(name="league.night.tasks.delete_clubs")(delete_clubs.run)
shared_task(name="league.night.tasks.part")(part.run)
