"""pytest plugin: every id of the test database is above a million, so that one with separators breaks its address."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connections
from django.db.models.signals import post_migrate

BEFORE_THE_FIRST = 1_000_000
RAISE = """
    SELECT setval(format('%%I.%%I', schemaname, sequencename)::regclass, %s)
    FROM pg_sequences WHERE schemaname = 'public' AND coalesce(last_value, 0) < %s
"""


@pytest.fixture(scope="session", autouse=True)
def ids_are_large() -> Iterator[None]:
    """Raise the sequences when the database is made; emptying it leaves them where they are."""

    def raise_sequences(using: str, **_kwargs: object) -> None:
        with connections[using].cursor() as cursor:
            cursor.execute(RAISE, [BEFORE_THE_FIRST, BEFORE_THE_FIRST])

    post_migrate.connect(raise_sequences, weak=False, dispatch_uid="tests.large_ids")
    yield
    post_migrate.disconnect(dispatch_uid="tests.large_ids")
