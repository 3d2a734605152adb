"""The health report of the installation for monitoring: database, broker, computation of standings, status checks."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings
from django.db import Error, connection
from django.db.models import Max, Min, Q
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from league.models import PendingRecompute, Run
from league.operations.work.status_checks import MAX_TIME_BETWEEN_RUNS, Colour, StatusCheck, monitored_checks

BROKER_CHECK = "broker"
BROKER_TIMEOUT = 1  # seconds to connect to the broker, and again for its answer


@dataclass(frozen=True)
class Health:
    """The health report of the installation. `broker` and `database` are True if they answer.

    `good_run_age` is the number of seconds since the last successful computation of standings (Run), None before the
    first. `checks` are the status checks by name.
    """

    broker: bool
    database: bool
    has_recent_run: bool  # the last successful run is recent enough
    good_run_age: int | None
    checks: dict[str, StatusCheck] = field(default_factory=dict)

    @property
    def is_healthy(self) -> bool:
        return self.database and self.has_recent_run and not self.red_checks()

    def red_checks(self) -> set[str]:
        red = {name for name, check in self.checks.items() if check.colour == Colour.RED}
        return red if self.broker else red | {BROKER_CHECK}

    def as_json(self) -> dict[str, bool | int | None]:
        """Return the report as JSON values. For each status check: true, false if red, or null if grey (unknown)."""
        unknown = (Colour.RED, Colour.GREY)
        checks = {name: check.colour not in unknown for name, check in self.checks.items()}
        grey = {name: None for name, check in self.checks.items() if check.colour == Colour.GREY}
        return {
            "healthy": self.is_healthy,
            "database": self.database,
            BROKER_CHECK: self.broker,
            "good_run_age": self.good_run_age,
            **checks,
            **grey,
        }


def health(now: datetime) -> Health:
    broker = broker_answers()
    try:
        last_success, waiting_since = _last_success_and_waiting_since()
        checks = monitored_checks(now)
    except Error:
        return Health(broker=broker, database=False, has_recent_run=False, good_run_age=None)
    age = None if last_success is None else int((now - last_success).total_seconds())
    has_recent_run = waiting_since is None or now - waiting_since < MAX_TIME_BETWEEN_RUNS
    return Health(broker, True, has_recent_run, age, checks)


def database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return False
    return True


def broker_answers() -> bool:
    """Return whether the broker (Redis) accepts a write. With a full disk it would accept only reads."""
    address = settings.REDIS_URL.replace("redis+socket://", "unix://")
    no_retry = Retry(NoBackoff(), 0)
    with Redis.from_url(
        address, socket_connect_timeout=BROKER_TIMEOUT, socket_timeout=BROKER_TIMEOUT, retry=no_retry
    ) as broker:
        try:
            return bool(broker.set(f"{settings.CACHES['default']['KEY_PREFIX']}:healthz", 1, ex=60))
        except RedisError:
            return False


def _last_success_and_waiting_since() -> tuple[datetime | None, datetime | None]:
    """Return the end of the last successful computation of standings (Run), and since when the next is expected.

    Before the first success, the second value is the time of the first attempt, or else of the first pending work. Both
    values are None in a new installation.
    """
    runs = Run.objects.aggregate(good=Max("finished_at", filter=Q(state=Run.State.DONE)), first=Min("started_at"))
    waiting_since = (
        runs["good"] or runs["first"] or PendingRecompute.objects.aggregate(first=Min("not_before"))["first"]
    )
    return runs["good"], waiting_since
