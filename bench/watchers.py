"""Measure an evening of 48 players with 200 watchers: `make bench`, or `python -m bench.watchers` with running servers.

    python -m deploy.servers python -m bench.watchers [--watchers N] [--seconds N]

Start gunicorn like the local start (2 processes with 8 threads). Each watcher requests the evening's fragment every 4
seconds, like a browser, with the ETag of its fragment. Half of the watchers have a session cookie. Every 5 seconds a
deal is recorded. Print requests per second, times of responses, the delay from the commit of a deal to each watcher,
the CPU share of gunicorn, and the number of transactions in PostgreSQL.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import socket
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from uuid import uuid4

import django

from bench.footprint import processor_seconds
from deploy import web_worker

TABLES, DEALS = 12, 4
EVERY = 5.0  # seconds between two recorded deals


@dataclass
class Observations:
    """The measurements of all watchers: seconds of each response, responses by status, and times of new fragments."""

    answers: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)
    sights: list[list[tuple[str, float]]] = field(default_factory=list)  # per watcher: (ETag, time of arrival)
    recorded: list[float] = field(default_factory=list)  # time of each deal's commit
    deals: dict[str, int] = field(default_factory=dict)  # {ETag: number of recorded deals in this fragment}
    until: float = 0.0

    def delays(self) -> Iterator[float]:
        """Yield the seconds from the commit of each deal until each watcher got it."""
        for sights in self.sights:
            known_deals: int | None = None
            for tag, moment in sights:
                tag_deals = self.deals.get(tag)
                if tag_deals is not None and known_deals is not None:
                    yield from (moment - committed for committed in self.recorded[known_deals:tag_deals])
                known_deals = tag_deals if known_deals is None else max(known_deals, tag_deals or 0)


async def ask(port: int, path: str, headers: str) -> tuple[str, str]:
    """Return status and ETag of a response, by a new connection: browsers close connections that are idle for 4
    seconds.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}\r\n".encode())
    head, _, _ = (await reader.read()).partition(b"\r\n\r\n")
    writer.close()
    first, *rest = head.decode().split("\r\n")
    tags = [line.partition(":")[2].strip() for line in rest if line.lower().startswith("etag:")]
    return first.split()[1], tags[0] if tags else ""


async def watch(number: int, watchers: int, port: int, path: str, poll: float, observations: Observations) -> None:
    """Simulate one watcher, which requests the page every `poll` seconds until the end."""
    tag = ""
    sights: list[tuple[str, float]] = []
    observations.sights.append(sights)
    cookie = f"Cookie: sessionid=watcher{number:026}\r\n" if number % 2 else ""
    await asyncio.sleep(poll * number / watchers)
    while (begin := time.monotonic()) < observations.until:
        status, new = await ask(port, path, cookie + (f"If-None-Match: {tag}\r\n" if tag else ""))
        end = time.monotonic()
        observations.answers.append(end - begin)
        observations.statuses[status] += 1
        if status == "200":
            sights.append((new, end))
        tag = new or tag
        await asyncio.sleep(max(0.0, begin + poll - end))


async def record(port: int, path: str, tables: list[int], observations: Observations) -> None:
    """Record a deal every few seconds, each at another table, and note the ETag of the new fragment."""
    from django.utils import timezone

    from league.actions import deals

    def record_one(table: int) -> float:
        facts = {"contract": "take", "taker": 0, "points": 43, "oudlers": 2}
        deals.record(table, facts, client_key=uuid4(), now=timezone.now())
        return time.monotonic()

    _status, tag = await ask(port, path, "")
    observations.deals[tag] = 0
    for turn in range(10_000):
        await asyncio.sleep(EVERY)
        if time.monotonic() > observations.until - EVERY:
            return
        observations.recorded.append(await asyncio.to_thread(record_one, tables[turn % len(tables)]))
        while tag in observations.deals:
            await asyncio.sleep(0.05)
            _status, tag = await ask(port, path, "")
        observations.deals[tag] = len(observations.recorded)


