"""Whether the database is empty, is of a public demo, or has other data, which a reset of the demo would delete."""

from __future__ import annotations

from enum import Enum

from django.db import connection

from league.models import Club, DemoInstallation
from players.models import User


class DatabaseState(Enum):
    EMPTY = "empty"  # also if it is not migrated yet
    DEMO = "demo"
    FOREIGN = "foreign"  # it has clubs or accounts that no demo created


def database_state() -> DatabaseState:
    with connection.cursor() as cursor:
        tables = set(connection.introspection.table_names(cursor))
    if DemoInstallation._meta.db_table in tables and DemoInstallation.objects.exists():
        return DatabaseState.DEMO
    models = (Club, User)
    is_filled = any(model._meta.db_table in tables and model._default_manager.exists() for model in models)
    return DatabaseState.FOREIGN if is_filled else DatabaseState.EMPTY
