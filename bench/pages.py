"""`make bench-pages`: measure the pages of a large league in comparison with an empty page, and the recording of deals.

    python -m deploy.servers python -m bench.pages [--tables 1000000]        10000 for a first try

First the queries of the demo club's pages are counted. Then the league replaces the demo club (bench.leagues), is
computed, and gets an open evening. An admin of its first club requests the pages in turn, in many rounds, from gunicorn
with two workers. Times are measured by the server. The empty page is the page that asks whether to cancel the evening:
it reads only session, user, and the evening with the user's role, as every page of a club does. The club's page is
requested with its ETag, so that the response is a 304. The standings are requested again during a full recompute.
bench.recording describes how deals are recorded.
With `--processor`, only the cached pages are measured, in this process and by CPU time: for a machine with other work.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
os.environ["LOCAL_STATIC"] = "1"
django.setup()

from django.core.management import call_command  # noqa: E402  models want Django set up
from django.db import connection, transaction  # noqa: E402
from django.db.models import Sum  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import timezone  # noqa: E402

from bench import leagues, recording  # noqa: E402
from bench.night import run_everything  # noqa: E402
from bench.queries import RequestStatements, report, statements_of  # noqa: E402
from bench.recording_cost import spent  # noqa: E402
from bench.web import ROOT, Browser, Web, p50, p95, web_server  # noqa: E402
from deploy import child  # noqa: E402
from league.actions import attendance, evenings, seating  # noqa: E402
from league.models import Club, Deal, Evening, PlayerStatistics, Season, Table  # noqa: E402
from league.models.rights import Role  # noqa: E402
from tests.build import a_member  # noqa: E402
from tests.readers import user_of  # noqa: E402

EMPTY, RECORDING, UNCHANGED = "empty page", "POST that records", "club, unchanged"
SIZE = 4  # seats of the tables at which deals are recorded
ROUNDS, WARM = 100, 10
CONNECTIONS = 4
MAX_RECOMPUTE_SLOWDOWN = 3  # times its p95 at rest
LEAN, PLAYER, DRAWN, SAME = 4.0, 6.0, 8.0, 1.3  # times the empty page, at p50; half as much again at p95
CACHED = {page: page for page in ("standings", "leaderboard", "evening", "player", "statistics")} | {"club": UNCHANGED}
CACHED_P50, CACHED_P95 = 1.6, 2.0  # times the empty page
READER_ROUNDS = 40
LIMITS = {"standings": DRAWN, "leaderboard": DRAWN, "statistics": DRAWN, "player": PLAYER, UNCHANGED: SAME}


class Place(NamedTuple):
    """The URLs of a club's pages by name, its open evening, and the session of its admin."""

    pages: Mapping[str, str]
    evening: int
    session: str


def place() -> Place:
    """Return the pages of the first club for its admin, in the first season with an open evening."""
    club = Club.objects.earliest("pk")
    admin = club.memberships.select_related("player__user").exclude(player__user=None).get(role=Role.ADMIN).player
    assert admin.user is not None
    tonight = Evening.objects.in_progress().filter(season__club=club).earliest("season_id")
    season = tonight.season
    evening = season.evenings.closed().filter(final_at__lte=timezone.now()).latest("date")  # without open contests
    deal = Deal.objects.not_voided().filter(table__round__evening=evening).earliest("pk")
    client = Client()
    client.force_login(admin.user)
    pages = {
        EMPTY: f"/evenings/{tonight.pk}/cancel",
        "standings": f"/seasons/{season.pk}/",
        "leaderboard": f"/games/{season.game}/leaderboard",
        "evening": f"/evenings/{evening.pk}/",
        "player": f"/players/{deal.table.seats.earliest('number').player_id}/",
        "statistics": f"/players/{most_deals(season)}/statistics/{season.game}",
        UNCHANGED: f"/clubs/{club.slug}/",
        "sheet": f"/tables/{deal.table_id}/",
        "deal": f"/deals/{deal.pk}/",
    }
    return Place(pages, tonight.pk, client.cookies["sessionid"].value)


def most_deals(season: Season) -> int:
    """Return the id of the player with the most deals in the season's club and game, and print their number."""
    rows = PlayerStatistics.objects.filter(season__club=season.club_id, season__game=season.game).order_by()
    player, deals = rows.values_list("player").annotate(most=Sum("deals")).latest("most")
    print(f"statistics are those of a player with {deals:,} deals", flush=True)
    return int(player)


def counted(found: Place) -> dict[str, RequestStatements]:
    """Count the statements of each page, and of recording a deal. This deal is rolled back."""
    counts = {name: statements_of(found.session, path) for name, path in found.pages.items()}
    waiting = Table.objects.filter(round__evening=found.evening, size=SIZE).incomplete().earliest("pk")
    (post,) = recording.deals_for([waiting.pk], 1)
    with transaction.atomic():
        counts[RECORDING] = statements_of(found.session, post.path, post.form)
        transaction.set_rollback(True)
    return counts