async def run(watchers: int, seconds: float, port: int, path: str, tables: list[int]) -> Observations:
    """Run all watchers, and record deals meanwhile."""
    from league.evenings.views.live.fragments import POLL_SECONDS

    observations = Observations(until=time.monotonic() + seconds)
    crowd = [watch(number, watchers, port, path, POLL_SECONDS, observations) for number in range(watchers)]
    await asyncio.gather(record(port, path, tables, observations), *crowd)
    return observations


def an_open_evening() -> tuple[str, list[int]]:
    """Migrate the database and create an open evening. Return the path of its fragment and the ids of its tables."""
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from league.evenings.views.live import fragments
    from tests.build import a_club, a_deal, a_season, a_table, an_evening, watched

    evening = an_evening(a_season(a_club(), end_number=100))
    tables = [a_table(evening).pk for _ in range(TABLES)]
    for table in evening.rounds.get().tables.all():
        for _deal in range(DEALS):
            a_deal(table)
    return f"/live/{fragments.sign_live_token(watched(evening))}/evening.html", tables


def transactions() -> int:
    """Return the number of transactions that the database has ended. A single query counts as a transaction."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_force_next_flush()")
        cursor.execute("SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()")
        (count,) = cursor.fetchone()
    return int(count)


def started(port: int) -> subprocess.Popen[bytes]:
    """Start gunicorn and return its process when it listens on the port."""
    gunicorn = [sys.executable, "-m", "gunicorn", "league.wsgi", "--bind", f"127.0.0.1:{port}", "--log-level", "error"]
    web = subprocess.Popen([*gunicorn, "--workers", "2", *web_worker.OPTIONS])
    for _try in range(200):
        with socket.socket() as trying:
            if trying.connect_ex(("127.0.0.1", port)) == 0:
                return web
        time.sleep(0.1)
    raise SystemExit("gunicorn does not listen")


def percentile(values: list[float], share: float) -> float:
    """Return the smallest value that at least this share of the values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def report_results(
    observations: Observations, watchers: int, seconds: float, used: float, transactions_ended: int
) -> None:
    """Print the measurements. `used` is the CPU time of gunicorn in seconds."""
    count, cost = len(observations.answers), 1000 / len(observations.answers)
    statuses = ", ".join(f"{number} × {status}" for status, number in sorted(observations.statuses.items()))
    print(f"{watchers} watchers, {seconds:.0f} s: {count / seconds:.0f} requests/s ({statuses})")
    print(
        f"  an answer takes {1000 * statistics.median(observations.answers):.1f} ms, p95 "
        f"{1000 * percentile(observations.answers, 0.95):.1f} ms, worst {1000 * max(observations.answers):.1f} ms"
    )
    print(f"  processors: {100 * used / seconds:.1f} % of one core, {used * cost:.2f} ms a request")
    print(f"  PostgreSQL: {transactions_ended} transactions, {len(observations.recorded)} of them deals")
    if delays := list(observations.delays()):
        worst_percentile, worst = percentile(delays, 0.99), max(delays)
        print(
            f"  a deal is seen after {statistics.mean(delays):.1f} s; 99 % after {worst_percentile:.2f} s, "
            f"all after {worst:.2f} s"
        )


def main() -> None:
    """Run all measurements and print the results."""
    parser = argparse.ArgumentParser(prog="python -m bench.watchers")
    parser.add_argument("--watchers", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30)
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    os.environ["LOCAL_STATIC"] = "1"
    django.setup()
    path, tables = an_open_evening()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    web = started(port)
    try:
        asyncio.run(run(8, 3, port, path, tables))  # after this both processes have imported their modules
        used, transactions_ended = processor_seconds(web.pid), transactions()
        observations = asyncio.run(run(arguments.watchers, arguments.seconds, port, path, tables))
        used, transactions_ended = processor_seconds(web.pid) - used, transactions() - transactions_ended
    finally:
        web.terminate()
        web.wait()
    report_results(observations, arguments.watchers, arguments.seconds, used, transactions_ended)


if __name__ == "__main__":
    main()
