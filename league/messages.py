"""What an action tells others once its transaction is committed: workers, and who watches the evening.

All are only hints. What is due, or waits to be sent, stands in the database, and a watcher's page renews itself after a
few seconds.
"""

from datetime import timedelta
from functools import partial
from uuid import uuid4

import structlog
from celery import current_app
from django.core.cache import cache
from django.db import transaction
from kombu.exceptions import OperationalError

log = structlog.get_logger(__name__)

# By their names: the night, the outbox and lists stand above the actions.
TICK = "league.operations.tasks.jobs.tick"
JOB = "league.operations.tasks.jobs.work"
WATCHED = timedelta(days=1)

# Somebody waits for the page: one more try at once, not six seconds of them.
IMPATIENT = {
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0,
    "socket_connect_timeout": 2,
    "socket_timeout": 2,
}


def send_tick(queue: str = "celery") -> None:
    """Ask a worker to add and begin the jobs of a queue that are due. Call it after the commit.

    A broker that is down fails nothing: the next minute's tick finds what is due in the database.
    """
    _send(TICK, queue, queue=queue, then="the next tick will find what is due")


def send_job(pk: int, queue: str) -> None:
    """Ask a worker to work on a job now. Call it after the commit; else a later tick sends it again."""
    _send(JOB, pk, queue=queue, then="a later tick will send it")


def _send(task: str, *args: object, then: str, queue: str | None = None) -> None:
    try:
        with current_app.connection_for_write(transport_options=IMPATIENT) as connection:
            current_app.send_task(task, args, connection=connection, retry=False, queue=queue)
    except OperationalError as error:
        log.warning("message_not_sent", task=task, then=then, error=str(error))


def evening_changed(evening_id: int) -> None:
    """Say that what watchers see of the evening changes when this transaction is committed.

    Where it is not said, or the cache is away, they see it a few seconds later.
    """
    transaction.on_commit(partial(cache.set, version_key(evening_id), uuid4().hex, WATCHED.total_seconds()))


def version_key(evening_id: int) -> str:
    """Return the cache's key of the evening's version: a text that changes with each change of the evening."""
    return f"live:{evening_id}:version"
