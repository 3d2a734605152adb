"""Measure how fast sixteen clients record the deals of an evening, compared with a POST that is always refused.

The refused POST marks a table of a closed evening as complete without a reason. The server only checks session, CSRF
token and rights, and fetches the table. All connections stay open.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from queue import Empty, SimpleQueue
from typing import NamedTuple
from uuid import UUID

from django.db.models import Sum

from bench.web import Browser, Web, p50, p95
from league.models import Deal, Score, Seat, Table
from league.models.evening import EveningState

CLIENTS = 16
REPEATED_SHARE = 10  # one in ten deals is sent twice at the same time, as by a double click
SEED = 20
SINGLE_CLIENT_POSTS, WARM = (
    150,
    15,
)  # refused POSTs of a single client, and how many of them are left out at the beginning
SHARE = 0.25
REFUSED = {"finished": "yes"}

Form = Mapping[str, str]


class Post(NamedTuple):
    """A form and its URL. `expected` is the beginning of the URL to which the response redirects."""

    path: str
    form: Form
    expected: str


class Rate(NamedTuple):
    """Responses per second of all clients together, and the milliseconds of each response, measured by its client."""

    a_second: float
    milliseconds: list[float]


def deals_for(tables: Sequence[int], per_table: int) -> list[Post]:
    """Return `per_table` deals for each table, each with its own idempotency key. The tables alternate."""
    rng = random.Random(SEED)
    posts = []
    for number in range(per_table):
        for table in tables:
            form = {
                "contract": rng.choice(["take", "guard"]),
                "taker": str(rng.randrange(4)),
                "points": str(
                    35 + number % 26
                ),  # different from the deal before, because an equal deal must be confirmed
                "oudlers": str(rng.randint(1, 2)),
                "client_key": str(UUID(int=rng.getrandbits(128), version=4)),
            }
            posts.append(Post(f"/tables/{table}/deals/record", form, f"/tables/{table}/"))
    return posts


def doubled(posts: Sequence[Post]) -> list[Post]:
    """Return the deals, with every tenth deal twice in succession."""
    return [
        post
        for number, per_table in enumerate(posts)
        for post in [per_table] * (2 if number % REPEATED_SHARE == 0 else 1)
    ]


def refusals(table: int, many: int) -> list[Post]:
    """Return `many` equal POSTs that the server refuses."""
    return [Post(f"/tables/{table}/finish", REFUSED, f"/tables/{table}/")] * many


def sent(port: int, session: str, posts: Sequence[Post]) -> Rate:
    """Send all forms by all clients together. Exit at the first unexpected response."""
    waiting: SimpleQueue[Post] = SimpleQueue()
    for post in posts:
        waiting.put(post)
    took: list[float] = []
    wrong: list[str] = []
    ready = threading.Barrier(CLIENTS + 1)

    def client() -> None:
        browser = Browser(port, session)
        ready.wait()
        while not wrong:
            try:
                post = waiting.get_nowait()
            except Empty:
                return
            start = time.perf_counter()
            answer = browser.post(post.path, post.form)
            took.append(1000 * (time.perf_counter() - start))
            if answer.status != 302 or not answer.location.startswith(post.expected):
                wrong.append(f"{post.path} {post.form}: {answer.status} {answer.location}")

    threads = [threading.Thread(target=client) for _ in range(CLIENTS)]
    for thread in threads:
        thread.start()
    ready.wait()
    start = time.perf_counter()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - start
    if wrong or len(took) != len(posts):
        raise SystemExit(f"{len(took)} of {len(posts)} forms were answered; {wrong}")
    return Rate(len(took) / seconds, took)


def check(posts: Sequence[Post], tables: Sequence[int], per_table: int) -> str:
    """Exit unless each deal is stored exactly once and all sums follow from the deals. Return a line for the output."""
    stored = Counter(Deal.objects.not_voided().filter(table__in=tables).values_list("client_key", flat=True))
    wanted = {UUID(str(post.form["client_key"])) for post in posts}
    double = [key for key, times in stored.items() if times > 1]
    if lost := wanted - set(stored):
        raise SystemExit(f"{len(lost)} deals are lost")
    if double or set(stored) != wanted:
        raise SystemExit(f"{len(double)} deals stand twice, {len(set(stored) - wanted)} were never sent")
    for table in tables:
        numbers = list(Deal.objects.filter(table=table).order_by("number").values_list("number", flat=True))
        if numbers != list(range(1, per_table + 1)):
            raise SystemExit(f"the deals of table {table} have the numbers {numbers}")
    sums = dict(
        Score.objects.filter(deal__table__in=tables).order_by().values_list("seat").annotate(points=Sum("points"))
    )
    if sums != dict(Seat.objects.filter(table__in=tables).order_by().values_list("pk", "points")):
        raise SystemExit("seats have other points than their deals give")
    return f"{len(wanted):,} deals, each once; sums and numbers follow"


def rates(web: Web, session: str, tables: Sequence[int], per_table: int) -> None:
    """Record `per_table` deals at each table, with refused POSTs before and after, and print the rates."""
    closed = Table.objects.filter(round__evening__state=EveningState.CLOSED).earliest("pk").pk
    first = deals_for(tables, per_table)
    plain, by_form = refusals(closed, len(first)), doubled(first)
    browser = Browser(web.port, session)
    for post in plain[:SINGLE_CLIENT_POSTS]:
        browser.post(post.path, post.form)
    alone = web.milliseconds()[f"POST {plain[0].path}"][WARM:]
    print(f"\na POST that only checks, alone: {p50(alone):.2f} ms in the server, p95 {p95(alone):.2f}")
    sent(web.port, session, plain)  # after this all threads have imported their modules
    before, recorded, after = (sent(web.port, session, posts) for posts in (plain, by_form, plain))
    print(f"{f'POST, {CLIENTS} clients':<24}{'a second':>9}{'p50 ms':>9}{'p95 ms':>9}")
    for name, rate in (("only checked, before", before), ("recorded", recorded), ("only checked, after", after)):
        print(f"{name:<24}{rate.a_second:>9.0f}{p50(rate.milliseconds):>9.1f}{p95(rate.milliseconds):>9.1f}")
    share = 2 * recorded.a_second * len(first) / len(by_form) / (before.a_second + after.a_second)
    verdict = "kept" if share >= SHARE else "MISSED"
    print(
        f"  {100 * share:.0f} % of the rate, what was sent twice counted once  {verdict}: at least {100 * SHARE:.0f} %"
    )
    print(f"  {check(first, tables, per_table)}, {len(by_form) - len(first)} of them sent twice")
