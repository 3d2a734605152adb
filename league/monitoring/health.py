"""Tells a monitor whether the installation works: database and broker answer, and the nightly runs succeed."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import Error
from django.db.models import Max, Min, Q
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from league.models import Due, Run

PATIENCE = timedelta(hours=26)  # a run comes each night, and may take its time
WAIT = 1  # seconds for the broker to take the call, and again to answer it


class Health(NamedTuple):
    """What a monitor is told. `good_run_age` is in seconds, None before the first good run."""

    healthy: bool
    database: bool
    broker: bool
    good_run_age: int | None


def health(now: datetime) -> Health:
    """Ask the broker and the database; two queries at most, and no failure of either is raised."""
    broker = broker_answers()
    try:
        last_good, awaited = _runs()
    except Error:
        return Health(healthy=False, database=False, broker=broker, good_run_age=None)
    age = None if last_good is None else int((now - last_good).total_seconds())
    in_time = awaited is None or now - awaited < PATIENCE
    return Health(healthy=broker and in_time, database=True, broker=broker, good_run_age=age)


def broker_answers() -> bool:
    """Return whether Redis or Valkey says that it is there, within two seconds."""
    address = settings.REDIS_URL.replace("redis+socket://", "unix://")
    once = Retry(NoBackoff(), 0)
    with Redis.from_url(address, socket_connect_timeout=WAIT, socket_timeout=WAIT, retry=once) as asked:
        try:
            return bool(asked.ping())
        except RedisError:
            return False


def _runs() -> tuple[datetime | None, datetime | None]:
    """Return when the last good run ended, and since when another is awaited.

    Before the first good one that is since anything was tried or due; None where nothing ever was, as on the first day.
    """
    runs = Run.objects.aggregate(good=Max("finished_at", filter=Q(state=Run.State.DONE)), first=Min("started_at"))
    awaited = runs["good"] or runs["first"] or Due.objects.aggregate(first=Min("not_before"))["first"]
    return runs["good"], awaited
