"""`python -m bench.floor`: measure the minimum cost of a full recompute on this machine, in psycopg on DATABASE_URL.

Reading: table, player and points of every seat by binary COPY, unordered, the second of two times; bytes are counted
and not parsed. Writing: the rows that the last full recompute wrote, by COPY of packed rows, in one transaction with
its commit, the better of two times. The tables have the definitions of 2026-11-22, with all indexes and checks but
without foreign keys. For comparison, the same into tables without indexes. The definitions are fixed, so that a later,
leaner schema does not lower this minimum.
"""

from __future__ import annotations

import os
from typing import NamedTuple

import psycopg

from bench.cpu import Meter, Spent

READ = "COPY (SELECT table_id, player_id, points FROM league_seat) TO STDOUT (FORMAT BINARY)"
OUT = "COPY ({rows}) TO STDOUT (FORMAT BINARY)"
WRITE = "COPY {table} FROM STDIN (FORMAT BINARY)"
PIECE = 1 << 16  # bytes per write


class Result(NamedTuple):
    """A table of results with its earlier definition: columns, indexes, and a query for today's rows in these
    columns.
    """

    columns: str
    indexes: tuple[str, ...]
    rows: str


RESULTS = {
    "floor_ratingstep": Result(
        """id bigint PRIMARY KEY, date date NOT NULL, micro bigint NOT NULL, weight bigint NOT NULL,
        tables integer NOT NULL CHECK (tables >= 0), dates integer NOT NULL CHECK (dates >= 0),
        opponents integer NOT NULL CHECK (opponents >= 0), player_id bigint NOT NULL, game varchar(40) NOT NULL""",
        ("UNIQUE INDEX ON {table} (player_id, game, date)", "INDEX ON {table} (game, date)"),
        """SELECT row_number() OVER (), date, micro, weight::bigint, tables, dates::integer, opponents::integer,
        player_id, game FROM players_ratingstep""",
    ),
    "floor_rating": Result(
        """id bigint PRIMARY KEY, game varchar(40) NOT NULL, micro bigint NOT NULL, weight bigint NOT NULL,
        tables integer NOT NULL CHECK (tables >= 0), dates integer NOT NULL CHECK (dates >= 0),
        opponents integer NOT NULL CHECK (opponents >= 0), provisional boolean NOT NULL, last_date date NOT NULL,
        player_id bigint NOT NULL""",
        ("INDEX ON {table} (game, micro DESC)", "UNIQUE INDEX ON {table} (player_id, game)"),
        """SELECT row_number() OVER (), game, micro, weight, tables, dates, opponents, provisional, last_date, player_id
        FROM players_rating""",
    ),
    "floor_met": Result(
        """id bigint PRIMARY KEY, game varchar(40) NOT NULL, date date NOT NULL, first_id bigint NOT NULL,
        second_id bigint NOT NULL, CHECK (first_id < second_id)""",
        ("UNIQUE INDEX ON {table} (game, first_id, second_id)",),
        "SELECT row_number() OVER (), game, date, first_id, second_id FROM players_met",
    ),
    "floor_standing": Result(
        """id bigint PRIMARY KEY, rank integer CHECK (rank >= 0), points bigint NOT NULL,
        evenings integer NOT NULL CHECK (evenings >= 0), deals integer NOT NULL CHECK (deals >= 0),
        counted jsonb NOT NULL, tie_break varchar(20) NOT NULL, rank_before integer CHECK (rank_before >= 0),
        player_id bigint NOT NULL, season_id bigint NOT NULL, arithmetic smallint NOT NULL CHECK (arithmetic >= 0)""",
        (
            "UNIQUE INDEX ON {table} (season_id, player_id)",
            "INDEX ON {table} (player_id)",
            "INDEX ON {table} (season_id)",
            "INDEX ON {table} (arithmetic)",
        ),
        """SELECT row_number() OVER (), rank, round(numerator / denominator)::bigint, evenings, deals, counted,
        tie_break, rank_before, player_id, season_id, arithmetic FROM league_standing""",
    ),
}


class MinimumCost(NamedTuple):
    """The minimum cost, in seconds.

    `bare` is the time to write without indexes. `cpu` is the CPU time of both processes.
    """

    read: float
    write: float
    bare: float
    rows: int
    cpu: float

    @property
    def seconds(self) -> float:
        """Return the time of reading and writing."""
        return self.read + self.write


def measure() -> MinimumCost:
    """Measure the minimum cost. All tables that it creates are dropped."""
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        _read(connection)
        read = _read(connection)
        packed = {table: _rows(connection, result) for table, result in RESULTS.items()}
        rows = sum(
            connection.execute(f"SELECT count(*) FROM ({result.rows}) found".encode()).fetchone()[0]  # type: ignore[index]
            for result in RESULTS.values()
        )
        write, bare = (
            min(_write(connection, packed, indexed=indexed) for _time in range(2)) for indexed in (True, False)
        )
        return MinimumCost(read.wall, write.wall, bare.wall, rows, read.cpu + write.cpu)


def _read(connection: psycopg.Connection) -> Spent:
    """Return the time until the last byte has arrived."""
    meter, size = Meter(connection.info.backend_pid), 0
    with connection.cursor().copy(READ) as copy:
        for piece in copy:
            size += len(piece)
    assert size
    return meter.spent()


def _rows(connection: psycopg.Connection, result: Result) -> bytes:
    with connection.cursor().copy(OUT.format(rows=result.rows).encode()) as copy:
        return b"".join(bytes(piece) for piece in copy)


def _write(connection: psycopg.Connection, packed: dict[str, bytes], *, indexed: bool) -> Spent:
    """Return the time to write the rows and commit. Drop the tables afterwards."""
    for statement in definitions() if indexed else [_bare(table) for table in RESULTS]:
        connection.execute(statement.encode())
    meter = Meter(connection.info.backend_pid)
    with connection.transaction():
        for table, rows in packed.items():
            with connection.cursor().copy(WRITE.format(table=table).encode()) as copy:
                for begin in range(0, len(rows), PIECE):
                    copy.write(rows[begin : begin + PIECE])
    spent = meter.spent()
    for table in packed:
        connection.execute(f"DROP TABLE {table}".encode())
    return spent


def definitions() -> list[str]:
    """Return the statements that create the tables of results."""
    return [
        statement
        for table, result in RESULTS.items()
        for statement in (
            f"CREATE TABLE {table} ({result.columns})",
            *(f"CREATE {index.format(table=table)}" for index in result.indexes),
        )
    ]


def _bare(table: str) -> str:
    """Return the statement that creates the table without indexes and checks."""
    return f"CREATE TABLE {table} AS {RESULTS[table].rows} LIMIT 0"


def statements() -> str:
    """Return all measured statements as text, for the output."""
    writes = [WRITE.format(table=table) for table in RESULTS]
    return "\n".join(f"  {' '.join(statement.split())}" for statement in (READ, *definitions(), *writes))


def main() -> None:
    """Print the results."""
    floor = measure()
    print(statements())
    print(
        f"read {floor.read:.2f} s, {floor.rows:,} rows written {floor.write:.2f} s, without indexes {floor.bare:.2f} s"
    )


if __name__ == "__main__":
    main()
