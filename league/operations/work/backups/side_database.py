"""A database beside the project's own: made empty, filled from a backup, looked at, and dropped or put in its place."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NamedTuple

import psycopg
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from psycopg import sql
from psycopg.errors import InsufficientPrivilege, ObjectInUse

from league.operations.work.backups import archive
from league.operations.work.backups.archive import Manifest
from league.operations.work.backups.dump import row_counts, value
from league.operations.work.backups.postgres_tools import Busy, connected, tool

MAINTENANCE: Final = ("postgres", "template1")  # databases that every server has, to say from what becomes of ours
REPLACED: Final = "_replaced"
TRIES: Final = 5  # a web server connects again as soon as its connections end

LIKE_OURS = """
    SELECT pg_encoding_to_char(encoding), datcollate, datctype, datlocprovider,
        coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale')
    FROM pg_database d WHERE datname = %s
"""
PROVIDERS = {"c": "libc", "i": "icu", "b": "builtin"}
# An autovacuum worker is the superuser's, whom we may not end; PostgreSQL ends it by itself for a rename or a drop.
END_OTHERS = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = %s AND backend_type = 'client backend'
"""


class SideDatabaseFailed(RuntimeError):
    """It can't be made, filled or put in place; the text is for the person at the keyboard."""


class SideDatabase(NamedTuple):
    """One that is there until the end of its block, and the connection from which it is ruled."""

    name: str
    held: psycopg.Connection

    def fill(self, file: Path) -> Manifest | None:
        """Restore a backup into it, and see that each table has as many rows as there were. Returns the manifest."""
        with tool("pg_restore", "--no-owner", "--no-privileges", "--exit-on-error", database=self.name,
                  stdin=subprocess.PIPE) as process:  # fmt: skip
            found = archive.read(file, settings.BACKUP_KEY, _Input(process).write)
        if found is not None:
            with connected(self.name) as looking:
                _compare(found.rows, row_counts(looking))
        return found

    def replace_ours(self) -> None:
        """Put it in the place of the project's database, whose connections end, and drop that one."""
        ours = str(connection.settings_dict["NAME"])
        connection.close()
        self._swap(ours)
        drop(self.held, ours + REPLACED)

    def _swap(self, ours: str) -> None:
        drop(self.held, ours + REPLACED)
        rename = sql.SQL("ALTER DATABASE {} RENAME TO {}")
        for left in reversed(range(TRIES)):
            try:
                with self.held.transaction():
                    self.held.execute(END_OTHERS, [ours])
                    self.held.execute(END_OTHERS, [self.name])
                    self.held.execute(rename.format(sql.Identifier(ours), sql.Identifier(ours + REPLACED)))
                    self.held.execute(rename.format(sql.Identifier(self.name), sql.Identifier(ours)))
            except ObjectInUse:
                if not left:
                    raise SideDatabaseFailed(
                        "Others connect to the database again and again: stop the web server and the workers first."
                    ) from None
            except InsufficientPrivilege as error:
                raise SideDatabaseFailed(f"The database can't be replaced: {error}") from None
            else:
                return


@contextmanager
def side_database(purpose: str) -> Iterator[SideDatabase]:
    """Make an empty database beside the project's, and drop it at the end. Raises SideDatabaseFailed, or Busy.

    What a killed one of the same purpose has left is dropped first; two of a purpose at a time there are not.
    """
    ours = str(connection.settings_dict["NAME"])
    name = f"{ours}_{purpose}"
    with _maintenance(ours) as held:
        if not value(held, "SELECT pg_try_advisory_lock(hashtextextended(%s, 0))", name):
            raise Busy(f"Another {purpose} is at work.")
        drop(held, name)
        _create(held, name, like=ours)
        try:
            yield SideDatabase(name, held)
        finally:
            drop(held, name)


@contextmanager
def django_at(name: str) -> Iterator[None]:
    """Have Django's connection lead to another database of the server until the end of the block."""
    before = connection.settings_dict["NAME"]
    _lead_to(name)
    try:
        yield
    finally:
        _lead_to(before)


def _lead_to(name: str) -> None:
    connection.close()
    connection.settings_dict["NAME"] = name
    ContentType.objects.clear_cache()


def drop(held: psycopg.Connection, name: str) -> None:
    """Drop a database, if there is one of this name, whoever is connected to it. Not by FORCE: see END_OTHERS."""
    for left in reversed(range(TRIES)):
        held.execute(END_OTHERS, [name])
        try:
            held.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))
        except ObjectInUse:
            if not left:
                raise
        else:
            return


def _maintenance(ours: str) -> psycopg.Connection:
    """Return a connection to a database that is not the project's."""
    *others, last = [name for name in MAINTENANCE if name != ours]
    for name in others:
        try:
            return connected(name)
        except psycopg.OperationalError:
            continue
    return connected(last)


def _create(held: psycopg.Connection, name: str, *, like: str) -> None:
    """Create an empty database that sorts and compares as the other does."""
    found = held.execute(LIKE_OURS.encode(), [like]).fetchone()
    if found is None:
        raise SideDatabaseFailed(f"There is no database {like}: make it first, empty.")
    encoding, collate, ctype, provider, locale = found
    words = [
        sql.SQL("CREATE DATABASE {} TEMPLATE template0").format(sql.Identifier(name)),
        sql.SQL("ENCODING {}").format(sql.Literal(encoding)),
        sql.SQL("LC_COLLATE {} LC_CTYPE {}").format(sql.Literal(collate), sql.Literal(ctype)),
        sql.SQL("LOCALE_PROVIDER {}").format(sql.SQL(PROVIDERS[provider])),
    ]
    if provider != "c":
        words.append(sql.SQL("{}_LOCALE {}").format(sql.SQL(PROVIDERS[provider]), sql.Literal(locale)))
    try:
        held.execute(sql.SQL(" ").join(words))
    except InsufficientPrivilege:
        raise SideDatabaseFailed(
            f"The database's role may not make databases: ALTER ROLE {held.info.user} CREATEDB, as PostgreSQL's admin."
        ) from None


def _compare(said: dict[str, int], found: dict[str, int]) -> None:
    for table in sorted({*said, *found}):
        if said.get(table) != found.get(table):
            raise SideDatabaseFailed(
                f"{table} has {found.get(table, 'no')} rows after the restore, and had {said.get(table, 'none')}."
            )


class _Input:
    """What a program reads; where it has ended nobody reads on, and its own words say why."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        self._pipe = process.stdin

    def write(self, data: bytes) -> None:
        with suppress(BrokenPipeError):
            self._pipe.write(data)
