"""What goes into a backup: the database as it is at one moment, and how many rows that were."""

from __future__ import annotations

import subprocess
from collections.abc import Generator
from typing import Any, Final

import psycopg
from psycopg import sql

from league.operations.work.backups.archive import CHUNK, Manifest
from league.operations.work.backups.postgres_tools import Busy, connected, tool

CLAIM: Final = 0x6C656167_62616B70  # of the advisory lock that one backup holds at a time
TABLES = """
    SELECT schemaname, tablename FROM pg_tables
    WHERE schemaname <> 'information_schema' AND schemaname NOT LIKE 'pg\\_%' ORDER BY 1, 2
"""


def contents() -> Generator[bytes]:
    """Return the manifest's line and then pg_dump's output, both of one snapshot. Raises Busy, ToolFailed."""
    with connected() as held:
        held.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        if not value(held, "SELECT pg_try_advisory_xact_lock(%s)", CLAIM):
            raise Busy("Another backup is being made.")
        snapshot = value(held, "SELECT pg_export_snapshot()")
        yield manifest(held).line()
        with tool("pg_dump", "--format=custom", "--compress=0", f"--snapshot={snapshot}", stdout=subprocess.PIPE) as it:
            assert it.stdout
            while chunk := it.stdout.read(CHUNK):
                yield chunk


def manifest(held: psycopg.Connection) -> Manifest:
    """Return what the database has at this connection's snapshot."""
    return Manifest(value(held, "SELECT now()").isoformat(), held.info.server_version, row_counts(held))


def row_counts(held: psycopg.Connection) -> dict[str, int]:
    """Return how many rows each table has, by its name."""
    count = sql.SQL("SELECT count(*) FROM {}")
    return {
        f"{schema}.{table}": value(held, count.format(sql.Identifier(schema, table)))
        for schema, table in held.execute(TABLES).fetchall()
    }


def value(held: psycopg.Connection, query: str | sql.Composed, *params: object) -> Any:
    """Return the one value that a query answers."""
    row = held.execute(query if isinstance(query, sql.Composed) else query.encode(), params).fetchone()
    return row[0] if row else None
