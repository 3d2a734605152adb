"""What Celery calls. A task takes an id or nothing, starts from stored facts, and may run twice."""

from __future__ import annotations

import structlog
from celery import shared_task

from league.actions import club_deletion
from league.operations.work.clock import database_now

log = structlog.get_logger(__name__)


@shared_task(name="league.recompute.tasks.delete_clubs")
def delete_clubs() -> None:
    """Delete the clubs whose admins asked for it thirty days ago."""
    for pk in club_deletion.delete_due(database_now()):
        log.info("club_deleted", club=pk)


# Messages of the release before may still be in a queue. These names go with the next release.
shared_task(name="league.night.tasks.delete_clubs")(delete_clubs.run)
