"""`make bench-night`: measure the nightly run in leagues of 10⁴, 10⁵ and 10⁶ tables, and compare it with its minimum
cost.

    python -m bench.night [--tables 10000 100000 1000000]        9000000 takes a whole evening

Each size has its own temporary servers (their PostgreSQL does not sync), and each step its own process: build the
league; compute everything for the first time; run the night with no new results; correct a table's totals 30 days
before the last date and run the next night; measure the floor (the minimum cost, bench.floor); compute everything again
by two processes at once. The floor has no statistics of players, so the ratio full / floor is printed with and without
them. Seconds exclude the start of Python and Django. Memory is the peak of the process (getrusage), including them. The
CPU seconds of the nightly process and of PostgreSQL are printed beside the wall-clock times.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from importlib import import_module
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from bench import floor
from bench.cpu import Meter, Parts, Spent
from deploy import child
from deploy.servers import temporary_servers

if TYPE_CHECKING:
    from league.models import Table

DAYS_BACK = 30
LINEAR = 1.1  # limit for the time per table, relative to the first size; two runs of one size differ by this factor
MEGABYTE = 1024  # kilobytes, the unit of getrusage
SIZES = [10_000, 100_000, 1_000_000]

Measured = dict[str, Any]


# The functions that start a nightly run.


def run_everything(now: datetime) -> None:
    """Recompute everything."""
    from league.models import Run
    from league.recompute.work import runs

    runs.run(Run.Trigger.COMMAND, now=now, everything=True)


def run_nightly_job() -> None:
    """Run the nightly recompute as its scheduled job does."""
    from league.models import Run
    from league.operations.work import jobs
    from league.operations.work.clock import database_now
    from league.recompute.work import runs

    runs.start_due_run(database_now(), Run.Trigger.NIGHT)
    for pk in jobs.tick("celery", database_now()):
        while jobs.work_on_job(pk, now=database_now()) is jobs.Outcome.MORE:
            pass


def run_due_recompute(now: datetime) -> None:
    """Run the nightly recompute after a correction."""
    from league.models import Run
    from league.recompute.work import runs

    runs.run(Run.Trigger.NIGHT, now=now)


# Steps: each runs in a process of its own, and prints its results.


def build(tables: int) -> Measured:
    """Migrate the database and build the league."""
    from django.core.management import call_command
    from django.utils import timezone

    call_command("migrate", verbosity=0)
    from bench import leagues

    start = time.perf_counter()
    league = leagues.build(tables, today=timezone.localdate())
    return {**league._asdict(), "last": league.last.isoformat(), "seconds": time.perf_counter() - start}


PARTS = {  # the parts of a full recompute, and the functions that belong to them
    "read": [("players.columns", "read_together")],
    "arithmetic": [
        ("players.rating.arrays", "rate"),
        ("players.rating.arrays", "history"),
        ("players.rating.state", "state_after"),
        ("league.seasons.queries.season_rankings", "season_ranking"),
    ],
    "write": [
        ("league.recompute.work.steps", "replace_standings"),
        ("players.rating_writer", "replace"),
        ("players.rating_writer", "write"),
    ],
    "statistics": [("league.recompute.work.steps", "write_counted")],  # and records, including their reads
    "ledger": [
        ("league.recompute.work.rank_changes", name) for name in ("ratings", "standings", "write_seasons", "write_game")
    ],
}
UNMEASURED = "statistics"  # the part that the floor does not contain


def full(_tables: int) -> Measured:
    """Compute everything for the first time, and measure each part."""
    from django.utils import timezone

    meter = _meter()
    parts = Parts(meter)
    for part, functions in PARTS.items():
        for module, name in functions:
            parts.watch(part, import_module(module), name, includes_parts=part == UNMEASURED)
    begin = meter.spent()
    run_everything(timezone.now())
    rest = spent = meter.spent() - begin
    for seconds in parts.spent.values():
        rest -= seconds
    return {**_measured_of(spent), "parts": {**{part: parts.spent[part] for part in PARTS}, "the rest": rest}}


def nothing_new(_tables: int) -> Measured:
    """Run the nightly job when nothing has changed."""
    return _timed(run_nightly_job)


def correction(_tables: int) -> Measured:
    """Correct the totals of a table 30 days before the last date, by the action, and run the next night."""
    from django.db.models import Max
    from django.utils import timezone

    from league.actions.pending_recomputes import next_nightly_run
    from league.models import Evening, Table

    last = Evening.objects.aggregate(last=Max("date"))["last"]
    evening = Evening.objects.closed().filter(date__lte=last - timedelta(days=DAYS_BACK)).latest("date", "pk")
    table = Table.objects.filter(round__evening=evening).latest("pk")
    now = timezone.now()
    action = _timed(lambda: _correct(table, now))
    due = next_nightly_run(now)
    return {**_timed(lambda: run_due_recompute(due)), "action": action["seconds"], "date": evening.date.isoformat()}


def _correct(table: Table, now: datetime) -> None:
    """Exchange the totals of neighbouring seats, so that the sum stays.

    At a table with deals, revise a deal instead.
    """
    from league.actions import deals, totals
    from league.sheets.queries.table_sums import PointsAndDeals

    reason = "Two rows of the sheet were mistaken for each other"
    if table.recorded:
        first_deal, second_deal = table.dealt.all()[:2]
        deals.revise(
            first_deal.pk,
            second_deal.facts,
            client_key=uuid4(),
            seen_version=first_deal.version,
            now=now,
            reason=reason,
        )
        return
    seats = list(table.seats.all())
    points = {seat.number: seat.points for seat in seats}
    sums = {seat.number: PointsAndDeals(points[seat.number ^ 1], seat.deals) for seat in seats}
    totals.record(table.pk, sums, client_key=uuid4(), seen_version=table.version, now=now, reason=reason)


def minimum(_tables: int) -> Measured:
    """Measure the minimum cost of a full recompute (bench.floor)."""
    measurements = floor.measure()
    return {**measurements._asdict(), "seconds": measurements.seconds, "cpu": measurements.cpu}


def two_workers(_tables: int) -> Measured:
    """Compute everything again from the beginning, by two processes that share the steps like two workers."""
    from django.db import connection
    from django.utils import timezone

    from league.models import Run, Standing
    from players.models import FirstMeeting, Rating, RatingDay, RatingStep

    names = ", ".join(model._meta.db_table for model in (Standing, FirstMeeting, Rating, RatingDay, RatingStep, Run))
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {names} CASCADE")
    command = [sys.executable, "manage.py", "recompute"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, preexec_fn=child.preexec_to_die_with_parent()) as helping:
        spent = _timed(lambda: run_everything(timezone.now()))
        helping.kill()  # otherwise it would compute everything once more
    return spent


STEPS: Mapping[str, Callable[[int], Measured]] = {
    "build": build,
    "full": full,
    "nothing_new": nothing_new,
    "correction": correction,
    "least": minimum,
    "by_two": two_workers,
}


def _timed(work: Callable[[], object]) -> Measured:
    """Return the time of some work, without the connection to the database."""
    meter = _meter()
    work()
    return _measured_of(meter.spent())


def _meter() -> Meter:
    from django.db import connection

    connection.ensure_connection()
    return Meter(connection.connection.info.backend_pid)


def _measured_of(spent: Spent) -> Measured:
    return {"seconds": spent.wall, "client": spent.client, "database": spent.database, "cpu": spent.cpu}


def _step(name: str, tables: int) -> None:
    """Run one step in this process and print its results as JSON."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    import django

    django.setup()
    import_module("league.operations.tasks.jobs")  # a worker has imported it before a message arrives
    measured = STEPS[name](tables)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({**measured, "peak": peak / MEGABYTE}))


