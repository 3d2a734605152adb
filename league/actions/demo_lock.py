"""Locks of a public demo: visitors cannot write during the nightly reset, and the reset waits for writes in progress.

They are advisory locks of PostgreSQL. Several writes may share the lock; the reset has it alone until its transaction
ends. If a process is killed, its lock ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connection

_LOCK_KEY_SQL: Final = "hashtextextended('demo reset', 0)"


@contextmanager
def visitor_write_lock() -> Iterator[bool]:
    """Yield True if a visitor of the public demo may write now, or False during the nightly reset of the demo.

    The reset waits for the end of the block.
    """
    is_open = _execute(f"SELECT pg_try_advisory_lock_shared({_LOCK_KEY_SQL})")
    try:
        yield is_open
    finally:
        if is_open:
            _execute(f"SELECT pg_advisory_unlock_shared({_LOCK_KEY_SQL})")


def block_visitor_writes() -> None:
    """Wait until visitors' writes in the public demo have ended, and refuse new writes.

    Writes are refused until the end of the transaction.
    """
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_advisory_xact_lock({_LOCK_KEY_SQL})")


def _execute(query: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(query)
        [answer] = cursor.fetchone()
    return bool(answer)
