"""Simulated readers and secretaries of an evening, run by locust. `make load` starts it with a plan of URLs and
sessions.

It imports nothing of the project, because locust has an environment of its own.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections import Counter
from pathlib import Path
from typing import Any
from uuid import uuid4

from locust import FastHttpUser, between, events, task

PLAN = json.loads(Path(os.environ["LOAD_PLAN"]).read_text())
READ_EVERY, RECORD_EVERY = 20, 5  # seconds on average
# Factors of the pause. With a constant pause, clients that start together would always send together.
SOONER, LATER = 0.5, 1.5
CLOSE_HEADER = {"Connection": "close"}  # as proxies send
SECRET = "a" * 32  # the CSRF cookie; the same text is a valid token in the form
BEGIN = time.monotonic() + PLAN["warm"]

desks = iter(PLAN["desks"])
sessions = iter(PLAN["sessions"])
took: dict[str, list[float]] = {}
failed: list[str] = []
request_counts: Counter[str] = Counter()


@events.request.add_listener
def note(name: str, response_time: float, exception: Exception | None, **_more: Any) -> None:
    """Store the time of a response, once all clients have started, and each failure."""
    request_counts[name] += 1
    if exception:
        failed.append(f"{name}: {exception}")
    elif time.monotonic() >= BEGIN:
        took.setdefault(name, []).append(response_time)


@events.quitting.add_listener
def write_results(**_more: Any) -> None:
    """Write all results to a file."""
    Path(os.environ["LOAD_FOUND"]).write_text(json.dumps({"took": took, "failed": failed, "asked": request_counts}))


class Reader(FastHttpUser):
    """A user who opens a page, reads it, and opens another page."""

    fixed_count = PLAN["readers"]
    wait_time = between(SOONER * READ_EVERY, LATER * READ_EVERY)

    def on_start(self) -> None:
        """Start at a random moment. One in three readers is signed in."""
        time.sleep(random.random())  # locust starts all clients of a second at the same moment
        session = next(sessions, None)
        self.headers = {"Cookie": f"sessionid={session}", **CLOSE_HEADER} if session else CLOSE_HEADER

    @task
    def read(self) -> None:
        """Open a random page."""
        self.client.get(random.choice(PLAN["pages"]), headers=self.headers, name="page")


class Secretary(FastHttpUser):
    """A user with a pile of score sheets, who records a deal, looks at the sheet, and takes the next."""

    fixed_count = PLAN["secretaries"]
    wait_time = between(SOONER * RECORD_EVERY, LATER * RECORD_EVERY)

    def on_start(self) -> None:
        """Take the desk of an evening, at a random moment."""
        time.sleep(RECORD_EVERY * random.random())
        desk = next(desks)
        self.tables, self.number = desk["tables"], random.randrange(68)
        self.headers = {"Cookie": f"sessionid={desk['session']}; csrftoken={SECRET}", **CLOSE_HEADER}

    @task
    def record(self) -> None:
        """Record a deal, and open the sheet."""
        self.number += 1
        form = {
            "contract": "guard" if PLAN["readers"] else "take",
            "taker": str(self.number % 4),
            "points": str(
                44 + self.number % 17
            ),  # different from the table's last deal, because an equal deal must be confirmed
            "oudlers": str(random.randint(1, 2)),
            "client_key": str(uuid4()),
            "csrfmiddlewaretoken": SECRET,
        }
        address = f"/tables/{random.choice(self.tables)}/deals/record"
        send = {"headers": self.headers, "name": "deal", "allow_redirects": False, "catch_response": True}
        with self.client.post(address, form, **send) as answer:
            if answer.status_code != 302:
                answer.failure(f"{address} answers {answer.status_code}")
                return
            answer.success()
        self.client.get(answer.headers["Location"], headers=self.headers, name="sheet after it")
