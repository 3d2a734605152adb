"""`make bench-phone`: measure when a page is usable on a phone with a slow connection, at a first visit and later.

    python -m deploy.servers python -m bench.phone

Chromium on this machine requests the demo club's pages from gunicorn, with styles and scripts as in a deployment: with
hashed names and compressed. Its network is limited like "slow 3G" of browser tools: 400 kbit/s, and a latency of 400
ms. A page is usable when it is drawn and its scripts have run. The first visit is by a browser with an empty cache. The
later visit has the styles and scripts of another page.

Chromium does not delay the opening of a connection, so two latencies (TCP and TLS) are added to a first visit. The CPU
is not slowed down. The server runs on the same machine.
"""

from __future__ import annotations

import os
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"  # Playwright runs an event loop in this thread
os.environ["LOCAL_STATIC"] = "false"  # static files as in a deployment
django.setup()

from django.core.management import call_command  # noqa: E402  models want Django set up
from django.test import Client  # noqa: E402
from playwright.sync_api import Browser, BrowserContext, ViewportSize, sync_playwright  # noqa: E402

from bench.web import web_server  # noqa: E402
from league.models import Evening, Season, Standing  # noqa: E402
from league.models.season import SeasonState  # noqa: E402
from players.models import User  # noqa: E402
from tests.browser import FLAGS, MISSING, chromium  # noqa: E402

LATENCY: Final = 400  # ms from a request to the beginning of its response
BYTES: Final = 400_000 // 8  # per second
HANDSHAKES: Final = 2 * LATENCY
FIRST, AFTER = 4.0, 1.5  # limits in seconds for a first and a later visit
WIRE: Final = 75 * 1024  # limit of bytes for a first visit
TIMES: Final = 3  # visits per page; the result is the median
READER: Final = "member@demo.example"
PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
USABLE: Final = """
() => new Promise((found) => new PerformanceObserver((list, observer) => {
    observer.disconnect();
    const [page] = performance.getEntriesByType("navigation");
    found(Math.max(page.domContentLoadedEventEnd, list.getEntriesByName("first-contentful-paint")[0].startTime));
}).observe({type: "paint", buffered: true}))
"""


class Visit(NamedTuple):
    """A visit of a page: ms until the page was usable, number of requests, and bytes of their responses."""

    usable: float
    requests: int
    received: int


def pages() -> dict[str, str]:
    """Return the URLs of the demo club's pages by name."""
    closed = Season.objects.filter(state=SeasonState.CLOSED).earliest("pk")
    season = Season.objects.running().earliest("pk")
    evening = Evening.objects.closed().filter(season=season).latest("date")
    player = Standing.objects.filter(season=season).earliest("rank").player_id
    return {
        "home": "/",
        "club": season.club.get_absolute_url(),
        "standings": season.get_absolute_url(),
        "closed season": closed.get_absolute_url(),
        "evening": evening.get_absolute_url(),
        "player": f"/players/{player}/",
        "statistics": f"/players/{player}/statistics/{season.game}",
        "leaderboard": f"/games/{season.game}/leaderboard",
        "rules": f"/games/{season.game}/rules",
        "calculator": f"/games/{season.game}/calculator",
        "sign in": "/account/login/",
    }


@contextmanager
def phone(browser: Browser, site: str, session: str) -> Iterator[BrowserContext]:
    """Open a browser context with an empty cache. `session` is a session key, or "" for a visitor."""
    context = browser.new_context(base_url=site, viewport=PHONE, is_mobile=True, has_touch=True)
    if session:
        context.add_cookies([{"name": "sessionid", "value": session, "url": site}])
    try:
        yield context
    finally:
        context.close()


def visit(context: BrowserContext, path: str) -> Visit:
    """Open a page on the slow network."""
    page = context.new_page()
    network = context.new_cdp_session(page)
    received: list[int] = []
    network.on("Network.loadingFinished", lambda said: received.append(int(said["encodedDataLength"])))
    network.send("Network.enable")
    slow = {"offline": False, "latency": LATENCY, "downloadThroughput": BYTES, "uploadThroughput": BYTES}
    network.send("Network.emulateNetworkConditions", slow)
    answer = page.goto(path, wait_until="networkidle")
    if answer is None or answer.status != 200:
        raise SystemExit(f"{path} answers {answer and answer.status}")
    usable = page.evaluate(USABLE)
    page.close()
    fetched = [
        response_size for response_size in received if response_size
    ]  # responses from the browser's cache have 0 bytes
    return Visit(usable, len(fetched), sum(fetched))


def median(visits: list[Visit]) -> Visit:
    """Return the median of each number."""
    return Visit(*(round(statistics.median(numbers)) for numbers in zip(*visits, strict=True)))


def main() -> None:
    """Run all measurements and print the results."""
    program = chromium()
    if program is None:
        raise SystemExit(MISSING)
    call_command("migrate", verbosity=0)
    call_command("demo")
    call_command("collectstatic", interactive=False, verbosity=0)
    client = Client()
    client.force_login(User.objects.get(email=READER))
    sessions = {"visitor": "", "member": client.cookies["sessionid"].value}
    page_list = pages()
    print(f"\n{'seconds until usable':<24}{'first':>8}{'kB':>8}{'requests':>10}{'after':>8}{'kB':>8}{'requests':>10}")
    with web_server() as web, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(program), args=list(FLAGS))
        site = f"http://localhost:{web.port}"
        for role, session in sessions.items():
            for name, path in page_list.items():
                if session and name == "sign in":
                    continue
                report(f"{name}, {role}", *both(browser, site, session, path))
        browser.close()


def both(browser: Browser, site: str, session: str, path: str) -> tuple[Visit, Visit]:
    """Return the median first visit of a page, and the median visit after another page."""
    first, after = [], []
    for _ in range(TIMES):
        with phone(browser, site, session) as context:
            first.append(visit(context, path))
        with phone(browser, site, session) as context:
            visit(context, "/games/")
            after.append(visit(context, path))
    return median(first), median(after)


def report(name: str, first: Visit, after: Visit) -> None:
    """Print the numbers of a page, and whether they are within the limits."""
    seconds = (first.usable + HANDSHAKES) / 1000, after.usable / 1000
    is_kept = seconds[0] <= FIRST and seconds[1] <= AFTER and first.received <= WIRE
    numbers = [
        f"{limit_seconds:>8.2f}{visit_.received / 1024:>8.1f}{visit_.requests:>10}"
        for limit_seconds, visit_ in zip(seconds, (first, after), strict=True)
    ]
    goal = f"at most {FIRST:g} s, {WIRE // 1024} kB and {AFTER:g} s"
    print(f"{name:<24}{''.join(numbers)}  {'kept' if is_kept else 'MISSED'}: {goal}", flush=True)


if __name__ == "__main__":
    main()
    sys.stdout.flush()
