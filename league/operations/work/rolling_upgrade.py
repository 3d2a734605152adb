"""Whether a release can be started here while the services of other machines run.

This is possible if each new migration has the attribute `rolling = True` in its class: the previous release works on
the migrated database. Older migrations and migrations of other packages do not have the attribute.
"""

from __future__ import annotations

from socket import gethostname
from typing import Final

from celery import current_app
from django.db import connection
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor

ANSWER_TIMEOUT: Final = 3.0  # seconds for the answers of all workers; a worker answers at once, also during a task


def other_machines() -> list[str]:
    """Return the host names of other machines whose workers answer. Raise kombu's OperationalError without a broker."""
    replies = current_app.control.ping(timeout=ANSWER_TIMEOUT) or []
    hosts = {worker.partition("@")[2] for reply in replies for worker in reply}
    return sorted(hosts - {gethostname()})


def pending_migrations() -> list[Migration]:
    executor = MigrationExecutor(connection)
    return [migration for migration, _backwards in executor.migration_plan(executor.loader.graph.leaf_nodes())]


def is_rolling(migration: Migration) -> bool:
    return bool(getattr(migration, "rolling", False))
