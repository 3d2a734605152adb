"""What Celery calls each minute: a backup and its trial, where they are due."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import structlog
from celery import shared_task

from league.backups import schedule, store
from league.backups.drill import try_newest
from league.backups.notes import FAILURES, Busy, noted
from league.models.check import CheckKind
from league.night.clock import Clock, database_now

log = structlog.get_logger(__name__)


@shared_task(name="league.backups.tasks.tick")
def tick() -> None:
    """Make a backup where one is due, and try one where that is; cheap where neither is."""
    now = database_now()
    if not store.is_set_up():
        return
    if schedule.backup_is_due(now):
        _do(CheckKind.BACKUP, partial(store.keep_new, now), Clock(now))
    elif schedule.drill_is_due(now):
        _do(CheckKind.DRILL, try_newest, Clock(now))


def _do(kind: CheckKind, work: Callable[[], str], clock: Clock) -> None:
    try:
        noted(kind, work, clock.now)
    except Busy as other:
        log.info("at_work_already", kind=kind, why=str(other))
    except FAILURES as error:
        log.error("failed", kind=kind, error=str(error))
