"""The weekly restore drill: a backup is restored into a temporary database, which is verified and then dropped."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings

from league.operations.work.backups import store
from league.operations.work.backups.restoration import check_readable, migrate_and_end_sessions
from league.operations.work.backups.side_database import connect_django_to, side_database
from league.operations.work.verification import verify

DETAIL_LIMIT = 5  # differences in the message


class DrillFailed(RuntimeError):
    """There is no backup, or it is unusable. The message is for the admin."""


def drill_newest_backup() -> str:
    """Test the newest backup and return its name. Without BACKUP_FOLDER, make a backup for the test."""
    if settings.BACKUP_FOLDER:
        newest = store.newest_backup(Path(settings.BACKUP_FOLDER))
        if newest is None:
            raise DrillFailed(f"There is no backup in {settings.BACKUP_FOLDER}.")
        return drill_backup(newest)
    with TemporaryDirectory(prefix="league-drill-") as folder:
        backup = Path(folder) / "league.backup"
        store.write_backup(backup)
        return drill_backup(backup)


def drill_backup(file: Path) -> str:
    """Restore a backup into a temporary database, and verify it. Return the name of the backup.

    Raise DrillFailed if stored numbers are wrong, or an exception of the restore.
    """
    check_readable(file)
    with side_database("drill") as side:
        side.fill(file)
        with connect_django_to(side.name):
            migrate_and_end_sessions()
            differences = [str(difference) for difference in verify()]
    if differences:
        rest = [f"and {len(differences) - DETAIL_LIMIT} more"] if len(differences) > DETAIL_LIMIT else []
        first = f"{file.name}: numbers that do not follow from the facts:"
        raise DrillFailed("\n".join([first, *differences[:DETAIL_LIMIT], *rest]))
    return file.name
