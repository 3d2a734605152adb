"""Restore of a backup: a temporary database is migrated and verified, and then replaces the installation's own."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Final, NamedTuple

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.cache import DEFAULT_CACHE_ALIAS, caches
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from league.actions import revocations
from league.actions.revocations import RevocationRow
from league.actions.unreferenced_people import delete_rows
from league.cache import FaultTolerantCache
from league.models import Revocation
from league.operations.queries.first_release import is_before_first_release, is_replaced
from league.operations.work.backups import archive
from league.operations.work.backups.postgres_tools import ToolFailed, connect, run_tool
from league.operations.work.backups.revocation_list import newest_revocations, read_revocation_lists
from league.operations.work.backups.side_database import connect_django_to, side_database
from league.operations.work.verification import verify
from players.derived_rows import Difference

SERVER_VERSION_PATTERN: Final = re.compile(r"Dumped from database version: (\d+)")


class NewerBackup(ValueError):
    """A newer PostgreSQL, or a newer version of this program, has made the backup."""


class OlderBackup(ValueError):
    """A build before release 1.0.0 has made the backup."""


class DifferencesFound(ValueError):
    def __init__(self, differences: list[Difference]) -> None:
        super().__init__(f"{len(differences)} stored numbers of the backup do not follow from the facts.")
        self.differences = differences


class RestoreResult(NamedTuple):
    differences: list[Difference]
    revocations: list[RevocationRow]
    lists: list[str]  # files (or "the database") whose revocations were applied
    foreign_lists: list[str]  # files of other installations, which were ignored
    unproven_lists: list[str]  # files without a valid signature or encryption, which were ignored
    cache_is_cleared: bool  # if False, the cache may have sessions of the replaced database


def restore_backup(file: Path, *, accept_differences: bool = False) -> RestoreResult:
    """Replace the installation's database by a backup, and apply revocations that are newer than the backup.

    All steps except the last change only a temporary database; the last step is one transaction. Raise
    DifferencesFound, unless `accept_differences`, if stored numbers of the backup are wrong.
    """
    check_readable(file)
    lists, unproven = read_revocation_lists(file)
    with side_database("restore") as side:
        side.fill(file)
        with connect_django_to(side.name):
            has_origin = migrate_and_end_sessions()
            own_lists = {
                path: rows
                for path, rows in lists.items()
                if not has_origin or revocations.is_from_this_installation(rows)
            }
            applied = revocations.reapply_revocations(newest_revocations(own_lists.values()))
            differences = list(verify())
        if differences and not accept_differences:
            raise DifferencesFound(differences)
        side.replace_installation_database()
    cache = caches[DEFAULT_CACHE_ALIAS]
    assert isinstance(cache, FaultTolerantCache)
    foreign = sorted(lists.keys() - own_lists.keys())
    return RestoreResult(differences, applied, list(own_lists), foreign, unproven, cache.delete_all_keys())


def check_readable(file: Path) -> None:
    """Raise UnreadableArchive or NewerBackup if this PostgreSQL server cannot restore the backup."""
    manifest = archive.read_archive(file, settings.BACKUP_KEY, len)
    backup_version = manifest.postgres // 10000 if manifest else _dump_server_version(file)
    with connect() as server:
        server_version = server.info.server_version // 10000
    if backup_version > server_version:
        raise NewerBackup(
            f"{file.name} was made from PostgreSQL {backup_version}, and this server is PostgreSQL {server_version}: "
            f"an older server can't take it. Nothing was changed. Install PostgreSQL {backup_version} or newer, or "
            "move by export and import."
        )


def migrate_and_end_sessions() -> bool:
    """Migrate the restored database and delete its sessions. Django must be connected to this database.

    Return whether the database had a revocation list, which identifies the installation. Raise NewerBackup if it has
    unknown migrations, OlderBackup if it is of a build before release 1.0.0.
    """
    if is_before_first_release():
        raise OlderBackup(
            "A build before 1.0.0 made this backup. Nothing was changed. Restore it by release 1.0.0, and then upgrade."
        )
    loader = MigrationLoader(connection, ignore_no_migrations=True)
    known_migrations, installed = set(loader.disk_migrations), {app for app, _name in loader.disk_migrations}
    applied = sorted(loader.applied_migrations)
    unknown = [
        f"{app}.{name}"
        for app, name in applied
        if app in installed and (app, name) not in known_migrations and not is_replaced(app, name)
    ]
    if unknown:
        raise NewerBackup(
            f"A newer version of the league manager made this backup ({unknown[0]} is not known here): upgrade "
            "first. Nothing was changed."
        )
    has_origin = Revocation._meta.db_table in connection.introspection.table_names()
    call_command("migrate", interactive=False, verbosity=0)
    for model in (Session, UserSession):  # a user may have ended a session after the backup
        delete_rows(model._default_manager.all())
    return has_origin


def _dump_server_version(file: Path) -> int:
    """Return the major version of the PostgreSQL server of the dump; 0 if unknown."""
    try:
        with run_tool("pg_restore", "--list", str(file), stdout=subprocess.PIPE) as process:
            assert process.stdout
            listing = process.stdout.read().decode(errors="replace")
    except ToolFailed as error:
        if "unsupported version" in str(error):
            raise NewerBackup(
                f"{file.name} was written by a newer pg_dump than the pg_restore of this machine ({error}). "
                "Nothing was changed. Install PostgreSQL's newer client programs."
            ) from None
        raise
    version = SERVER_VERSION_PATTERN.search(listing)
    return int(version[1]) if version else 0
