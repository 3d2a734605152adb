"""`python -m bench.tournament`: the ranking page of 150 pairs after five rounds, and the draw of the sixth.

The page is compared with an empty page, as in bench.pages; times are the server's own. It is read without a change, and
after a change of the club each time. The draw is the CPU time from
the units to the stored tables, beside the time of an empty page's request.
"""

from __future__ import annotations

import os
import time
from random import Random

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
os.environ["LOCAL_STATIC"] = "1"
django.setup()

from django.core.management import call_command  # noqa: E402  models want Django set up
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from bench.web import Browser, p50, p95, web_server  # noqa: E402
from league.models import Club, Tournament  # noqa: E402
from league.models.evening import EveningState  # noqa: E402
from league.models.rights import Role  # noqa: E402
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
GOAL = 4  # times the empty page
DRAW_GOAL = 1.0  # seconds


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
    a_drawn_round(tournament)
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
            note_change(club)
            browser.get(pages["ranking"])
        milliseconds = web.milliseconds()
    times = {name: milliseconds[f"GET {path}"][WARM : WARM + REQUESTS] for name, path in pages.items()}
    times["after a change"] = milliseconds[f"GET {pages['ranking']}"][-REQUESTS:]
    print(f"{PAIRS} pairs, {ROUNDS} rounds")
    empty = p50(times["empty page"])
    for name, values in times.items():
        print(f"{name:<16}{p50(values):8.2f} ms p50{p95(values):8.2f} ms p95{p50(values) / empty:8.2f} × an empty page")
    kept = p50(times["ranking"]) <= GOAL * empty
    print(f"ranking without a change {'kept' if kept else 'MISSED'}: at most {GOAL} × an empty page")
    print(
        f"draw of round {ROUNDS + 1}: {spent:.2f} s {'kept' if spent <= DRAW_GOAL else 'MISSED'}: at most {DRAW_GOAL}"
    )


def note_change(club: Club) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT league_note_change(%s)", [club.pk])


def play_round(tournament: Tournament, rng: Random) -> None:
    for table in a_drawn_round(tournament).tables.all():
        points = rng.randrange(1945)
        written_totals(table, [points, 1944 - points] * 2, deals=12)


if __name__ == "__main__":
    main()
