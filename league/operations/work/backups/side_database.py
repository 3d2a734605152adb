"""A temporary database beside the installation's own: filled from a backup, then dropped or put in its place."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import psycopg
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from psycopg import sql
from psycopg.errors import InsufficientPrivilege, ObjectInUse

from league.operations.work.backups import archive
from league.operations.work.backups.archive import Manifest
from league.operations.work.backups.dump import fetch_value, row_counts
from league.operations.work.backups.postgres_tools import AlreadyRunning, connect, direct_connection, run_tool

MAINTENANCE_DATABASES: Final = (
    "postgres",
    "template1",
)  # databases that every server has; a connection to them can rename the installation's database
REPLACED_SUFFIX: Final = "_replaced"  # suffix of the name of the replaced database
ADDRESS_KEYS: Final = ("HOST", "PORT", "USER", "PASSWORD", "NAME")  # keys of a database in Django's settings
MAX_ATTEMPTS: Final = 5  # to end all connections, since a web server connects again at once

ENCODING_AND_LOCALE = """
    SELECT pg_encoding_to_char(encoding), datcollate, datctype, datlocprovider,
        coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale')
    FROM pg_database d WHERE datname = %s
"""
LOCALE_PROVIDERS = {"c": "libc", "i": "icu", "b": "builtin"}
# Only connections of clients: ending an autovacuum worker needs more rights, and PostgreSQL ends it itself.
END_CLIENT_CONNECTIONS = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = %s AND backend_type = 'client backend'
"""


class SideDatabaseFailed(RuntimeError):
    """The temporary database cannot be created or filled, or cannot replace the installation's database.

    The message is for the admin.
    """


class SideDatabase(NamedTuple):
    """A temporary database. `maintenance` is a connection to another database of the same server."""

    name: str
    maintenance: psycopg.Connection

    def fill(self, file: Path) -> Manifest | None:
        """Restore a backup into the database. Return the manifest, or None for plain output of pg_dump.

        Raise SideDatabaseFailed if a table has not the number of rows that the manifest names.
        """
        with run_tool("pg_restore", "--no-owner", "--no-privileges", "--exit-on-error", database=self.name,
                  stdin=subprocess.PIPE) as process:  # fmt: skip
            manifest = archive.read_archive(file, settings.BACKUP_KEY, _ProgramInput(process).write)
        if manifest is not None:
            with connect(self.name) as database:
                _compare_row_counts(manifest.rows, row_counts(database))
        return manifest

    def replace_installation_database(self) -> None:
        installation_database = str(direct_connection().settings_dict["NAME"])
        connection.close()
        self._rename_databases(installation_database)
        drop_database(self.maintenance, installation_database + REPLACED_SUFFIX)

    def _rename_databases(self, installation_database: str) -> None:
        drop_database(self.maintenance, installation_database + REPLACED_SUFFIX)
        rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
        for tries_left in reversed(range(MAX_ATTEMPTS)):
            try:
                with self.maintenance.transaction():
                    self.maintenance.execute(END_CLIENT_CONNECTIONS, [installation_database])
                    self.maintenance.execute(END_CLIENT_CONNECTIONS, [self.name])
                    self.maintenance.execute(
                        rename.format(
                            sql.Identifier(installation_database),
                            sql.Identifier(installation_database + REPLACED_SUFFIX),
                        )
                    )
                    self.maintenance.execute(
                        rename.format(sql.Identifier(self.name), sql.Identifier(installation_database))
                    )
            except ObjectInUse:
                if not tries_left:
                    raise SideDatabaseFailed(
                        "Others connect to the database again and again: stop the web server and the workers first."
                    ) from None
            except InsufficientPrivilege as error:
                raise SideDatabaseFailed(f"The database can't be replaced: {error}") from None
            else:
                return


