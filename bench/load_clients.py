"""Readers and secretaries of an evening, run by locust: `make load` starts it with a plan of where they go.

Stands alone: locust has an environment of its own, without the project.
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
SOONER, LATER = 0.5, 1.5  # of it: with a constant time all who begin in one second ask in one millisecond
CLOSE_HEADER = {"Connection": "close"}  # as proxies ask
SECRET = "a" * 32  # of the token against forged requests: sent back as it is, it is its own token
BEGIN = time.monotonic() + PLAN["warm"]

desks = iter(PLAN["desks"])
sessions = iter(PLAN["sessions"])
took: dict[str, list[float]] = {}
failed: list[str] = []
request_counts: Counter[str] = Counter()


@events.request.add_listener
def note(name: str, response_time: float, exception: Exception | None, **_more: Any) -> None:
    """Keep how long an answer took, once all are at work, and each that failed."""
    request_counts[name] += 1
    if exception:
        failed.append(f"{name}: {exception}")
    elif time.monotonic() >= BEGIN:
        took.setdefault(name, []).append(response_time)


@events.quitting.add_listener
def write_results(**_more: Any) -> None:
    """Write down what was seen."""
    Path(os.environ["LOAD_FOUND"]).write_text(json.dumps({"took": took, "failed": failed, "asked": request_counts}))


class Reader(FastHttpUser):
    """Somebody who looks at a page, reads it, and looks at another."""

    fixed_count = PLAN["readers"]
    wait_time = between(SOONER * READ_EVERY, LATER * READ_EVERY)

    def on_start(self) -> None:
        """Come at any moment; one in three is signed in."""
        time.sleep(random.random())  # locust begins so many each second, all at once
        session = next(sessions, None)
        self.headers = {"Cookie": f"sessionid={session}", **CLOSE_HEADER} if session else CLOSE_HEADER

    @task
    def read(self) -> None:
        """Look at a page."""
        self.client.get(random.choice(PLAN["pages"]), headers=self.headers, name="page")


class Secretary(FastHttpUser):
    """Somebody with a pile of sheets, who records a deal, sees the sheet, and takes the next."""

    fixed_count = PLAN["secretaries"]
    wait_time = between(SOONER * RECORD_EVERY, LATER * RECORD_EVERY)

    def on_start(self) -> None:
        """Take a seat at the desk of an evening, at any moment."""
        time.sleep(RECORD_EVERY * random.random())
        desk = next(desks)
        self.tables, self.number = desk["tables"], random.randrange(68)
        self.headers = {"Cookie": f"sessionid={desk['session']}; csrftoken={SECRET}", **CLOSE_HEADER}

    @task
    def record(self) -> None:
        """Record a deal."""
        self.number += 1
        form = {
            "contract": "guard" if PLAN["readers"] else "take",
            "taker": str(self.number % 4),
            "points": str(44 + self.number % 17),  # another than the table's last: the same would be asked about
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