def count_on_demo() -> dict[str, RequestStatements]:
    """Return the counts for the demo club. Leave the database empty."""
    call_command("migrate", verbosity=0)
    call_command("demo")
    counts = counted(place())
    call_command("flush", interactive=False, verbosity=0)
    return counts


def build(tables: int) -> tuple[list[int], int]:
    """Build the league, compute it, and open an evening.

    Return the ids of its tables, and the number of deals per table.
    """
    start = time.perf_counter()
    league = leagues.build(tables, today=timezone.localdate())
    built = time.perf_counter()
    run_everything(timezone.now())
    seconds = time.perf_counter() - built
    print(f"{league.tables:,} tables built in {built - start:.0f} s, computed in {seconds:.0f} s", flush=True)
    season = Club.objects.earliest("pk").seasons.running().get()
    players = list(season.standings.order_by("player_id").values_list("player_id", flat=True))
    evening, _new = evenings.plan(season.pk, date=timezone.localdate())
    evenings.open(evening.pk, now=timezone.now())
    attendance.check_in(evening.pk, players)
    open_tables = []
    for number in range(1, season.rounds + 1):
        seated = players[number:] + players[:number]
        open_tables += [
            seating.add_table(evening.pk, number, seated[begin : begin + SIZE], with_resting_player=False).pk
            for begin in range(0, len(seated), SIZE)
        ]
    return open_tables, season.end_number or 0


def page_times(web: Web, found: Place) -> None:
    """Request all pages in many rounds, and print the times in comparison with the empty page."""
    browsers = [Browser(web.port, found.session) for _ in range(CONNECTIONS)]
    tag = browsers[0].get(found.pages[UNCHANGED]).tag
    for number in range(WARM + ROUNDS):
        for name, path in found.pages.items():
            answer = browsers[number % CONNECTIONS].get(path, tag if name == UNCHANGED else "")
            if answer.status != (304 if name == UNCHANGED else 200):
                raise SystemExit(f"{path} answers {answer.status}")
    times = web.milliseconds()
    durations = {name: times[f"GET {path}"][WARM:] for name, path in found.pages.items()}
    empty = durations[EMPTY]
    print(f"\n{'ms in the server':<24}{'p50':>9}{'p95':>9}{'× p50':>9}{'× p95':>9}")
    for name, values in durations.items():
        times_50, times_95 = p50(values) / p50(empty), p95(values) / p95(empty)
        most = LIMITS.get(name, LEAN)
        verdict = "kept" if times_50 <= most and times_95 <= 1.5 * most else "MISSED"
        goal = "" if name == EMPTY else f"  {verdict}: at most {most:g} and {1.5 * most:g}"
        print(f"{name:<24}{p50(values):>9.2f}{p95(values):>9.2f}{times_50:>9.2f}{times_95:>9.2f}{goal}")


def sessions(club: Club, found: Place) -> dict[str, str]:
    """Return a session of each kind of reader of the club, which becomes public."""
    Club.objects.filter(pk=club.pk).update(public=True)
    client = Client()
    client.force_login(user_of(a_member(club)))
    return {"admin": found.session, "member": client.cookies["sessionid"].value, "visitor": ""}


def reader_costs(found: Place) -> None:
    """Print the processor time of the cached pages in this process, and of the database for them, as multiples of the
    empty page, which is asked for in turn: other work on the machine changes both alike.
    """
    club = Club.objects.earliest("pk")
    browsers = {}
    for name, session in {**sessions(club, found), EMPTY: found.session}.items():
        browsers[name] = Client(headers={"host": "localhost"})
        if session:
            browsers[name].cookies["sessionid"] = session

    def taken(name: str, page: str) -> float:
        before = sum(spent())
        if (status := browsers[name].get(found.pages[page]).status_code) != 200:
            raise SystemExit(f"{found.pages[page]} answers {status}")
        return sum(spent()) - before

    print(f"\n{'ms of the processor':<24}{'p50':>9}{'× p50':>9}{'× p95':>9}{'changed':>9}{'× p50':>9}")
    for title, page in CACHED.items():
        for name in [*browsers][:-1]:
            both = [(taken(name, page), taken(EMPTY, EMPTY)) for _ in range(READER_ROUNDS + WARM)][WARM:]
            warm, empty = (list(values) for values in zip(*both, strict=True))
            changed = []
            for _ in range(WARM):
                note_change(club.pk)
                changed.append(taken(name, page))
            times_50, times_95 = p50(warm) / p50(empty), p95(warm) / p95(empty)
            verdict = "kept" if times_50 <= CACHED_P50 and times_95 <= CACHED_P95 else "MISSED"
            print(
                f"{f'{title}, {name}':<24}{p50(warm):>9.2f}{times_50:>9.2f}{times_95:>9.2f}{p50(changed):>9.2f}"
                f"{p50(changed) / p50(empty):>9.2f}  {verdict}: at most {CACHED_P50:g} and {CACHED_P95:g}",
                flush=True,
            )


