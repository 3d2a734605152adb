"""Sixteen secretaries record a thousand deals during random kills: each confirmed deal is stored once."""

from __future__ import annotations

import secrets
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPException
from itertools import count
from pathlib import Path
from random import Random
from urllib.parse import urlencode
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from league.models import Deal, Score, Table
from league.models.rights import Role
from league.operations.work.verification import verify
from tests.build import a_club, a_member, a_season, a_table, an_evening, sign_in
from tests.faults import played
from tests.faults.conftest import Installation
from tests.faults.machines import wait_for
from tests.webserver import WebServer

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

DESKS, DEALS = 16, 1000
KILLS = 6  # of each kind
PATIENCE = 240.0  # seconds for all deals, on a machine busy with others
SECRET = "a" * 32  # Django compares the cookie's with the header's


class SecretaryDesk(threading.Thread):
    """A secretary who sends each deal of a table until it is answered as recorded, as the pages do."""

    def __init__(self, table: Table, session: str, port: int, numbers: Iterator[int]) -> None:
        super().__init__(name=f"desk {table.number}", daemon=True)
        self._sheet, self._path = table.get_absolute_url(), reverse("league:deal-record", args=[table.pk])
        self._headers = {
            "Cookie": f"sessionid={session}; csrftoken={SECRET}",
            "X-CSRFToken": SECRET,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        self._port, self._numbers = port, numbers
        self.recorded: dict[UUID, int] = {}
        self.answers: Counter[str] = Counter()

    def run(self) -> None:
        end = time.monotonic() + PATIENCE
        for number in self._numbers:
            # Without a question of the desk: neither doubtful, nor equal to the deal before.
            key, points = uuid4(), 30 + 2 * (number % 15) + len(self.recorded) % 2
            while not self._is_recorded(key, points):
                if time.monotonic() > end:
                    return
                time.sleep(0.05)
            self.recorded[key] = points

    def _is_recorded(self, key: UUID, points: int) -> bool:
        form = {"contract": "take", "taker": "0", "points": points, "oudlers": "2", "client_key": key}
        connection = HTTPConnection("127.0.0.1", self._port, timeout=20)
        try:
            connection.request("POST", self._path, urlencode(form), self._headers)
            answer = connection.getresponse()
            location = answer.headers["Location"]
            self.answers[str(answer.status)] += 1
            return answer.status == 302 and location == self._sheet
        except (OSError, HTTPException) as error:
            self.answers[type(error).__name__] += 1
            return False
        finally:
            connection.close()


def desks(port: int) -> list[SecretaryDesk]:
    """Return the secretaries of a club, each at an empty table of the same evening."""
    club = a_club()
    evening = an_evening(a_season(club, table_sizes=[4], end_number=DEALS))
    lock, numbers = threading.Lock(), count()

    def shared() -> Iterator[int]:
        while True:
            with lock:
                number = next(numbers)
            if number >= DEALS:
                return
            yield number

    threads = []
    for _ in range(DESKS):
        browser = sign_in(Client(), a_member(club, Role.SECRETARY))
        threads.append(SecretaryDesk(a_table(evening), browser.cookies["sessionid"].value, port, shared()))
    return threads


def test_what_was_answered_as_recorded_is_there_once(installation: Installation, tmp_path: Path) -> None:
    database, machines = installation
    seed = secrets.randbelow(10**9)
    rng = Random(seed)
    web = WebServer(tmp_path, DATABASE_URL=database.url, REDIS_URL=machines.queue)
    machines.tick_along(1)

    def kill_web() -> None:
        web.kill()
        web.start()

    def kill_database() -> None:
        connection.close()
        database.stop(signal.SIGKILL)
        database.start()

    kills: dict[str, Callable[[], object]] = {
        "web": kill_web,
        "worker": lambda: machines.kill(rng.choice(sorted(machines.workers))),
        "database": kill_database,
        "queue": machines.lose_queue,
    }
    begun = desks(web.port)
    connection.close()
    order = rng.sample(sorted(kills) * KILLS, len(kills) * KILLS)
    moments = sorted(rng.sample(range(DEALS), len(order)))
    started = time.monotonic()
    try:
        web.start()
        for desk in begun:
            desk.start()
        for moment, target in zip(moments, order, strict=True):
            while sum(len(desk.recorded) for desk in begun) < moment and any(desk.is_alive() for desk in begun):
                time.sleep(0.01)
            kills[target]()
        for desk in begun:
            desk.join()
    finally:
        web.kill()
    answers = sum((desk.answers for desk in begun), Counter())
    print(f"seed {seed}: {len(order)} kills in {time.monotonic() - started:.0f} s; answers {dict(answers)}")

    recorded = {key: points for desk in begun for key, points in desk.recorded.items()}
    assert len(recorded) == DEALS, answers
    stored = Deal.objects.filter(client_key__in=recorded)
    assert {deal.client_key: deal.facts["points"] for deal in stored} == recorded
    assert Deal.objects.count() == DEALS
    assert Score.objects.count() == DEALS * 4
    machines.up()
    machines.tick()
    wait_for(played.over, "the run's end")
    assert list(verify()) == []
