"""Heartbeats of Celery beat (the clock) and of the worker of each queue. A heartbeat is the time of the last activity.

Heartbeats are stored in the cache. The scheduler and tasks write them (celery_classes.py); the status checks read them.
Beat sends a message to each queue every minute, so a queue without a heartbeat has no worker. If a heartbeat is missing
in the cache, for example after a restart of Redis, the time of the first check counts instead.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import Enum
from time import time
from typing import Final

from celery import current_app
from django.core.cache import cache

MAX_SILENCE: Final = timedelta(minutes=10)  # maximum age of a heartbeat; usually a task takes at most 40 seconds
MAX_TASK_TIME: Final = timedelta(hours=6)  # of a backup or restore drill; after it Redis delivers the message again
CLOCK_KEY: Final = "heartbeat:clock"


class ProcessState(Enum):
    """The state of the clock, or of the workers of a queue, by the last heartbeat."""

    ALIVE = "alive"
    SILENT = "silent"
    UNKNOWN = "unknown"  # there is no heartbeat yet, or the cache does not answer


def record_clock_heartbeat() -> None:
    cache.set(CLOCK_KEY, (time(), ""), None)


def record_task_heartbeat(queue: str, worker: str, *, busy: bool) -> None:
    cache.set(_queue_key(queue), (time(), worker), None)
    cache.set(_worker_key(worker), time() if busy else 0, None)


def clock_state(now: datetime) -> ProcessState:
    return _process_state(CLOCK_KEY, now)


def queue_states(now: datetime) -> dict[str, ProcessState]:
    return {queue.name: _process_state(_queue_key(queue.name), now) for queue in current_app.conf.task_queues}


def _process_state(key: str, now: datetime) -> ProcessState:
    cache.add(key, (now.timestamp(), None), None)  # the time of the first check, see above
    moment, worker = cache.get(key) or (None, None)
    if moment is None:
        return ProcessState.UNKNOWN
    if _is_within(moment, now, MAX_SILENCE):
        return ProcessState.UNKNOWN if worker is None else ProcessState.ALIVE
    if worker and _is_within(cache.get(_worker_key(worker)) or 0, now, MAX_TASK_TIME):
        return ProcessState.ALIVE
    return ProcessState.SILENT


def _is_within(moment: float, now: datetime, limit: timedelta) -> bool:
    """Return whether `moment`, in seconds since 1970, is less than `limit` before or after `now`.

    A time in the future is accepted, since clocks of machines differ.
    """
    return abs(now.timestamp() - moment) < limit.total_seconds()


def _queue_key(queue: str) -> str:
    return f"heartbeat:queue:{queue}"


def _worker_key(worker: str) -> str:
    return f"heartbeat:worker:{worker}"
