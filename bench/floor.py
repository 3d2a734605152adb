"""`python -m bench.floor`: the least that a full run must cost on this machine, in plain psycopg on DATABASE_URL.

Reading: table, player and points of every seat by COPY, binary, in no order, the second time; what comes is counted,
not parsed. Writing: the rows that the last full run made, by COPY, already packed, into tables of the same definition
(LIKE … INCLUDING ALL: with all indexes and checks, without foreign keys), in one transaction with its commit, the
better of two. Beside it the same into tables without indexes.
"""

from __future__ import annotations

import os
import time
from typing import NamedTuple

import psycopg

READ = "COPY (SELECT table_id, player_id, points FROM league_seat) TO STDOUT (FORMAT BINARY)"
RESULTS = ("players_ratingstep", "players_rating", "players_met", "league_standing")
OUT = "COPY {table} TO STDOUT (FORMAT BINARY)"
LIKE = "CREATE TABLE floor_{table} (LIKE {table} INCLUDING ALL)"
BARE = "CREATE TABLE floor_{table} (LIKE {table})"
WRITE = "COPY floor_{table} FROM STDIN (FORMAT BINARY)"
PIECE = 1 << 16  # bytes written at once


class Floor(NamedTuple):
    """Seconds; `bare` is writing without indexes."""

    read: float
    write: float
    bare: float
    rows: int

    @property
    def seconds(self) -> float:
        """Read and written."""
        return self.read + self.write


def measure() -> Floor:
    """Time all of it, and leave nothing behind."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        _read(connection)
        read = _read(connection)
        results = {table: _rows(connection, table) for table in RESULTS}
        rows = sum(
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # type: ignore[index]
            for table in RESULTS
        )
        write, bare = (min(_write(connection, results, like) for _time in range(2)) for like in (LIKE, BARE))
        return Floor(read, write, bare, rows)


def _read(connection: psycopg.Connection) -> float:
    """Return seconds until the last byte is here."""
    start, size = time.perf_counter(), 0
    with connection.cursor().copy(READ) as copy:
        for piece in copy:
            size += len(piece)
    assert size
    return time.perf_counter() - start


def _rows(connection: psycopg.Connection, table: str) -> bytes:
    with connection.cursor().copy(OUT.format(table=table).encode()) as copy:
        return b"".join(bytes(piece) for piece in copy)


def _write(connection: psycopg.Connection, results: dict[str, bytes], like: str) -> float:
    """Return seconds to write the rows and commit; then the tables go."""
    for table in results:
        connection.execute(like.format(table=table).encode())
    start = time.perf_counter()
    with connection.transaction():
        for table, rows in results.items():
            with connection.cursor().copy(WRITE.format(table=table).encode()) as copy:
                for begin in range(0, len(rows), PIECE):
                    copy.write(rows[begin : begin + PIECE])
    seconds = time.perf_counter() - start
    for table in results:
        connection.execute(f"DROP TABLE floor_{table}".encode())
    return seconds


def statements() -> str:
    """Return what is sent, for the reader."""
    return "\n".join(
        ["  " + READ, *(f"  {each.format(table='TABLE')}" for each in (LIKE, WRITE)), "  TABLE: " + ", ".join(RESULTS)]
    )


def main() -> None:
    """Print it."""
    floor = measure()
    print(statements())
    print(
        f"read {floor.read:.2f} s, {floor.rows:,} rows written {floor.write:.2f} s, without indexes {floor.bare:.2f} s"
    )


if __name__ == "__main__":
    main()
