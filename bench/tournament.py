"""`python -m bench.tournament`: measure the ranking page of 150 pairs after five rounds, and the draw of the sixth
round.

The page is compared with an empty page, as in bench.pages, without a change and after each change of the club. Times
are measured by the server. The draw is the CPU time from the units to the stored tables. Then 16 clients enter the
sixth round, while 500 readers open the ranking every ten seconds.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Sequence
from random import Random
from uuid import uuid4

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
os.environ["LOCAL_STATIC"] = "1"
django.setup()

from django.core.management import call_command  # noqa: E402  models want Django set up
from django.test import Client  # noqa: E402

from bench.pages import note_change  # noqa: E402
from bench.recording import Post  # noqa: E402
from bench.watchers import Observations, watch  # noqa: E402
from bench.web import Browser, p50, p95, web_server  # noqa: E402
from league.models import Round, Tournament  # noqa: E402
from league.models.evening import EveningState  # noqa: E402
from league.models.rights import Role  # noqa: E402
from league.tournaments.queries.ranking import current_ranking  # noqa: E402
from tests.build import (  # noqa: E402
    a_club,
    a_drawn_round,
    a_member,
    a_running_tournament,
    a_season,
    an_evening,
    written_totals,
)

PAIRS, ROUNDS = 150, 5
REQUESTS, WARM = 100, 10
GOAL = 4  # limit of the p50, relative to the empty page
DRAW_GOAL = 1.0  # seconds
CLIENTS, PAUSE = 16, 10.0  # clients that enter results; seconds between two tables
WATCHERS, POLL = 500, 10.0  # clients that read the ranking; seconds between two requests


def main() -> None:
    call_command("migrate", verbosity=0)
    club = a_club(public=True)
    admin = a_member(club, Role.ADMIN)
    evening = an_evening(a_season(club), EveningState.OPEN)
    tournament = a_running_tournament(club, units=PAIRS, places=PAIRS, rounds=ROUNDS + 1)
    rng = Random(1)
    for _ in range(ROUNDS):
        play_round(tournament, rng)
    start = time.process_time()
    last_round = a_drawn_round(tournament)
    spent = time.process_time() - start
    client = Client()
    assert admin.user is not None
    client.force_login(admin.user)
    with web_server() as web:
        browser = Browser(web.port, client.cookies["sessionid"].value)
        pages = {
            "empty page": f"/evenings/{evening.pk}/cancel",
            "ranking": f"/tournaments/{tournament.pk}/ranking",
        }
        for _ in range(WARM + REQUESTS):
            for path in pages.values():
                if browser.get(path).status != 200:
                    raise SystemExit(f"{path} does not answer")
        for _ in range(REQUESTS):
            note_change(club.pk)
            browser.get(pages["ranking"])
        milliseconds = web.milliseconds()
        entries = asyncio.run(
            enter_while_watched(web.port, client.cookies["sessionid"].value, posts_for(last_round), pages["ranking"])
        )
    times = {name: milliseconds[f"GET {path}"][WARM : WARM + REQUESTS] for name, path in pages.items()}
    times["after a change"] = milliseconds[f"GET {pages['ranking']}"][-REQUESTS:]
    print(f"{PAIRS} pairs, {ROUNDS} rounds")
    empty = p50(times["empty page"])
    for name, values in times.items():
        print(f"{name:<16}{p50(values):8.2f} ms p50{p95(values):8.2f} ms p95{p50(values) / empty:8.2f} × an empty page")
    is_within_goal = p50(times["ranking"]) <= GOAL * empty
    print(f"ranking without a change {'kept' if is_within_goal else 'MISSED'}: at most {GOAL} × an empty page")
    print(
        f"draw of round {ROUNDS + 1}: {spent:.2f} s {'kept' if spent <= DRAW_GOAL else 'MISSED'}: at most {DRAW_GOAL}"
    )
    report_entries(*entries, tournament)


def posts_for(round_: Round) -> list[Post]:
    """Return the forms with the totals of each table of the round."""
    rng = Random(6)
    posts = []
    for table in round_.tables.all():
        points = rng.randrange(1945)
        totals = {f"seat_{seat}": str((points, 1944 - points)[seat % 2]) for seat in range(4)}
        form = {**totals, "deals": "12", "seen_version": "0", "client_key": str(uuid4())}
        posts.append(Post(f"/tables/{table.pk}/totals", form, f"/tables/{table.pk}/"))
    return posts


async def enter_while_watched(
    port: int, session: str, posts: Sequence[Post], ranking: str
) -> tuple[Observations, list[float], list[str]]:
    """Enter the results while readers watch the ranking.

    Return the readers' observations, the milliseconds of each entry, and the entries that were refused.
    """
    took: list[float] = []
    wrong: list[str] = []
    clients = [
        threading.Thread(target=enter, args=(port, session, posts[number::CLIENTS], number, took, wrong))
        for number in range(CLIENTS)
    ]
    seconds = PAUSE * (len(posts) // CLIENTS + 2)
    observations = Observations(until=time.monotonic() + seconds)
    for entering in clients:
        entering.start()
    crowd = (watch(number, WATCHERS, port, ranking, POLL, observations) for number in range(WATCHERS))
    await asyncio.gather(*crowd)
    for entering in clients:
        entering.join()
    return observations, took, wrong


def enter(port: int, session: str, posts: Sequence[Post], number: int, took: list[float], wrong: list[str]) -> None:
    """Send the forms as one client, with a pause after each. Add milliseconds to `took`, and failures to `wrong`."""
    browser = Browser(port, session)
    time.sleep(PAUSE * number / CLIENTS)
    for post in posts:
        start = time.perf_counter()
        answer = browser.post(post.path, post.form)
        took.append(1000 * (time.perf_counter() - start))
        if answer.status != 302 or not answer.location.startswith(post.expected):
            wrong.append(f"{post.path}: {answer.status} {answer.location}")
        time.sleep(PAUSE)


def report_entries(observations: Observations, took: list[float], wrong: list[str], tournament: Tournament) -> None:
    """Print the times. Exit if an entry was refused, or if the ranking has a wrong sum."""
    if wrong:
        raise SystemExit(f"entries were refused: {wrong}")
    _season, rows = current_ranking(tournament)
    expected = 1944 * len(rows) // 2 * (ROUNDS + 1)
    if sum(row.points for row in rows) != expected:
        raise SystemExit(f"the ranking does not add up to {expected} points")
    answers = [1000 * seconds for seconds in observations.answers]
    statuses = ", ".join(f"{number} × {status}" for status, number in sorted(observations.statuses.items()))
    print(
        f"{len(took)} tables entered by {CLIENTS} clients: p50 {p50(took):.0f} ms, p95 {p95(took):.0f} ms; none is lost"
    )
    print(
        f"{WATCHERS} readers of the ranking meanwhile: p50 {p50(answers):.0f} ms, p95 {p95(answers):.0f} ms, "
        f"worst {max(answers):.0f} ms ({statuses})"
    )


def play_round(tournament: Tournament, rng: Random) -> None:
    """Draw a round and store random totals at its tables."""
    for table in a_drawn_round(tournament).tables.all():
        points = rng.randrange(1945)
        written_totals(table, [points, 1944 - points] * 2, deals=12)


if __name__ == "__main__":
    main()
