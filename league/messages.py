"""Messages that an action sends after its commit: to workers, and to open pages of an evening.

A message may be lost: the database has all pending work, and an open page of an evening reloads every few seconds
anyway.
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

# Tasks are sent by name, because actions must not import tasks.
TICK_TASK = "league.operations.tasks.jobs.tick"
JOB_TASK = "league.operations.tasks.jobs.work"
VERSION_LIFETIME = timedelta(days=1)  # of an evening's version in the cache

# A user waits for the page, so there is one retry, at once.
SHORT_RETRY_POLICY = {
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0,
    "socket_connect_timeout": 2,
    "socket_timeout": 2,
}


def send_tick(queue: str = "celery") -> None:
    """Ask a worker to look for pending work now. Call it after the commit.

    If the broker is down, the work is found within a minute by the periodic task.
    """
    _send(TICK_TASK, queue, queue=queue, then="the next tick will find what is due")


def send_job(pk: int, queue: str) -> None:
    """Ask a worker to run the job with this id. Call it after the commit.

    If the broker is down, the periodic task sends the request again later.
    """
    _send(JOB_TASK, pk, queue=queue, then="a later tick will send it")


def _send(task: str, *args: object, then: str, queue: str | None = None) -> None:
    """Send the task to a queue. If the broker is down, log a warning with the text `then`: how the work gets done."""
    try:
        with current_app.connection_for_write(transport_options=SHORT_RETRY_POLICY) as connection:
            current_app.send_task(task, args, connection=connection, retry=False, queue=queue)
    except OperationalError as error:
        log.warning("message_not_sent", task=task, then=then, error=str(error))


def announce_evening_change(evening_id: int) -> None:
    """Make open pages of the evening reload after the commit.

    Without this call, or while the cache is down, they reload a few seconds later.
    """
    transaction.on_commit(partial(cache.set, version_key(evening_id), uuid4().hex, VERSION_LIFETIME.total_seconds()))


def version_key(evening_id: int) -> str:
    """Return the cache key of the evening's version. `announce_evening_change` sets a new random version."""
    return f"live:{evening_id}:version"
