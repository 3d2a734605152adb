"""The time that a message of the night goes by: the database's, read once."""

from __future__ import annotations

from datetime import datetime, timedelta
from time import monotonic

from django.db import connection


def database_now() -> datetime:
    """Return the time of the database, which is one for all workers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        [now] = cursor.fetchone()
    assert isinstance(now, datetime)
    return now


class Clock:
    """Tells the time from a moment on by the seconds that have passed, whatever the machine's clock says."""

    def __init__(self, start: datetime) -> None:
        self._start = start
        self._begun = monotonic()

    def now(self) -> datetime:
        """Return the start and the time since."""
        return self._start + timedelta(seconds=monotonic() - self._begun)
