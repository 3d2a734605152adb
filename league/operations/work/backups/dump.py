"""The content of a backup: the output of pg_dump, and the number of rows of each table in the same snapshot."""

from __future__ import annotations

import subprocess
from collections.abc import Generator
from typing import Any, Final

import psycopg
from psycopg import sql

from league.operations.work.backups.archive import CHUNK_SIZE, Manifest
from league.operations.work.backups.postgres_tools import AlreadyRunning, connect, run_tool

BACKUP_LOCK_ID: Final = 0x6C656167_62616B70  # id of the advisory lock of a running backup
TABLES_QUERY = """
    SELECT schemaname, tablename FROM pg_tables
    WHERE schemaname <> 'information_schema' AND schemaname NOT LIKE 'pg\\_%' ORDER BY 1, 2
"""


def backup_contents() -> Generator[bytes]:
    """Yield the manifest's line, then the output of pg_dump. Raise AlreadyRunning if another process makes a backup."""
    with connect() as database:
        database.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        if not fetch_value(database, "SELECT pg_try_advisory_xact_lock(%s)", BACKUP_LOCK_ID):
            raise AlreadyRunning("Another backup is being made.")
        snapshot = fetch_value(database, "SELECT pg_export_snapshot()")
        yield make_manifest(database).line()
        with run_tool(
            "pg_dump", "--format=custom", "--compress=0", f"--snapshot={snapshot}", stdout=subprocess.PIPE
        ) as process:
            assert process.stdout
            while chunk := process.stdout.read(CHUNK_SIZE):
                yield chunk


def make_manifest(database: psycopg.Connection) -> Manifest:
    return Manifest(
        fetch_value(database, "SELECT now()").isoformat(), database.info.server_version, row_counts(database)
    )


def row_counts(database: psycopg.Connection) -> dict[str, int]:
    count = sql.SQL("SELECT count(*) FROM {}")
    return {
        f"{schema}.{table}": fetch_value(database, count.format(sql.Identifier(schema, table)))
        for schema, table in database.execute(TABLES_QUERY).fetchall()
    }


def fetch_value(database: psycopg.Connection, query: str | sql.Composed, *params: object) -> Any:
    row = database.execute(query if isinstance(query, sql.Composed) else query.encode(), params).fetchone()
    return row[0] if row else None
