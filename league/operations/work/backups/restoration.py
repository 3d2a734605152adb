"""The way back: a backup is restored beside the database, brought up to date, verified, and put in its place."""

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

from league.actions import endings
from league.actions.endings import ListedEnding
from league.actions.unnamed_people import delete_rows
from league.cache import ForgivingCache
from league.models import Ending
from league.operations.work.backups import archive
from league.operations.work.backups.ended_list import last_words, what_ended
from league.operations.work.backups.postgres_tools import ToolFailed, connected, tool
from league.operations.work.backups.side_database import django_at, side_database
from league.operations.work.verification import verify
from players.derived_rows import Difference

DUMPED_FROM: Final = re.compile(r"Dumped from database version: (\d+)")


class NewerBackup(ValueError):
    """A newer PostgreSQL, or a newer version of this program, has made the backup."""


class DifferencesFound(ValueError):
    """Stored numbers of the backup don't follow from its facts."""

    def __init__(self, found: list[Difference]) -> None:
        super().__init__(f"{len(found)} stored numbers of the backup do not follow from the facts.")
        self.found = found


class Restored(NamedTuple):
    """How a restore went: what doesn't follow from the facts, where that is accepted; and what ended again."""

    differences: list[Difference]
    ended: list[ListedEnding]
    lists: list[str]  # where it stood what ended
    strange: list[str]  # those of other installations: nothing ended by them
    unproven: list[str]  # those that no key of ours signed or encrypted: nothing ended by them either
    forgotten: bool  # the cache of the database before, where sessions may be


def restore(file: Path, *, accept_differences: bool = False) -> Restored:
    """Replace the project's database by a backup, and end again what ended since.

    Until the last step, which is one transaction, everything happens in a database beside it.
    """
    look_at(file)
    since, unproven = what_ended(file)
    with side_database("restore") as side:
        side.fill(file)
        with django_at(side.name):
            knows_origin = bring_up_to_date()
            ours = {name: each for name, each in since.items() if not knows_origin or endings.is_ours(each)}
            ended = endings.end_again(last_words(ours.values()))
            found = list(verify())
        if found and not accept_differences:
            raise DifferencesFound(found)
        side.replace_ours()
    cache = caches[DEFAULT_CACHE_ALIAS]
    assert isinstance(cache, ForgivingCache)
    return Restored(found, ended, list(ours), sorted(since.keys() - ours.keys()), unproven, cache.forget_all())


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


def bring_up_to_date() -> bool:
    """Migrate the restored database, to which Django's connection leads, and end its sessions.

    Returns whether it said by itself of which installation it is: before it kept a list of what ended it didn't. Raises
    NewerBackup where it has migrations that this program doesn't know.
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
    knows_origin = Ending._meta.db_table in connection.introspection.table_names()
    call_command("migrate", interactive=False, verbosity=0)
    for kind in (Session, UserSession):  # a session that was ended since would go on
        delete_rows(kind._default_manager.all())
    return knows_origin


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