def measured(tables: int) -> dict[str, Measured]:
    """Measure all steps for one size, each in a process of its own.

    This process must stay small, because the peak memory of a child process begins with the memory of its parent.
    """
    measurements = {}
    with temporary_servers() as servers:
        for name in STEPS:
            command = [sys.executable, "-m", "bench.night", "--step", name, "--tables", str(tables)]
            process = subprocess.run(
                command,
                env={**os.environ, **servers},
                stdout=subprocess.PIPE,
                text=True,
                preexec_fn=child.preexec_to_die_with_parent(),
                check=True,
            )
            measurements[name] = json.loads(process.stdout.splitlines()[-1])
            print(f"  {tables:>9,} {name.replace('_', ' '):<12} {measurements[name]['seconds']:8.2f} s", flush=True)
    return measurements


# Output


def _lines(measurements: Mapping[str, Measured], first: Mapping[str, Measured]) -> dict[str, tuple[str, str]]:
    """Return {label: (value, goal with verdict or "")} for one size. `first` are the results of the smallest size."""
    build, full, idle, fix, low, two = (measurements[name] for name in STEPS)
    statistics = Spent(*full["parts"]["statistics"])
    clock, bare = full["seconds"] / low["seconds"], full["seconds"] / (low["read"] + low["bare"])
    busy = full["cpu"] / low["cpu"]
    clock_without = (full["seconds"] - statistics.wall) / low["seconds"]
    busy_without = (full["cpu"] - statistics.cpu) / low["cpu"]
    growth = (full["seconds"] / build["tables"]) / (first["full"]["seconds"] / first["build"]["tables"])
    return {
        "clubs": (f"{build['clubs']:,}", ""),
        "players": (f"{build['players']:,}", ""),
        "tables": (f"{build['tables']:,}", ""),
        "real deals": (f"{build['deals']:,}", ""),
        "built in, s": (f"{build['seconds']:.1f}", ""),
        "full recompute, s": (f"{full['seconds']:.2f}", ""),
        "  client, database, CPU s": (_cpu(full), ""),
        **{f"  {part}, s": (f"{spent[0]:.2f}", "") for part, spent in full["parts"].items()},
        **{f"  {part}, CPU s": (f"{spent[1]:.2f} {spent[2]:.2f}", "") for part, spent in full["parts"].items()},
        "nothing new, s": (f"{idle['seconds']:.3f}", _goal(idle["seconds"], 0.2)),
        "  client, database, CPU s ": (_cpu(idle), ""),
        "correction 30 days back, s": (f"{fix['seconds']:.3f}", _goal(fix["seconds"], _allowed(build["tables"]))),
        "  client, database, CPU s  ": (_cpu(fix), ""),
        "its action, s": (f"{fix['action']:.3f}", ""),
        "peak of the full run, MB": (f"{full['peak']:.0f}", _goal(full["peak"], 300)),
        "peak with nothing new, MB": (f"{idle['peak']:.0f}", _goal(idle["peak"], 300)),
        "peak of the correction, MB": (f"{fix['peak']:.0f}", _goal(fix["peak"], 300)),
        "floor, reading, s": (f"{low['read']:.2f}", ""),
        "floor, writing, s": (f"{low['write']:.2f}", ""),
        "  result rows": (f"{low['rows']:,}", ""),
        "  without indexes, s": (f"{low['bare']:.2f}", ""),
        "floor, CPU s": (f"{low['cpu']:.2f}", ""),
        "full / floor": (f"{clock:.2f}", _goal(clock, 2)),
        "full / floor, CPU": (f"{busy:.2f}", _goal(busy, 2)),
        "  without the statistics": (f"{clock_without:.2f}", _goal(clock_without, 2)),
        "  without the statistics, CPU": (f"{busy_without:.2f}", _goal(busy_without, 2)),
        "full / floor without indexes": (f"{bare:.2f}", ""),
        "full by two processes, s": (f"{two['seconds']:.2f}", ""),
        "  / floor": (f"{two['seconds'] / low['seconds']:.2f}", ""),
        "full a table, against first": (f"{growth:.2f}", _goal(growth, LINEAR)),
    }


