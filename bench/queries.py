"""What a request asks of the database: its statements, and how many blocks each has to look at.

Blocks don't depend on what else the machine does: a statement whose blocks grow with the league is one to look at.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.http import HttpResponseBase
from django.test import Client
from django.test.utils import CaptureQueriesContext

GROWN, FEW = 5, 10  # so many times the blocks of the demo club's dearest query, or of a few, are worth a line
NAME = 420  # characters of a statement that are shown
HISTORY = "SELECT set_config("  # the context of what a statement changes, sent before it
TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE SAVEPOINT")


class Statement(NamedTuple):
    """A statement as it was sent; `blocks` it looked at, `rows` it read on the way, `ms` it took when explained."""

    sql: str
    blocks: int
    rows: int
    ms: float

    @property
    def name(self) -> str:
        """Its beginning without its columns, for the reader."""
        query_text = _without_columns(self.sql)
        return query_text if len(query_text) <= NAME else f"{query_text[:NAME]} …"


class RequestStatements(NamedTuple):
    """What one request sent. `statements` are those that read or write, `transactions` how many others there were."""

    statements: list[Statement]
    transactions: int

    @property
    def blocks(self) -> int:
        """Of all of them."""
        return sum(statement.blocks for statement in self.statements)

    @property
    def dearest(self) -> Statement:
        """The one with most blocks."""
        return max(self.statements, key=lambda each: each.blocks)


def statements_of(
    session: str, path: str, form: Mapping[str, Any] | None = None, *, repeat: bool = True
) -> RequestStatements:
    """Return the statements of a page, or of a form sent there.

    A page is asked for `again`, so that caches are warm.
    """
    client = Client(headers={"host": "localhost"})
    client.cookies["sessionid"] = session
    if repeat:
        _good(client.get(path), path)
    with CaptureQueriesContext(connection) as captured:
        _good(client.get(path) if form is None else client.post(path, form), path)
    sent = [_without_history(query["sql"]) for query in captured.captured_queries]
    real = [sql for sql in sent if not sql.startswith(TRANSACTION)]
    return RequestStatements([_explained(sql) for sql in real], len(sent) - len(real))


def _good(answer: HttpResponseBase, path: str) -> None:
    if answer.status_code not in (200, 302):
        raise SystemExit(f"{path} answers {answer.status_code}")


def _without_history(sent: str) -> str:
    """Return the statement behind what the history sends before it."""
    return sent.partition(", true); ")[2] if sent.startswith(HISTORY) else sent


def _without_columns(sql: str) -> str:
    """Return a query without the list of what it selects, which may hold queries of its own."""
    depth = 0
    for index, letter in enumerate(sql):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if not depth and sql.startswith("SELECT ") and sql.startswith(" FROM ", index):
            return f"SELECT …{sql[index:]}"
    return sql


def _explained(sql: str) -> Statement:
    """Run it once more, explained, and take back what it wrote; what only writes new rows is left alone."""
    if not sql.lstrip().startswith(("SELECT", "WITH", "UPDATE")):
        return Statement(sql, 0, 0, 0.0)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}")
        explained = cursor.fetchone()[0]
        transaction.set_rollback(True)
    told = json.loads(explained) if isinstance(explained, str) else explained
    plan = told[0]["Plan"]
    blocks = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
    return Statement(" ".join(sql.split()), blocks, _rows(plan), told[0]["Execution Time"])


def _rows(plan: Mapping[str, Any]) -> int:
    """Return what its leaves read: each scan's rows, and those that it threw away."""
    if "Plans" in plan:
        return sum(map(_rows, plan["Plans"]))
    thrown = plan.get("Rows Removed by Filter", 0) + plan.get("Rows Removed by Index Recheck", 0)
    read: float = (plan["Actual Rows"] + thrown) * plan["Actual Loops"]
    return round(read)


def report(
    demo: Mapping[str, RequestStatements], league: Mapping[str, RequestStatements], limits: Mapping[str, int]
) -> None:
    """Print how many statements each request needs and what they look at, on the demo club and in the league.

    `most` are limits by name; a page needs as many as on the demo club.
    """
    print(f"\n{'':<24}{'queries':>9}{'demo':>6}{'blocks':>9}{'demo':>7}{'rows read':>11}{'demo':>8}")
    for name, in_league in league.items():
        in_demo, number = demo[name], len(in_league.statements)
        rows, theirs = (sum(each.rows for each in asked_for.statements) for asked_for in (in_league, in_demo))
        numbers = (
            f"{number:>9}{len(in_demo.statements):>6}{in_league.blocks:>9,}{in_demo.blocks:>7,}{rows:>11,}{theirs:>8,}"
        )
        goals = [f"{'kept' if number == len(in_demo.statements) else 'MISSED'}: as on the demo club"]
        if name in limits:
            goals.append(f"{'kept' if number <= limits[name] else 'MISSED'}: at most {limits[name]}")
        print(f"{name:<24}{numbers}  {', '.join(goals)}")
    print("\nThe dearest query of each, and others that look at many times as many blocks as on the demo club:")
    for name, in_league in league.items():
        limit = GROWN * max(demo[name].dearest.blocks, FEW)
        for statement in in_league.statements:
            if statement is in_league.dearest or statement.blocks > limit:
                print(
                    f"{name}: {statement.blocks:,} blocks, {statement.rows:,} rows, {statement.ms:.1f} ms\n"
                    f"    {statement.name}"
                )
    for name, limit in limits.items():
        if len(league[name].statements) > limit:
            print(f"\nThe statements of the {name}:")
            print("\n".join(f"    {each.name}" for each in league[name].statements))
