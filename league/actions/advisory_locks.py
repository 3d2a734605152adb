"""PostgreSQL advisory locks, held until the end of their transaction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def wait_for_lock(name: str) -> Iterator[None]:
    """Open a transaction and wait until no other transaction has the lock. `name` is the name of the lock."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        yield


@contextmanager
def try_lock(name: str) -> Iterator[bool]:
    """Open a transaction; yield True if it got the lock `name`, False if another transaction has it."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", [name])
        [is_free] = cursor.fetchone()
        yield is_free
