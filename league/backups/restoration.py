"""The way back: a backup is restored beside the database, brought up to date, verified, and put in its place."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.migrations.loader import MigrationLoader

from league.backups import archive
from league.backups.postgres_tools import ToolFailed, connected, tool
from league.backups.side_database import django_at, side_database
from league.night.verification import verify
from players.derived_rows import Difference

DUMPED_FROM: Final = re.compile(r"Dumped from database version: (\d+)")


class NewerBackup(ValueError):
    """A newer PostgreSQL, or a newer version of this program, has made the backup."""


class DifferencesFound(ValueError):
    """Stored numbers of the backup don't follow from its facts."""

    def __init__(self, found: list[Difference]) -> None:
        super().__init__(f"{len(found)} stored numbers of the backup do not follow from the facts.")
        self.found = found


def restore(file: Path, *, accept_differences: bool = False) -> list[Difference]:
    """Replace the project's database by a backup, and return what doesn't follow from the facts where that is accepted.

    Until the last step, which is one transaction, everything happens in a database beside it.
    """
    look_at(file)
    with side_database("restore") as side:
        side.fill(file)
        with django_at(side.name):
            bring_up_to_date()
            found = list(verify())
        if found and not accept_differences:
            raise DifferencesFound(found)
        side.replace_ours()
    cache.clear()
    return found


def look_at(file: Path) -> None:
    """Read a whole backup, and see that this server can take it; touches nothing.

    Raises UnreadableArchive or NewerBackup.
    """
    manifest = archive.read(file, settings.BACKUP_KEY, len)
    theirs = manifest.postgres // 10000 if manifest else _dumped_from(file)
    with connected() as held:
        ours = held.info.server_version // 10000
    if theirs > ours:
        raise NewerBackup(
            f"{file.name} was made from PostgreSQL {theirs}, and this server is PostgreSQL {ours}: an older "
            f"server can't take it. Nothing was changed. Install PostgreSQL {theirs} or newer, or move by "
            "export and import."
        )


def bring_up_to_date() -> None:
    """Migrate the restored database, to which Django's connection leads, and end what must not come back.

    Raises NewerBackup where it has migrations that this program doesn't know.
    """
    loader = MigrationLoader(connection, ignore_no_migrations=True)
    known, installed = set(loader.disk_migrations), {app for app, _name in loader.disk_migrations}
    applied = sorted(loader.applied_migrations)
    unknown = [f"{app}.{name}" for app, name in applied if app in installed and (app, name) not in known]
    if unknown:
        raise NewerBackup(
            f"A newer version of the league manager made this backup ({unknown[0]} is not known here): upgrade "
            "first. Nothing was changed."
        )
    call_command("migrate", interactive=False, verbosity=0)
    for kind in (Session, UserSession):  # a session that was ended since would go on
        kind._default_manager.all()._raw_delete(DEFAULT_DB_ALIAS)


def _dumped_from(file: Path) -> int:
    """Return the major version of the PostgreSQL from which a bare dump was made."""
    try:
        with tool("pg_restore", "--list", str(file), stdout=subprocess.PIPE) as process:
            assert process.stdout
            said = process.stdout.read().decode(errors="replace")
    except ToolFailed as error:
        if "unsupported version" in str(error):
            raise NewerBackup(
                f"{file.name} was written by a newer pg_dump than the pg_restore of this machine ({error}). "
                "Nothing was changed. Install PostgreSQL's newer client programs."
            ) from None
        raise
    found = DUMPED_FROM.search(said)
    return int(found[1]) if found else 0
