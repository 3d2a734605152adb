"""pytest plugin: isolate tests from each other, and replace parts that are slow by design.

pyproject.toml loads it for the tests of every folder.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from django.db.backends.base.creation import BaseDatabaseCreation

# Written by migrations and changed by no test: writing these tables again would take longer than most tests.
_TABLES_OF_MIGRATIONS = {"django_migrations", "django_content_type", "auth_permission"}


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Write the name of an xdist group where pytest 9.2 reads it.

    xdist 3.8 appends it to `_nodeid`, which pytest no longer reads: every worker then builds the world of every group.
    """
    if getattr(config.option, "loadgroup", False):
        for item in items:
            group = item.get_closest_marker("xdist_group")
            if group and "@" not in item.nodeid.rpartition("]")[2]:
                item._id = type(item.id).parse(f"{item.nodeid}@{group.args[0]}")


def pytest_collection_finish() -> None:
    """Collect garbage seldom, and never among the imported modules: that took a twentieth of the processor time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    """Rate limits live in the cache and must not reach the next test."""
    from django.conf import settings

    if settings.configured:
        from django.core.cache import cache

        cache.clear()


@pytest.fixture(autouse=True, scope="session")
def _quick() -> None:
    """Replace slow parts of Django.

    The real hash of a password takes half a second by design. Each test client starts the middleware again, where
    WhiteNoise would read all static files; as with DEBUG it finds a file when it is requested. After a test that
    commits, only tables with rows are emptied, not all fifty, and without TRUNCATE.
    """
    from django.conf import settings

    if settings.configured:
        from django.db.backends.postgresql.creation import DatabaseCreation
        from django.test import TransactionTestCase

        from league.web.first_start import first_start

        first_start.has_seen_account = True  # else each visitor of an empty database is sent to the setup page
        settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
        settings.WHITENOISE_AUTOREFRESH = True
        TransactionTestCase._fixture_teardown = lambda _test: empty_tables()  # type: ignore[attr-defined]
        DatabaseCreation._destroy_test_db = drop  # type: ignore[attr-defined]


def drop(creation: BaseDatabaseCreation, name: str, _verbosity: int) -> None:
    """Drop the test database although sessions remain: a browser's event loop has its own connections."""
    with creation._nodb_cursor() as cursor:  # type: ignore[attr-defined]
        cursor.execute(f"DROP DATABASE {creation.connection.ops.quote_name(name)} WITH (FORCE)")


def empty_tables() -> None:
    """Empty each table that has rows, except the tables that migrations fill.

    A page that a browser left may still read tables: PostgreSQL may then end this statement for the deadlock.
    """
    from django.db import OperationalError
    from psycopg.errors import DeadlockDetected

    while True:
        try:
            return _empty_filled_tables()
        except OperationalError as error:
            if not isinstance(error.__cause__, DeadlockDetected):
                raise


def _empty_filled_tables() -> None:
    """Delete the rows without triggers and without checks of references, which only a superuser of PostgreSQL may.

    TRUNCATE takes ten times as long (a tenth of a second): it makes new files for each table that refers to one of
    these, and for each of their indexes.
    """
    from django.db import connection, transaction

    with transaction.atomic(), connection.cursor() as cursor:
        table_names = {*connection.introspection.django_table_names(only_existing=True)} - _TABLES_OF_MIGRATIONS
        cursor.execute(" UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT FROM {name})" for name in table_names))
        filled_tables = [name for (name,) in cursor.fetchall()]
        cursor.execute("SELECT current_setting('is_superuser') = 'on'")
        [is_superuser] = cursor.fetchone()
        if filled_tables and is_superuser:
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute("; ".join(f"DELETE FROM {name}" for name in filled_tables))
        elif filled_tables:
            cursor.execute(f"TRUNCATE {', '.join(filled_tables)} CASCADE")
