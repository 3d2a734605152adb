"""What Celery calls each minute: a backup and its trial, where they are due."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import structlog
from celery import shared_task

from league.actions.endings import is_unkept
from league.models.check import CheckKind
from league.operations.work.backups import ended_list, schedule, store
from league.operations.work.backups.drill import try_newest
from league.operations.work.backups.notes import FAILURES, Busy, noted
from league.operations.work.clock import Clock, database_now
from league.operations.work.heartbeat_url import call_if_healthy

log = structlog.get_logger(__name__)


@shared_task(name="league.operations.tasks.backups.tick")
def tick() -> None:
    """Make a backup where one is due, and try one where that is; cheap where neither is."""
    now = database_now()
    if not store.is_set_up():
        return
    if is_unkept():
        _keep()
    if schedule.backup_is_due(now):
        _do(CheckKind.BACKUP, partial(store.keep_new, now), Clock(now))
        _keep()  # also into a folder that is new
    elif schedule.drill_is_due(now):
        _do(CheckKind.DRILL, try_newest, Clock(now))


def _keep() -> None:
    """Write the list of what ended; where that fails the next minute tries again."""
    try:
        ended_list.keep()
    except FAILURES as error:
        log.error("list_not_kept", error=str(error))


def _do(kind: CheckKind, work: Callable[[], str], clock: Clock) -> None:
    try:
        noted(kind, work, clock.now)
        if kind == CheckKind.BACKUP:
            call_if_healthy(clock.now())
    except Busy as other:
        log.info("at_work_already", kind=kind, why=str(other))
    except FAILURES as error:
        log.error("failed", kind=kind, error=str(error))


# Messages of the release before may still be in a queue. These names go with the next release.
shared_task(name="league.backups.tasks.tick")(tick.run)