@contextmanager
def side_database(purpose: str) -> Iterator[SideDatabase]:
    """Create an empty temporary database on the installation's server, yield it, and drop it at the end.

    Its name is the name of the installation's database, followed by the `purpose`. A database that a killed process has
    left is dropped first. Raise SideDatabaseFailed, or AlreadyRunning if another process uses a database for this
    purpose.
    """
    installation_database = str(direct_connection().settings_dict["NAME"])
    name = f"{installation_database}_{purpose}"
    with _connect_for_maintenance(installation_database) as maintenance:
        if not fetch_value(maintenance, "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", name):
            raise AlreadyRunning(f"Another {purpose} is at work.")
        drop_database(maintenance, name)
        _create_database(maintenance, name, like=installation_database)
        try:
            yield SideDatabase(name, maintenance)
        finally:
            drop_database(maintenance, name)


@contextmanager
def connect_django_to(name: str) -> Iterator[None]:
    """In the block, connect Django's default connection to another database of the server, without a pooler."""
    before = {name: connection.settings_dict[name] for name in ADDRESS_KEYS}
    direct = direct_connection().settings_dict
    _set_django_address({name: direct[name] for name in ADDRESS_KEYS} | {"NAME": name})
    try:
        yield
    finally:
        _set_django_address(before)


def _set_django_address(address: dict[str, Any]) -> None:
    connection.close()
    connection.settings_dict.update(address)
    ContentType.objects.clear_cache()


def drop_database(maintenance: psycopg.Connection, name: str) -> None:
    """End all connections of clients to the database, and drop it if it exists."""
    for tries_left in reversed(range(MAX_ATTEMPTS)):
        maintenance.execute(END_CLIENT_CONNECTIONS, [name])
        try:
            maintenance.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))
        except ObjectInUse:
            if not tries_left:
                raise
        else:
            return


def _connect_for_maintenance(installation_database: str) -> psycopg.Connection:
    *alternatives, last = [name for name in MAINTENANCE_DATABASES if name != installation_database]
    for name in alternatives:
        try:
            return connect(name)
        except psycopg.OperationalError:
            continue
    return connect(last)


def _create_database(maintenance: psycopg.Connection, name: str, *, like: str) -> None:
    settings_row = maintenance.execute(ENCODING_AND_LOCALE.encode(), [like]).fetchone()
    if settings_row is None:
        raise SideDatabaseFailed(f"There is no database {like}: make it first, empty.")
    encoding, collate, ctype, provider, locale = settings_row
    clauses = [
        sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)),
        sql.SQL("ENCODING {}").format(sql.Literal(encoding)),
        sql.SQL("LC_COLLATE {} LC_CTYPE {}").format(sql.Literal(collate), sql.Literal(ctype)),
        sql.SQL("LOCALE_PROVIDER {}").format(sql.SQL(LOCALE_PROVIDERS[provider])),
    ]
    if provider != "c":
        clauses.append(sql.SQL("{}_LOCALE {}").format(sql.SQL(LOCALE_PROVIDERS[provider]), sql.Literal(locale)))
    try:
        maintenance.execute(sql.SQL(" ").join(clauses))
    except InsufficientPrivilege:
        raise SideDatabaseFailed(
            f"The database's role may not make databases: ALTER ROLE {maintenance.info.user} CREATEDB, "
            "as PostgreSQL's admin."
        ) from None


def _compare_row_counts(expected: dict[str, int], counts: dict[str, int]) -> None:
    for table in sorted({*expected, *counts}):
        if expected.get(table) != counts.get(table):
            raise SideDatabaseFailed(
                f"{table} has {counts.get(table, 'no')} rows after the restore, and had {expected.get(table, 'none')}."
            )


class _ProgramInput:
    """Writes to the standard input of a program. If the program has ended, data are discarded.

    The error of the program is raised by `run_tool`.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        self._pipe = process.stdin

    def write(self, data: bytes) -> None:
        with suppress(BrokenPipeError):
            self._pipe.write(data)
