"""The heartbeats of a real worker and a real clock reach the status checks."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import quote

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.utils import timezone

from league.celery import app
from league.operations.work.status_checks import Colour, monitored_checks

SECONDS = 150  # the clock sends its first messages a minute after its start


@pytest.fixture
def installation(tmp_path: Path, transactional_db: None) -> Iterator[None]:
    """A worker and a clock on the test's own queue and database, started as `make run` does."""
    place = connection.settings_dict
    address = f"postgres://{place['USER']}@{quote(place['HOST'], safe='')}:{place['PORT']}/{place['NAME']}"
    environment = {**os.environ, "DATABASE_URL": address, "SECRET_KEY": settings.SECRET_KEY}
    celery = [sys.executable, "-m", "celery", "--app", "league.celery", "--quiet"]
    worker = ["worker", "--concurrency", "1", "--without-gossip", "--without-mingle"]
    clock = ["beat", "--schedule", str(tmp_path / "schedule"), "--pidfile", ""]
    app.control.purge()
    with (
        subprocess.Popen([*celery, *worker], env=environment) as first,
        subprocess.Popen([*celery, *clock], env=environment) as second,
    ):
        yield
        first.terminate()
        second.terminate()


@pytest.mark.faults
def test_every_queue_and_the_clock_turn_green(installation: None) -> None:
    for queue in app.conf.task_queues:
        cache.set(f"heartbeat:queue:{queue.name}", (0.0, "gone@here"), None)
    cache.set("heartbeat:clock", (0.0, ""), None)
    deadline = monotonic() + SECONDS
    while (colours := colours_now()) != {Colour.GREEN}:
        assert monotonic() < deadline, colours
        sleep(0.2)


def colours_now() -> set[Colour]:
    checks = monitored_checks(timezone.now())
    return {checks[name].colour for name in ("worker", "clock")}
