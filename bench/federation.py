"""`make bench-federation`: the evening of 300 clubs of a federation at once; which part of a server is full first.

    python -m bench.federation [--tables 100000] [--clubs 1000] [--tonight 300]        10000000 is the whole federation

A federation of 1,000 clubs has 50,000 players. `--tables` sets the length of its history: 62,500 tables are one evening
of all clubs. PostgreSQL (durable) and Valkey run as on a server, and the web server by the command of its unit.

Five seconds of an evening are written down for each club that plays tonight: a deal and the sheet after it, four pages,
and 25 requests of watchers (20, one every four seconds each). 16 clients send them as fast as they are answered: first
to one group of web processes on the whole machine, then to one group on half of the processors, to two groups on half
of the processors each, and to one again. A group is what a second machine would have, but all share this machine with
the database and the clients: so the processor time of each part says how far more machines would lead.
"""

from __future__ import annotations

import argparse
import os
import secrets
import signal
import socket
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from typing import NamedTuple
from uuid import UUID

from bench.footprint import TICKS, family, processor_seconds
from bench.load import listens, set_up_django, unit_command, wait_for
from bench.web import ROOT, Browser, p50, p95
from deploy import child, servers
from deploy.child import Child
from deploy.places import temporary_folder

CLUBS, TONIGHT = 1000, 300
LARGER, SMALLER = 13, 12  # tables of a club in a round; half of the clubs have the larger number
WEEKS = 16  # evenings of a season
DEALS = 20  # of a table
OPEN_TABLES = 12  # of an evening tonight
CLIENTS = 16
SECONDS = 5.0  # of an evening that are written down
PAGES, POLLS = 4, 25  # requests in these seconds
FEWER = 3  # a third of the requests compares one group with two
SEED = 20
SAMPLE = 0.25  # seconds between two looks at the connections


class Request(NamedTuple):
    """A recorded request: a POST of `form`, with a new idempotency key each time, or a GET if `form` is None."""

    kind: str
    path: str
    session: str
    form: Mapping[str, str] | None = None


@dataclass
class Site:
    """The servers of a federation. `groups` are the groups of web processes, `ports` the ports at which they listen."""

    folder: Path
    database: Child
    cache: Child
    groups: list[Child] = field(default_factory=list)
    ports: list[int] = field(default_factory=list)

    def add_group(self, stack: ExitStack) -> None:
        """Start one more group of web processes."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        name = f"web {len(self.groups) + 1}"
        command = unit_command("web", f"127.0.0.1:{port}", self.folder)
        group = child.start_process(name, command, self.folder / f"{name}.log", cwd=ROOT)
        stack.callback(group.stop, signal.SIGTERM, 10)
        wait_for(lambda: listens(port), group)
        self.groups.append(group)
        self.ports.append(port)

    def seconds(self) -> Counter[str]:
        """Return the processor time of each part so far, and of the whole machine."""
        return Counter(
            {
                "web": sum(processor_seconds(group.process.pid) for group in self.groups),
                "database": processor_seconds(self.database.process.pid),
                "cache": processor_seconds(self.cache.process.pid),
                "clients": time.process_time(),
                "machine": machine_seconds(),
            }
        )


@dataclass
class Phase:
    """The measurements of one phase: length, milliseconds by kind of request, CPU time, and connections."""

    seconds: float
    took: Mapping[str, list[float]]
    used: Counter[str]
    most_connections: int
    states: Counter[str]  # of the connections that were at work when looked at


def machine_seconds() -> float:
    """Return the processor time that the machine has spent on anything."""
    user, nice, system, _idle, _waiting, *interrupts = Path("/proc/stat").read_text().split("\n")[0].split()[1:9]
    return sum(int(ticks) for ticks in (user, nice, system, *interrupts)) / TICKS


@contextmanager
def a_site(stack: ExitStack) -> Iterator[Site]:
    """Start PostgreSQL and Valkey, with this process's settings."""
    folder = stack.enter_context(temporary_folder())
    database = servers.start_postgres(folder / "postgres", folder / "postgres", folder / "postgres.log", durable=True)
    stack.callback(database.stop)
    cache = servers.start_valkey(folder / "valkey", folder / "valkey.log")
    stack.callback(cache.stop)
    os.environ |= {
        "DATABASE_URL": database.url,
        "REDIS_URL": cache.url,
        "SECRET_KEY": secrets.token_urlsafe(50),
        "LOCAL_STATIC": "1",
        "EMAIL_URL": f"file:///{folder}/mail",
    }
    set_up_django()
    yield Site(folder, database.child, cache.child)


