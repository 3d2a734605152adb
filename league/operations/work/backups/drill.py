"""The weekly trial of a backup: restored into a database of its own, counted, verified and dropped."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings

from league.operations.work.backups import store
from league.operations.work.backups.restoration import bring_up_to_date, look_at
from league.operations.work.backups.side_database import django_at, side_database
from league.operations.work.verification import verify

NAMED = 5  # differences


class DrillFailed(RuntimeError):
    """The backup is not worth having; the text is for the person at the keyboard."""


def try_newest() -> str:
    """Try the newest backup of BACKUP_FOLDER; without a folder a new one, as BACKUP_COMMAND would get it."""
    if settings.BACKUP_FOLDER:
        newest = store.newest(Path(settings.BACKUP_FOLDER))
        if newest is None:
            raise DrillFailed(f"There is no backup in {settings.BACKUP_FOLDER}.")
        return try_out(newest)
    with TemporaryDirectory(prefix="league-drill-") as folder:
        made = Path(folder) / "league.backup"
        store.write(made)
        return try_out(made)


def try_out(file: Path) -> str:
    """Restore a backup aside, and return its name. Raises DrillFailed and what a restore raises."""
    look_at(file)
    with side_database("drill") as side:
        side.fill(file)
        with django_at(side.name):
            bring_up_to_date()
            found = [str(difference) for difference in verify()]
    if found:
        more = [f"and {len(found) - NAMED} more"] if len(found) > NAMED else []
        first = f"{file.name}: numbers that do not follow from the facts:"
        raise DrillFailed("\n".join([first, *found[:NAMED], *more]))
    return file.name
