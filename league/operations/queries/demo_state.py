"""A query whether the database is empty, belongs to a demo, or has other data: a reset would delete these."""

from __future__ import annotations

from enum import Enum

from django.db import connection

from league.models import Club, DemoInstallation
from players.models import User


class DatabaseState(Enum):
    EMPTY = "empty"  # or not migrated yet
    DEMO = "demo"
    FOREIGN = "foreign"  # clubs or accounts that no demo created


def database_state() -> DatabaseState:
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
    if DemoInstallation._meta.db_table in tables and DemoInstallation.objects.exists():
        return DatabaseState.DEMO
    models = (Club, User)
    is_filled = any(model._meta.db_table in tables and model._default_manager.exists() for model in models)
    return DatabaseState.FOREIGN if is_filled else DatabaseState.EMPTY
