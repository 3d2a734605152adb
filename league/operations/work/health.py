"""What a monitor reads: database and broker answer, nightly runs succeed, and no status check is red."""

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

from league.models import Due, Run
from league.operations.work.lights import PATIENCE, Colour, Light, status_checks

BROKER = "broker"
WAIT = 1  # seconds for the broker to take the call, and again to answer it


@dataclass(frozen=True)
class Health:
    """What a monitor reads. `good_run_age` is in seconds, None before the first good run.

    `checks` are the status checks by field, empty while the database is away.
    """

    broker: bool
    database: bool
    in_time: bool  # the last good run
    good_run_age: int | None
    checks: dict[str, Light] = field(default_factory=dict)

    @property
    def healthy(self) -> bool:
        """Whether nothing is red."""
        return self.database and self.in_time and not self.red()

    def red(self) -> set[str]:
        """Return the fields of what needs an admin."""
        red = {name for name, light in self.checks.items() if light.colour == Colour.RED}
        return red if self.broker else red | {BROKER}

    def fields(self) -> dict[str, bool | int | None]:
        """Return the answer of /healthz: of each check true, false where it is red, null where it knows nothing yet."""
        unknown = (Colour.RED, Colour.GREY)
        checks = {name: light.colour not in unknown for name, light in self.checks.items()}
        grey = {name: None for name, light in self.checks.items() if light.colour == Colour.GREY}
        return {
            "healthy": self.healthy,
            "database": self.database,
            BROKER: self.broker,
            "good_run_age": self.good_run_age,
            **checks,
            **grey,
        }


def health(now: datetime) -> Health:
    """Check the broker, the database, the runs and everything of `status_checks`; no failure is raised."""
    broker = broker_answers()
    try:
        last_good, awaited = _runs()
        checks = status_checks(now)
    except Error:
        return Health(broker=broker, database=False, in_time=False, good_run_age=None)
    age = None if last_good is None else int((now - last_good).total_seconds())
    in_time = awaited is None or now - awaited < PATIENCE
    return Health(broker, True, in_time, age, checks)


def database_answers() -> bool:
    """Return whether PostgreSQL answers a query, within the time-outs of its connection."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return False
    return True


def broker_answers() -> bool:
    """Return whether Redis or Valkey takes a write, within two seconds; with a full disk it only reads."""
    address = settings.REDIS_URL.replace("redis+socket://", "unix://")
    once = Retry(NoBackoff(), 0)
    with Redis.from_url(address, socket_connect_timeout=WAIT, socket_timeout=WAIT, retry=once) as asked:
        try:
            return bool(asked.set(f"{settings.CACHES['default']['KEY_PREFIX']}:healthz", 1, ex=60))
        except RedisError:
            return False


def _runs() -> tuple[datetime | None, datetime | None]:
    """Return when the last good run ended, and since when another is awaited.

    Before the first good one that is since anything was tried or due; None where nothing ever was, as on the first day.
    """
    runs = Run.objects.aggregate(good=Max("finished_at", filter=Q(state=Run.State.DONE)), first=Min("started_at"))
    awaited = runs["good"] or runs["first"] or Due.objects.aggregate(first=Min("not_before"))["first"]
    return runs["good"], awaited
