from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction


@contextmanager
def consistent_snapshot() -> Iterator[None]:
    """Run the block in a transaction whose queries all see the same state of the database (a snapshot).

    In an outer transaction, the isolation level of that transaction applies.
    """
    is_nested = connection.in_atomic_block  # the isolation level of a transaction that has begun cannot change
    with transaction.atomic(), connection.cursor() as cursor:
        if not is_nested:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield
