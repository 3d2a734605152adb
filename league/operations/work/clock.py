from __future__ import annotations

from datetime import datetime, timedelta
from time import monotonic

from django.db import connection


def database_now() -> datetime:
    """Return the time of the database, which all workers share."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        [now] = cursor.fetchone()
    assert isinstance(now, datetime)
    return now


class Clock:
    """Continues from `start` by a timer, so that a change of the machine's clock has no effect."""

    def __init__(self, start: datetime) -> None:
        self._start = start
        self._start_seconds = monotonic()

    def now(self) -> datetime:
        return self._start + timedelta(seconds=monotonic() - self._start_seconds)
