"""`make load`: simulate the readers, secretaries and watchers of one evening at the same time.

    python -m bench.load LOCUST [--tables 100000] [--seconds 60] [--readers 300] [--secretaries 20] [--watchers 2000]

Start PostgreSQL, Valkey and the services of deploy/systemd with the commands of their units, and print their memory at
rest. Then build a league (bench.leagues) with an open evening per secretary. locust simulates readers, then
secretaries, then both, each with random pauses. At the end many clients watch one evening (bench.watchers). The clients
run on the same machine, so the CPU seconds of the servers are printed beside the wall-clock times.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import shlex
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import django

from bench import watchers
from bench.footprint import megabytes, processor_seconds
from bench.web import ROOT, p50, p95
from deploy import child, servers
from deploy.child import Child
from deploy.places import temporary_folder

UNITS = {"web": "web", "worker": "night's worker", "background": "other worker", "beat": "clock"}
TABLES = 6  # tables of an evening
WARM = 20  # seconds until all clients have started
MEMORY = 600  # MB
AT_REST = "at rest"
GOAL = 500  # ms


class Running(NamedTuple):
    """The server processes by name, and the port of the web server."""

    parts: Mapping[str, Child]
    port: int

    def seconds(self) -> float:
        """Return the CPU seconds of all servers so far."""
        return sum(processor_seconds(part.process.pid) for part in self.parts.values())


def unit_command(unit: str, bind: str, state: Path) -> list[str]:
    """Return the command of a systemd unit, with this Python, and with its state in the folder `state`.

    Stop if the unit reads a variable that has no replacement here.
    """
    text = (ROOT / "deploy" / "systemd" / f"league-{unit}.service").read_text()
    lines = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    _python, _m, module, *options = shlex.split(lines["ExecStart"].replace("%%", "%"))
    replacements = {
        "${HOST}:8001": [bind],
        "$WORKER_OPTIONS": [],
        "/var/lib/league/beat-schedule": [str(state / "beat-schedule")],
    }
    replaced = [new for option in options for new in replacements.get(option, [option])]
    if unknown := [option for option in replaced if "$" in option]:
        raise SystemExit(f"league-{unit}.service reads {unknown}")
    return [*(child.LOW_PRIORITY_PREFIX if "Nice" in lines else ()), *child.module_command(module, *replaced)]


@contextmanager
def start_all_servers() -> Iterator[Running]:
    """Start all servers on a new database, with the settings of this process."""
    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder())
        database = servers.start_postgres(
            folder / "postgres", folder / "postgres", folder / "postgres.log", durable=True
        )
        stack.callback(database.stop)
        queue = servers.start_valkey(folder / "valkey", folder / "valkey.log")
        stack.callback(queue.stop)
        os.environ |= {
            "DATABASE_URL": database.url,
            "REDIS_URL": queue.url,
            "SECRET_KEY": secrets.token_urlsafe(50),
            "LOCAL_STATIC": "1",
            "EMAIL_URL": f"file:///{folder}/mail",
        }
        set_up_django()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        parts = {"PostgreSQL": database.child, "Valkey": queue.child}
        for unit, name in UNITS.items():
            command = unit_command(unit, f"127.0.0.1:{port}", folder)
            parts[name] = child.start_process(name, command, folder / f"{unit}.log", cwd=ROOT)
            stack.callback(parts[name].stop, signal.SIGTERM, 10)
        wait_for(lambda: listens(port), parts["web"])
        for worker in ("night's worker", "other worker"):
            wait_for(lambda: "ready." in parts[worker].log.read_text(), parts[worker])  # noqa: B023
        yield Running(parts, port)


def set_up_django() -> None:
    """Set up Django in this process, and migrate the database."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.MD5PasswordHasher"
    ]  # fast; no user signs in with a password
    call_command("migrate", verbosity=0)


def wait_for(ready: Callable[[], object], part: Child) -> None:
    """Wait until a process is ready. Exit if it ends or takes more than a minute."""
    deadline = time.monotonic() + 60
    while not ready():
        if (how := part.exit_text()) or time.monotonic() > deadline:
            raise SystemExit(f"{part.name} {how or 'is not ready'}:\n{part.last_log_lines()}")
        time.sleep(0.1)


def listens(port: int) -> bool:
    """Return whether a process listens on the port."""
    with socket.socket() as trying:
        return trying.connect_ex(("127.0.0.1", port)) == 0


def memory(running: Running, when: str) -> None:
    """Print the memory of each server."""
    memory_used = {name: megabytes(part.process.pid) for name, part in running.parts.items()}
    total = sum(memory_used.values())
    print(f"\nmemory {when} (PSS): {', '.join(f'{name} {size:.0f}' for name, size in memory_used.items())}")
    verdict = "kept" if total <= MEMORY else "MISSED"
    goal = f"  {verdict}: at most {MEMORY}" if when == AT_REST else ""
    print(f"  together {total:.0f} MB{goal}", flush=True)


