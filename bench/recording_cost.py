"""Measure the CPU time of recording one deal, of its SQL statements, and of a POST that only checks a deal.

    python -m deploy.servers python -m bench.recording_cost [--deals 80]

Both forms are sent in turn to the program in this process, so other work on the machine changes both alike. The time
of the database is that of its process for this connection (Linux alone). bench.recording measures the rate of many
clients.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
os.environ["LOCAL_STATIC"] = "1"
django.setup()

from django.core.management import call_command  # noqa: E402  models want Django set up
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from bench.recording import Post, deals_for, refusals  # noqa: E402
from league.models.evening import EveningState  # noqa: E402
from league.models.rights import Role  # noqa: E402
from tests.build import a_club, a_member, a_season, a_table, an_evening, sign_in  # noqa: E402

TABLES, WARM = 5, 10
GOAL = 0.45  # of the time of a recorded deal, for the POST that only checks
NAME = 90  # characters of a statement that are shown


class Cost(NamedTuple):
    """Milliseconds of the processor: of Python in this process, and of the database for it."""

    python: float
    database: float


def spent() -> Cost:
    """Return what this process and the database's process for it have used so far."""
    assert connection.connection is not None
    on_processor = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat").read_text().split()[0]
    return Cost(1000 * time.process_time(), int(on_processor) / 1_000_000)


def median(costs: Sequence[Cost]) -> Cost:
    return Cost(*(statistics.median(values) for values in zip(*costs, strict=True)))


def send(client: Client, post: Post) -> Cost:
    """Send a form, and return the cost of the request."""
    client.cookies.pop("messages", None)  # or they pile up, since no page shows them
    before = spent()
    answer = client.post(post.path, dict(post.form))
    after = spent()
    if answer.status_code != 302 or not answer.headers["Location"].startswith(post.expected):
        raise SystemExit(f"{post.path} answers {answer.status_code}")
    return Cost(after.python - before.python, after.database - before.database)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.recording_cost")
    parser.add_argument("--deals", type=int, default=80)
    many = parser.parse_args().deals
    call_command("migrate", verbosity=0)
    club = a_club()
    season = a_season(club, end_number=1000)
    closed = a_table(an_evening(season, EveningState.CLOSED)).pk
    evening = an_evening(season)
    tables = [a_table(evening).pk for _ in range(TABLES)]
    client = sign_in(Client(headers={"host": "localhost"}), a_member(club, Role.SECRETARY))
    posts = deals_for(tables, (2 * many + WARM) // TABLES)
    [refusal] = refusals(closed, 1)
    for post in posts[:WARM]:
        send(client, post)
        send(client, refusal)
    recorded, checked = [], []
    for post in posts[WARM : WARM + many]:
        recorded.append(send(client, post))
        checked.append(send(client, refusal))
    for name, costs in (("recorded deal", recorded), ("POST that only checks", checked)):
        print(f"{name:<24}Python {median(costs).python:6.2f} ms   database {median(costs).database:6.2f} ms")
    share = sum(median(checked)) / sum(median(recorded))
    print(f"  {100 * share:.0f} %  {'kept' if share >= GOAL else 'MISSED'}: at least {100 * GOAL:.0f} %")
    statements: dict[str, list[Cost]] = defaultdict(list)

    def measure(execute: Callable[..., Any], sql: str, params: Any, is_many: bool, context: dict[str, Any]) -> Any:
        before = spent()
        result = execute(sql, params, is_many, context)
        after = spent()
        name = " ".join(sql[sql.find(" FROM ") if sql.startswith("SELECT") else 0 :].split())
        statements[name].append(Cost(after.python - before.python, after.database - before.database))
        return result

    with connection.execute_wrapper(measure):
        for post in posts[WARM + many :]:
            send(client, post)
    print("\neach statement, sending and waiting alone; Django builds it before, and reads its rows after")
    for name, costs in statements.items():
        python, database = median(costs)
        print(f"  {len(costs) / many:.0f} × Python {python:5.2f} ms   database {database:5.2f} ms   {name[:NAME]}")


if __name__ == "__main__":
    main()