def build(clubs: int, tables: int) -> None:
    """Fill the database with clubs, players and a history of so many tables, and compute all."""
    from django.utils import timezone

    from bench import leagues
    from bench.night import run_everything

    rooms = [LARGER] * (clubs // 2) + [SMALLER] * (clubs - clubs // 2)
    weeks = max(2, round(tables / sum(rooms) / leagues.ROUNDS))
    years = max(1, weeks // WEEKS)
    start = time.perf_counter()
    league = leagues.build_shape(
        leagues.Shape(rooms, years, weeks // years, DEALS),
        today=timezone.localdate(),
    )
    built = time.perf_counter()
    run_everything(timezone.now())
    print(
        f"{league.clubs:,} clubs, {league.players:,} players, {league.tables:,} tables, {league.deals:,} deals: built "
        f"in {built - start:.0f} s, computed in {time.perf_counter() - built:.0f} s",
        flush=True,
    )


def record_requests(tonight: int) -> list[Request]:
    """Open an evening in `tonight` clubs of tarot. Return the requests of five seconds, in random order."""
    from django.test import Client
    from django.utils import timezone

    from league.evenings.views.live import fragments
    from league.models import Attendance, Evening, Round, Season, Seat, Table
    from league.models.evening import EveningState
    from league.models.rights import Role
    from tests.build import a_member, sign_in, watched

    seasons = list(Season.objects.running().filter(game="tarot").with_club().order_by("club")[:tonight])
    today, now = timezone.localdate(), timezone.now()
    evenings = Evening.objects.bulk_create(
        Evening(season=season, date=today, state=EveningState.OPEN, opened_at=now) for season in seasons
    )
    rounds = Round.objects.bulk_create(Round(evening=evening, number=1) for evening in evenings)
    requests: list[Request] = []
    for number, (season, evening, round_) in enumerate(zip(seasons, evenings, rounds, strict=True)):
        members = season.club.memberships.order_by("player").values_list("player", flat=True)
        players = list(members[: 4 * OPEN_TABLES])
        Attendance.objects.bulk_create(Attendance(evening=evening, player_id=player) for player in players)
        tables = Table.objects.bulk_create(
            Table(round=round_, number=place + 1, size=4) for place in range(OPEN_TABLES)
        )
        Seat.objects.bulk_create(
            Seat(table=tables[place // 4], round=round_, number=place % 4, player_id=player)
            for place, player in enumerate(players)
        )
        secretary, member = (
            sign_in(Client(), a_member(season.club, role)).cookies["sessionid"].value
            for role in (Role.SECRETARY, Role.MEMBER)
        )
        table = tables[number % OPEN_TABLES]
        form = {"contract": "guard", "taker": str(number % 4), "oudlers": "1"}
        requests.append(Request("deal", f"/tables/{table.pk}/deals/record", secretary, form))
        requests.append(Request("sheet", f"/tables/{table.pk}/", secretary))
        pages = [
            f"/evenings/{evening.pk}/",
            f"/seasons/{season.pk}/",
            f"/clubs/{season.club.slug}/",
            f"/players/{players[number % len(players)]}/" if number % 3 else "/games/tarot/leaderboard",
        ]
        requests += [
            Request("page", path, "" if (number + place) % 3 else member) for place, path in enumerate(pages[:PAGES])
        ]
        requests += [
            Request("watcher", f"/live/{fragments.sign_live_token(watched(evening))}/evening.html", "")
        ] * POLLS
    Random(SEED).shuffle(requests)
    return requests


def send(ports: Sequence[int], requests: Sequence[Request], turn: int) -> Mapping[str, list[float]]:
    """Send all requests with several clients at once; return the milliseconds of each response, by kind.

    `turn` differs in each call: the idempotency keys and the points of the deals depend on it.
    """
    waiting: SimpleQueue[tuple[int, Request]] = SimpleQueue()
    for numbered in enumerate(requests):
        waiting.put(numbered)
    took: dict[str, list[float]] = defaultdict(list)
    wrong: list[str] = []

    def client(port: int) -> None:
        while not wrong:
            try:
                number, (kind, path, session, form) = waiting.get_nowait()
            except Empty:
                return
            start = time.perf_counter()
            try:
                browser = Browser(port, session)  # a new connection each time, as proxies open it
                if form is None:
                    answer = browser.get(path)
                else:
                    key = str(UUID(int=turn << 64 | number, version=4))
                    answer = browser.post(path, {**form, "points": str(40 + turn), "client_key": key})
            except (OSError, HTTPException):  # the server ends a connection that waited too long for a thread
                took["cut off"].append(1000 * (time.perf_counter() - start))
                continue
            took[kind].append(1000 * (time.perf_counter() - start))
            if answer.status != (200 if form is None else 302):
                wrong.append(f"{path} answers {answer.status}")

    threads = [threading.Thread(target=client, args=(ports[number % len(ports)],)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if wrong:
        raise SystemExit(wrong[0])
    return took


def measured(site: Site, groups: int, requests: Sequence[Request], turn: int) -> Phase:
    """Send the requests to so many groups, and look at the connections meanwhile."""
    done = threading.Event()
    most, states = 0, Counter[str]()

    def look() -> None:
        nonlocal most
        from django.db import connection

        with connection.cursor() as cursor:
            while not done.wait(SAMPLE):
                cursor.execute(
                    """
                    SELECT state, coalesce(wait_event_type, 'processor') FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """
                )
                rows = cursor.fetchall()
                most = max(most, len(rows))
                states.update(event for state, event in rows if state == "active")
        connection.close()

    looking = threading.Thread(target=look)
    looking.start()
    before, start = site.seconds(), time.perf_counter()
    took = send(site.ports[:groups], requests, turn)
    seconds, after = time.perf_counter() - start, site.seconds()
    done.set()
    looking.join()
    used = Counter({part: after[part] - before[part] for part in after})
    return Phase(seconds, took, used, most, states)


def pin(group: Child, processors: set[int]) -> None:
    """Let a group run on these processors only."""
    for process in family(group.process.pid):
        for thread in Path(f"/proc/{process}/task").iterdir():
            os.sched_setaffinity(int(thread.name), processors)


def report(name: str, phase: Phase, clubs: float) -> None:
    """Print one phase."""
    asked = sum(map(len, phase.took.values()))
    others = phase.used["machine"] - sum(phase.used[part] for part in ("web", "database", "cache", "clients"))
    print(
        f"\n{name}: {asked:,} requests in {phase.seconds:.0f} s, {asked / phase.seconds:.0f} a second; "
        f"{clubs * SECONDS / phase.seconds:.1f} evenings at once"
    )
    for kind, times in sorted(phase.took.items()):
        print(f"  {kind:<10}{len(times):>7} answers   p50 {p50(times):>7.1f} ms   p95 {p95(times):>7.1f} ms")
    parts = ", ".join(f"{part} {phase.used[part]:.1f}" for part in ("web", "database", "cache", "clients"))
    print(f"  processor seconds: {parts}, other programs {others:.1f}")
    looked = sum(phase.states.values()) or 1
    waits = ", ".join(f"{event} {100 * count / looked:.0f} %" for event, count in phase.states.most_common(5))
    print(f"  connections: at most {phase.most_connections}; those at work wait for: {waits or 'nothing'}", flush=True)


def report_limits(phase: Phase, clubs: int, of_group: float) -> None:
    """Print the CPU time of one evening by part, and the number of web groups that use all database connections."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SHOW max_connections")
        (connections,) = cursor.fetchone()
    per_evening = {part: phase.used[part] / clubs / SECONDS for part in ("web", "database", "cache")}
    print("\nOf one evening, milliseconds of a processor each second: ", end="")
    print(", ".join(f"{part} {1000 * seconds:.1f}" for part, seconds in per_evening.items()))
    print(
        f"  {clubs} evenings need {clubs * per_evening['web']:.1f} processors for the web, "
        f"{clubs * per_evening['database']:.1f} for the database; a processor of the database serves "
        f"{per_evening['web'] / per_evening['database']:.1f} of the web"
    )
    print(
        f"  {of_group:.0f} connections per group of web processes: {int(int(connections) / of_group)} groups fill the "
        f"{connections} of PostgreSQL"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.federation")
    parser.add_argument("--tables", type=int, default=100_000, help="length of the history (default %(default)s)")
    parser.add_argument("--clubs", type=int, default=CLUBS)
    parser.add_argument("--tonight", type=int, default=TONIGHT, help="clubs that play tonight (default %(default)s)")
    options = parser.parse_args()
    processors = sorted(os.sched_getaffinity(0))
    half = max(1, len(processors) // 2)
    first, second = set(processors[:half]), set(processors[half:] or processors)
    print(f"{len(processors)} processors, load of the machine before {os.getloadavg()[0]:.1f}", flush=True)
    with ExitStack() as stack, a_site(stack) as site:
        build(options.clubs, options.tables)
        requests = record_requests(options.tonight)
        clubs = sum(request.kind == "deal" for request in requests)
        for _group in range(2):
            site.add_group(stack)
        for port in site.ports:
            send([port], requests[: len(requests) // 10], 1 + site.ports.index(port))  # all is loaded
        whole = measured(site, 1, requests, 3)
        report("one group on the whole machine", whole, clubs)
        for group, share in zip(site.groups, (first, second), strict=True):
            pin(group, share)
        fewer = requests[: len(requests) // FEWER]
        phases = []
        for turn, groups in enumerate((1, 2, 1), start=4):
            phases.append(measured(site, groups, fewer, turn))
            name = "one group on half of the processors" if groups == 1 else "two groups on half of the processors each"
            report(name, phases[-1], clubs / FEWER)
        before, both, after = phases
        print(f"\na second group brings {(before.seconds + after.seconds) / 2 / both.seconds:.2f} times the requests")
        report_limits(whole, clubs, both.most_connections / 2)


if __name__ == "__main__":
    main()
