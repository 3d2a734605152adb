"""A lock in a connection of its own: a worker that waits for it is in the middle of a step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psycopg
from django.db import connection

from tests.faults.machines import wait_for

SEASON = "SELECT FROM league_season WHERE id = %s FOR UPDATE"
DUE = "SELECT FROM league_due WHERE id = %s FOR UPDATE"
OLD_DAY = "SELECT FROM players_ratingday WHERE game = %s AND date = %s FOR UPDATE"
RUN = "SELECT FROM league_run WHERE id = %s FOR NO KEY UPDATE"
SEATS = "LOCK TABLE league_seat IN ACCESS EXCLUSIVE MODE"
# Rows with these keys don't exist yet: another transaction that inserts them waits for the end of ours.
DAY = "INSERT INTO players_ratingday (game, date, digest, arithmetic) VALUES (%s, %s, '', 0)"
STANDING = """
    INSERT INTO league_standing
        (season_id, player_id, numerator, denominator, evenings, deals, counted, dropped, worth, extras, adjustment,
        tie_break, missing, missing_partners, guest, arithmetic)
    VALUES (%s, %s, 0, 1, 0, 0, '[]', '[]', '{}', '{}', 0, '', 0, 0, false, 0)
"""
RATING = """
    INSERT INTO players_rating
        (game, player_id, micro, weight, tables, dates, opponents, provisional, last_date)
    VALUES (%s, %s, 0, 0, 0, 0, 0, false, '2026-01-01')
"""


class Grip:
    """A lock until `let_go`."""

    def __init__(self, url: str, statement: str, params: Sequence[object]) -> None:
        self._connection = psycopg.connect(url)
        self._connection.execute(statement.encode(), params)
        self._pid = self._connection.info.backend_pid

    def waiting(self) -> list[str]:
        """Return the names of the waiting workers."""
        query = "SELECT application_name FROM pg_stat_activity WHERE %s = ANY (pg_blocking_pids(pid))"
        with connection.cursor() as cursor:
            cursor.execute(query, [self._pid])
            return [name for (name,) in cursor.fetchall() if name]

    def caught(self) -> str:
        """Wait until a worker waits, and return its name."""
        wait_for(self.waiting, "a worker in the middle")
        return self.waiting()[0]

    def cut(self) -> None:
        """End the connections of waiting workers: PostgreSQL does not notice a dead client while it waits."""
        query = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE %s = ANY (pg_blocking_pids(pid))"
        with connection.cursor() as cursor:
            cursor.execute(query, [self._pid])
        wait_for(lambda: not self.waiting(), "the end of their connections")

    def let_go(self) -> None:
        self._connection.close()


@contextmanager
def holding(url: str, statement: str, *params: object) -> Iterator[Grip]:
    grip = Grip(url, statement, params)
    try:
        yield grip
    finally:
        grip.let_go()


def at_work() -> list[str]:
    """Return the names of the workers with an open transaction."""
    query = "SELECT application_name FROM pg_stat_activity WHERE xact_start IS NOT NULL AND pid <> pg_backend_pid()"
    return _names(query)


def connected() -> list[str]:
    """Return the names of the connected workers."""
    return _names("SELECT application_name FROM pg_stat_activity WHERE datname = current_database()")


def _names(query: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return [name for (name,) in cursor.fetchall() if name.startswith("worker")]
