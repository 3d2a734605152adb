"""pytest plugin: what one test leaves never reaches the next, and what is slow by design is quick here.

pyproject.toml names it, so that it holds for the tests in every folder.
"""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from django.db.backends.base.creation import BaseDatabaseCreation

# What migrations wrote, and no test changes: to write it again would take longer than most tests.
_KEPT = {"django_migrations", "django_content_type", "auth_permission"}


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
    """Django's own slow parts: the real hash of a password takes half a second by design.

    Each test client starts the middleware again, and WhiteNoise would then look at every static file; it looks for
    those that are asked for instead, as with DEBUG. And the end of a test that commits empties the tables that hold
    something, not all fifty of them.
    """
    from django.conf import settings

    if settings.configured:
        from django.db.backends.postgresql.creation import DatabaseCreation
        from django.test import TransactionTestCase

        settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
        settings.WHITENOISE_AUTOREFRESH = True
        TransactionTestCase._fixture_teardown = lambda _test: empty_tables()  # type: ignore[attr-defined]
        DatabaseCreation._destroy_test_db = drop  # type: ignore[attr-defined]


def drop(creation: BaseDatabaseCreation, name: str, _verbosity: int) -> None:
    """Drop the tests' database with the sessions that are left: a browser's event loop has connections of its own."""
    with creation._nodb_cursor() as cursor:  # type: ignore[attr-defined]
        cursor.execute(f"DROP DATABASE {creation.connection.ops.quote_name(name)} WITH (FORCE)")


def empty_tables() -> None:
    """Empty each table that holds a row, but for what migrations wrote."""
    from django.db import connection

    with connection.cursor() as cursor:
        names = {*connection.introspection.django_table_names(only_existing=True)} - _KEPT
        cursor.execute(" UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT FROM {name})" for name in names))
        if full := [name for (name,) in cursor.fetchall()]:
            cursor.execute(f"TRUNCATE {', '.join(full)} CASCADE")
