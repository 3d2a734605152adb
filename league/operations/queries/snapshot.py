from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def consistent_snapshot() -> Iterator[None]:
    """Let all queries of the block see the database as at one moment, without waiting for writers."""
    is_nested = connection.in_atomic_block  # its isolation level cannot change
    with transaction.atomic(), connection.cursor() as cursor:
        if not is_nested:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield
