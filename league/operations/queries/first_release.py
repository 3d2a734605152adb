"""Whether a database is of a build before release 1.0.0. The migration files of such builds no longer exist.

Release 1.0.0 had these files, and for each app a squashed migration that replaces them. Each database of that release,
also a new one, has recorded both as applied.
"""

from __future__ import annotations

from typing import Final

from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

FIRST_MIGRATIONS: Final = {
    "league": "0001_squashed_0076_copies_of_backups",
    "players": "0001_squashed_0009_first_meeting",
}
LAST_REPLACED_NUMBERS: Final = {"league": "0076", "players": "0009"}  # numbers of the last files that they replaced


def is_before_first_release() -> bool:
    """Return whether the database has applied migrations of an app in FIRST_MIGRATIONS, but not the app's first one."""
    applied = MigrationRecorder(connection).applied_migrations()
    return any(app in FIRST_MIGRATIONS and (app, FIRST_MIGRATIONS[app]) not in applied for app, _name in applied)


def is_replaced(app: str, name: str) -> bool:
    """Return whether a migration without a file was replaced by the squashed migrations of release 1.0.0."""
    return app in LAST_REPLACED_NUMBERS and name[:4] <= LAST_REPLACED_NUMBERS[app]
