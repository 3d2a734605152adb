"""Many queries that see one instant."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all that is read inside be of one moment: whoever writes meanwhile is not waited for."""
    within = connection.in_atomic_block  # a transaction that has begun stays as it is
    with transaction.atomic(), connection.cursor() as cursor:
        if not within:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield
