"""The SQL statements of a request, and the number of database blocks that each reads.

Blocks do not depend on other work on the machine. A statement whose blocks grow with the league needs attention.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.db import connection, transaction
from django.http import HttpResponseBase
from django.test import Client
from django.test.utils import CaptureQueriesContext

# Print a statement that reads more than GROWTH_LIMIT times the blocks of the demo club's most expensive statement, and
# more than GROWTH_LIMIT × FEW blocks.
GROWTH_LIMIT, FEW = 5, 10
NAME = 420  # largest number of characters of a printed statement
HISTORY = "SELECT set_config("  # pghistory sends the context of a change before the statement
TRANSACTION = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE SAVEPOINT")


class Statement(NamedTuple):
    """A statement as it was sent: number of blocks and rows that it read, and milliseconds by EXPLAIN."""

    sql: str
    blocks: int
    rows: int
    ms: float

    @property
    def name(self) -> str:
        """Return the beginning of the statement without its columns, for the output."""
        query_text = _without_columns(self.sql)
        return query_text if len(query_text) <= NAME else f"{query_text[:NAME]} …"


class RequestStatements(NamedTuple):
    """The statements of one request.

    `transactions` is the number of statements such as BEGIN, which are not in `statements`.
    """

    statements: list[Statement]
    transactions: int

    @property
    def blocks(self) -> int:
        """Return the number of blocks that all statements read."""
        return sum(statement.blocks for statement in self.statements)

    @property
    def dearest(self) -> Statement:
        """Return the statement with the most blocks."""
        return max(self.statements, key=lambda each: each.blocks)


def statements_of(
    session: str, path: str, form: Mapping[str, Any] | None = None, *, repeat: bool = True
) -> RequestStatements:
    """Return the statements of a page, or of sending a form to this path.

    With `repeat`, the page is requested once before, so that caches are filled.
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
    """Return the statement without the context that pghistory sends before it."""
    return sent.partition(", true); ")[2] if sent.startswith(HISTORY) else sent


def _without_columns(sql: str) -> str:
    """Return a query without its list of columns, which may contain subqueries."""
    depth = 0
    for index, letter in enumerate(sql):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if not depth and sql.startswith("SELECT ") and sql.startswith(" FROM ", index):
            return f"SELECT …{sql[index:]}"
    return sql


def _explained(sql: str) -> Statement:
    """Run the statement again with EXPLAIN, and roll it back. A statement that only inserts rows is not explained."""
    if not sql.lstrip().startswith(("SELECT", "WITH", "UPDATE")):
        return Statement(sql, 0, 0, 0.0)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}")
        explained = cursor.fetchone()[0]
        transaction.set_rollback(True)
    plan_rows = json.loads(explained) if isinstance(explained, str) else explained
    plan = plan_rows[0]["Plan"]
    blocks = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
    return Statement(" ".join(sql.split()), blocks, _rows(plan), plan_rows[0]["Execution Time"])


def _rows(plan: Mapping[str, Any]) -> int:
    """Return the number of rows that the scans of the plan read, including rows that they filtered out."""
    if "Plans" in plan:
        return sum(map(_rows, plan["Plans"]))
    thrown = plan.get("Rows Removed by Filter", 0) + plan.get("Rows Removed by Index Recheck", 0)
    read: float = (plan["Actual Rows"] + thrown) * plan["Actual Loops"]
    return round(read)


def report(
    demo: Mapping[str, RequestStatements], league: Mapping[str, RequestStatements], limits: Mapping[str, int]
) -> None:
    """Print the statements, blocks and rows of each request, for the demo club and for the league.

    A page must need the same number of statements in both. `limits` are largest numbers of statements, by name.
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
        limit = GROWTH_LIMIT * max(demo[name].dearest.blocks, FEW)
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
