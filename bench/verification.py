"""Measure the verification of every stored number in a league with a given number of tables, for each slice.

    python -m bench.verification [--tables 100000]        not a part of make bench-night

A slice is a part of the verification, such as one season or the ratings of one game. The league is built in temporary
servers and computed once. Then another process verifies every slice, like the weekly verification. Memory is the peak
of this process, including Python and Django.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

from bench.night import MEGABYTE, build, full
from deploy import child
from deploy.servers import temporary_servers


def prepare(tables: int) -> None:
    """Build the league and compute everything."""
    league_built, computed = build(tables), full(tables)
    print(
        f"{league_built['tables']:,} tables, {league_built['seats']:,} seats, {league_built['deals']:,} deals",
        flush=True,
    )
    print(f"built in {league_built['seconds']:.0f} s, computed in {computed['seconds']:.0f} s", flush=True)


def measure(_tables: int) -> None:
    """Print the seconds of each kind of slice."""
    from league.operations.work.verification import VerificationSlice, check_slice, next_slice

    took: dict[str, list[float]] = defaultdict(list)
    current_slice: VerificationSlice | None = VerificationSlice()
    before, difference_count = None, 0
    begun, own_seconds, base = time.perf_counter(), time.process_time(), _database()
    while current_slice:
        start = time.perf_counter()
        differences, before = check_slice(current_slice, before)
        difference_count += len(differences)
        kind = (
            f"ratings, {current_slice.game}"
            if current_slice.game
            else "a season's tables and standings"
            if current_slice.season
            else "names"
        )
        current_slice = next_slice(current_slice)
        took[kind].append(time.perf_counter() - start)
    for kind, seconds in took.items():
        print(f"{kind:<34}{len(seconds):>6} slices {sum(seconds):>8.2f} s, the longest {max(seconds):.2f} s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE
    wall_seconds, own_seconds, base = time.perf_counter() - begun, time.process_time() - own_seconds, _database() - base
    print(f"all: {wall_seconds:.2f} s; processor: {own_seconds:.2f} s here, {base:.2f} s in the database")
    print(f"{difference_count} differences, peak {peak:.0f} MB", flush=True)


def _database() -> float:
    """Return the CPU seconds of the PostgreSQL process that serves our connection."""
    from django.db import connection

    connection.ensure_connection()
    stat = Path(f"/proc/{connection.connection.info.backend_pid}/stat").read_text()
    user, system = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


STEPS = {"prepare": prepare, "measure": measure}


def main() -> None:
    """Run both steps, each in a process of its own."""
    parser = argparse.ArgumentParser(prog="python -m bench.verification")
    parser.add_argument("--tables", type=int, default=100_000, help="default %(default)s")
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.step:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
        import django

        django.setup()
        STEPS[arguments.step](arguments.tables)
        return
    with temporary_servers() as servers:
        for step in STEPS:
            command = [sys.executable, "-m", "bench.verification", "--step", step, "--tables", str(arguments.tables)]
            subprocess.run(
                command, env={**os.environ, **servers}, preexec_fn=child.preexec_to_die_with_parent(), check=True
            )


if __name__ == "__main__":
    main()
