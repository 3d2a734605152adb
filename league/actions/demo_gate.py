"""Locks that make visitors' writes in a demo wait for the nightly reset, and the reset for writes in progress.

Advisory locks of PostgreSQL: many writes may share the lock; the reset holds it alone, until its transaction ends. If a
process is killed, its lock ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connection

_KEY: Final = "hashtextextended('demo reset', 0)"


@contextmanager
def visitor_write() -> Iterator[bool]:
    """Yield whether writes are allowed now; the reset waits for the end of this block."""
    is_open = _execute(f"SELECT pg_try_advisory_lock_shared({_KEY})")
    try:
        yield is_open
    finally:
        if is_open:
            _execute(f"SELECT pg_advisory_unlock_shared({_KEY})")


def close_gate() -> None:
    """Wait for the writes in progress, and refuse others until the end of the transaction."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_advisory_xact_lock({_KEY})")


def _execute(query: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(query)
        [answer] = cursor.fetchone()
    return bool(answer)