def _cpu(spent: Measured) -> str:
    return f"{spent['client']:.2f} {spent['database']:.2f}"


def _allowed(tables: int) -> float:
    """Return the limit of seconds for a correction: 3 for nine million tables, 0.5 for up to 1.5 million."""
    return max(0.5, round(tables / 3_000_000, 2))


def _goal(value: float, limit: float) -> str:
    return f"{'kept' if value <= limit else 'MISSED'}: at most {limit:g}"


def report(results: list[dict[str, Measured]]) -> None:
    """Print one table with a column per size. The goals are checked for the last size."""
    columns = [_lines(measurements, results[0]) for measurements in results]
    for name in columns[0]:
        values = "".join(f"{column[name][0]:>12}" for column in columns)
        print(f"{name:<30}{values}  {columns[-1][name][1]}".rstrip())
    print(f"\nThe floor is what plain psycopg needs for:\n{floor.statements()}")


def main() -> None:
    """Measure every size and print the results."""
    parser = argparse.ArgumentParser(prog="python -m bench.night")
    parser.add_argument("--tables", type=int, nargs="+", default=SIZES, help="sizes (default %(default)s)")
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.step:
        _step(arguments.step, arguments.tables[0])
        return
    print("Seconds by step:")
    results = [measured(tables) for tables in arguments.tables]
    print()
    report(results)


if __name__ == "__main__":
    main()
