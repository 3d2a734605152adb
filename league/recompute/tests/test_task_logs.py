"""The log of a real worker: JSON lines, each of a task with its task_id, each of a run with the run's number."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from urllib.parse import quote

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone
from structlog.contextvars import bound_contextvars
from structlog.stdlib import ProcessorFormatter

from league.actions.jobs import enqueue
from league.celery import app
from league.models import Run, Season
from league.recompute.work import runs
from players.models import Player
from tests.build import a_club, a_player, a_season

SECONDS = 60


@pytest.fixture
def log(tmp_path: Path, transactional_db: None) -> Iterator[Path]:
    """The log of a worker process on the test's own queue and database, started as `make run` does."""
    place = connection.settings_dict
    address = f"postgres://{place['USER']}@{quote(place['HOST'], safe='')}:{place['PORT']}/{place['NAME']}"
    command = [sys.executable, "-m", "celery", "--app", "league.celery", "--quiet", "worker"]
    options = ["--concurrency", "1", "--without-gossip", "--without-mingle", "--loglevel", "INFO"]
    environment = {**os.environ, "DATABASE_URL": address, "SECRET_KEY": settings.SECRET_KEY}
    app.control.purge()
    path = tmp_path / "worker.log"
    with path.open("w") as written, subprocess.Popen([*command, *options], stderr=written, env=environment) as worker:
        try:
            wait_for(path, "ready.")
            yield path
        finally:
            worker.terminate()


def wait_for(path: Path, event: str) -> list[dict[str, Any]]:
    """Return the log's lines once one of them tells of the event; a line that is no JSON is an error."""
    deadline = monotonic() + SECONDS
    while monotonic() < deadline:
        lines = [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")]
        if any(event in line["event"] for line in lines):
            return lines
        sleep(0.1)
    pytest.fail(f"No line tells of {event!r}:\n{path.read_text()}")


@pytest.mark.faults
def test_each_line_of_a_task_carries_its_id_and_the_request_that_asked_for_it(log: Path) -> None:
    player = a_player()
    Player.objects.filter(pk=player.pk).update(sort_key="x")
    with bound_contextvars(request_id="asked-by-a-page"):
        enqueue("verification", now=timezone.now())
    lines = wait_for(log, "task_succeeded")
    told = {line["event"]: (line.get("task_id"), line.get("request_id")) for line in lines}
    assert told["difference"] == told["task_started"] == told["task_succeeded"]
    assert told["difference"][0]
    assert told["difference"][1] == "asked-by-a-page"


@pytest.mark.django_db
def test_a_line_of_a_run_carries_its_number(caplog: pytest.LogCaptureFixture) -> None:
    ours = [each.formatter for each in logging.getLogger().handlers if isinstance(each.formatter, ProcessorFormatter)]
    caplog.handler.setFormatter(ours[0])
    season = a_season(a_club())
    Season.objects.filter(pk=season.pk).update(game="bridge")  # no such game: as if its folder were taken away
    for _ in range(2):
        with pytest.raises(LookupError):
            runs.run(Run.Trigger.NIGHT, now=timezone.now(), everything=True)

    lines = [json.loads(line) for line in caplog.text.splitlines()]
    second = Run.objects.latest("pk")
    assert [line["run"] for line in lines if line["event"] == "nobody_to_tell"] == [second.pk]