def build_plan(tables: int, secretaries: int, readers: int) -> dict[str, Any]:
    """Build the league and the evenings. Return the URLs and sessions that readers and secretaries use, as JSON."""
    from django.test import Client
    from django.utils import timezone

    from bench import leagues
    from bench.night import run_everything
    from league.models import Club, Evening
    from league.models.rights import Role
    from tests.build import a_club, a_deal, a_member, a_season, a_table, an_evening, sign_in

    def session(player: Any) -> str:
        return sign_in(Client(), player).cookies["sessionid"].value

    league = leagues.build(tables, today=timezone.localdate())
    pages = ["/", "/clubs/", "/games/tarot/leaderboard"]
    for season in (club.seasons.running().get() for club in Club.objects.order_by("pk")[:20]):
        evening = season.evenings.closed().latest("date")
        table = evening.rounds.earliest("number").tables.earliest("number")
        player = table.seats.earliest("number").player_id
        pages += [f"/clubs/{season.club.slug}/", f"/seasons/{season.pk}/", f"/evenings/{evening.pk}/"]
        pages += [f"/players/{player}/", f"/tables/{table.pk}/"]
    desks, known_tables = [], []
    for _club in range(secretaries):
        club = a_club(public=True)
        evening = an_evening(a_season(club, end_number=1000), on=timezone.localdate())
        evening_tables = [a_table(evening) for _ in range(TABLES)]
        for table in evening_tables:
            a_deal(table)
        desks.append(
            {"session": session(a_member(club, Role.SECRETARY)), "tables": [table.pk for table in evening_tables]}
        )
        known_tables += [session(a_member(club)) for _ in range(readers // 3 // secretaries)]
        pages += [f"/clubs/{club.slug}/", f"/evenings/{evening.pk}/", f"/evenings/{evening.pk}/"]
    run_everything(timezone.now())
    open_evenings = Evening.objects.in_progress().count()
    print(f"\n{league.tables:,} tables, {Club.objects.count()} clubs, {open_evenings} evenings open")
    return {"pages": pages, "sessions": known_tables, "desks": desks, "warm": WARM}


def crowd(running: Running, locust: str, plan: dict[str, Any], readers: int, secretaries: int, seconds: int) -> None:
    """Run `readers` and `secretaries` clients by locust for `seconds`, and print the times of the responses."""
    with temporary_folder() as folder:
        plan_file, result_file = folder / "plan.json", folder / "found.json"
        plan_file.write_text(json.dumps({**plan, "readers": readers, "secretaries": secretaries}))
        users = readers + secretaries
        command = [locust, "--headless", "--locustfile", str(Path(__file__).with_name("load_clients.py"))]
        command += ["--host", f"http://127.0.0.1:{running.port}", "--users", str(users), "--only-summary"]
        command += ["--spawn-rate", f"{users / WARM:.2f}", "--run-time", f"{WARM + seconds}s", "--stop-timeout", "20"]
        used, start = running.seconds(), time.monotonic()
        env = {**os.environ, "LOAD_PLAN": str(plan_file), "LOAD_FOUND": str(result_file)}
        process = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        used, lasted = running.seconds() - used, time.monotonic() - start
        if not result_file.exists():
            raise SystemExit(process.stderr)
        observed = json.loads(result_file.read_text())
    print(f"\n{readers} readers, {secretaries} secretaries, {seconds} s; load of the machine {os.getloadavg()[0]:.1f}")
    for name, times in sorted(observed["took"].items()):
        verdict = "kept" if p95(times) <= GOAL else "MISSED"
        print(
            f"  {name:<16}{len(times):>6} answers   p50 {p50(times):>6.0f} ms   p95 {p95(times):>6.0f} ms"
            f"   worst {max(times):>6.0f} ms   {verdict}: p95 at most {GOAL} ms"
        )
    print(
        f"  {len(observed['failed'])} failed  {'kept' if not observed['failed'] else 'MISSED'}: none "
        f"{observed['failed'][:3]}"
    )
    share, per_request = 100 * used / lasted, 1000 * used / sum(observed["asked"].values())
    print(
        f"  the servers took {used:.1f} s of the processors, {share:.0f} % of one; {per_request:.0f} ms an answer",
        flush=True,
    )


def watch(running: Running, many: int, seconds: float) -> None:
    """Run `many` clients that watch one evening, and print the delay until they see a new deal."""
    path, tables = watchers.an_open_evening()
    asyncio.run(watchers.run(8, 3, running.port, path, tables))
    used, process = running.seconds(), watchers.transactions()
    observed = asyncio.run(watchers.run(many, seconds, running.port, path, tables))
    print(f"\nload of the machine {os.getloadavg()[0]:.1f}")
    watchers.report_results(observed, many, seconds, running.seconds() - used, watchers.transactions() - process)


def main() -> None:
    """Run all measurements and print the results."""
    parser = argparse.ArgumentParser(prog="python -m bench.load")
    parser.add_argument("locust", help="the program, in an environment of its own")
    parser.add_argument("--tables", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--readers", type=int, default=300)
    parser.add_argument("--secretaries", type=int, default=20)
    parser.add_argument("--watchers", type=int, default=2000)
    plan_file = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors")
    with start_all_servers() as running:
        time.sleep(5)
        memory(running, AT_REST)
        plan = build_plan(plan_file.tables, plan_file.secretaries, plan_file.readers)
        crowd(running, plan_file.locust, plan, plan_file.readers, 0, plan_file.seconds // 2)
        crowd(running, plan_file.locust, plan, 0, plan_file.secretaries, plan_file.seconds // 2)
        crowd(running, plan_file.locust, plan, plan_file.readers, plan_file.secretaries, plan_file.seconds)
        watch(running, plan_file.watchers, plan_file.seconds / 2)
        memory(running, "after it")


if __name__ == "__main__":
    main()
