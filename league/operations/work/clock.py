from __future__ import annotations

from datetime import datetime, timedelta
from time import monotonic

from django.db import connection


def database_now() -> datetime:
    """Return the current time of the database server, since the clocks of workers may differ."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        [now] = cursor.fetchone()
    assert isinstance(now, datetime)
    return now


class Clock:
    """A clock that begins at `start` and uses a monotonic timer: changes of the machine's clock have no effect."""

    def __init__(self, start: datetime) -> None:
        self._start = start
        self._start_seconds = monotonic()

    def now(self) -> datetime:
        return self._start + timedelta(seconds=monotonic() - self._start_seconds)