def reader_times(web: Web, found: Place) -> None:
    """Print the cached pages for each kind of reader, without a change and after a change, against the empty one."""
    club = Club.objects.earliest("pk")
    readers = sessions(club, found)
    admin = Browser(web.port, found.session)
    browsers = {name: Browser(web.port, session) for name, session in readers.items()}

    def taken(browser: Browser, path: str) -> float:
        before = len(web.milliseconds()[f"GET {path}"])
        if (status := browser.get(path).status) != 200:
            raise SystemExit(f"{path} answers {status}")
        while len(times := web.milliseconds()[f"GET {path}"]) == before:  # the log is written after the answer
            time.sleep(0.01)
        return times[-1]

    rounds = READER_ROUNDS + WARM
    empty = [taken(admin, found.pages[EMPTY]) for _ in range(rounds)][WARM:]
    print(f"\n{'ms in the server':<24}{'p50':>9}{'p95':>9}{'× p50':>9}{'× p95':>9}{'changed':>9}{'× p50':>9}")
    for title, page in CACHED.items():
        for name, browser in browsers.items():
            warm = [taken(browser, found.pages[page]) for _ in range(rounds)][WARM:]
            changed = []
            for _ in range(READER_ROUNDS):
                note_change(club.pk)
                changed.append(taken(browser, found.pages[page]))
            times_50, times_95 = p50(warm) / p50(empty), p95(warm) / p95(empty)
            verdict = "kept" if times_50 <= CACHED_P50 and times_95 <= CACHED_P95 else "MISSED"
            print(
                f"{f'{title}, {name}':<24}{p50(warm):>9.2f}{p95(warm):>9.2f}{times_50:>9.2f}{times_95:>9.2f}"
                f"{p50(changed):>9.2f}{p50(changed) / p50(empty):>9.2f}"
                f"  {verdict}: at most {CACHED_P50:g} and {CACHED_P95:g}"
            )


def note_change(club: int) -> None:
    """Give the club's pages a new version, as a write does."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT league_note_change(%s)", [club])


def meanwhile(web: Web, found: Place) -> None:
    """Measure the standings at rest, and during a full recompute by a process with the priority of the nightly
    worker.
    """
    path = found.pages["standings"]
    browser = Browser(web.port, found.session)

    def ask() -> None:
        if browser.get(path).status != 200:
            raise SystemExit(f"{path} does not answer")

    def durations() -> list[float]:
        return web.milliseconds()[f"GET {path}"]

    for _ in range(ROUNDS):
        ask()
    rest = durations()[-ROUNDS:]
    with tempfile.TemporaryDirectory() as folder:
        command = [*child.LOW_PRIORITY_PREFIX, sys.executable, "manage.py", "recompute"]
        recompute = child.start_process("the recompute", command, Path(folder, "log"), cwd=ROOT)
        start, before = time.perf_counter(), len(durations())
        while (how := recompute.exit_text()) is None:
            ask()
        if how != "ended with status 0":
            raise SystemExit(f"the recompute {how}:\n{recompute.last_log_lines()}")
    busy = durations()[before:]
    times = p95(busy) / p95(rest)
    print(
        f"\nstandings, ms in the server: p50 {p50(rest):.2f}, p95 {p95(rest):.2f} at rest; p50 {p50(busy):.2f}, "
        f"p95 {p95(busy):.2f} in {time.perf_counter() - start:.0f} s of a full recompute, {len(busy)} answers\n"
        f"  {times:.2f} × the p95  {'kept' if times <= MAX_RECOMPUTE_SLOWDOWN else 'MISSED'}: "
        f"at most {MAX_RECOMPUTE_SLOWDOWN}"
    )


def main() -> None:
    """Run all measurements and print the results."""
    parser = argparse.ArgumentParser(prog="python -m bench.pages")
    parser.add_argument("--tables", type=int, default=1_000_000, help="the league's size (default %(default)s)")
    parser.add_argument("--processor", action="store_true", help="only the processor time of cached pages")
    options = parser.parse_args()
    if options.processor:
        call_command("migrate", verbosity=0)
        build(options.tables)
        reader_costs(place())
        return
    demo = count_on_demo()
    open_tables, deals = build(options.tables)
    found = place()
    report(demo, counted(found), {RECORDING: 12, EMPTY: 5})
    with web_server() as web:
        page_times(web, found)
        reader_times(web, found)
        meanwhile(web, found)
        recording.rates(web, found.session, open_tables, deals)


if __name__ == "__main__":
    main()
