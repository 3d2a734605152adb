"""When the night is, and asking for its work with a real queue and with none."""

import os
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from pytest_django import Settings

from league.actions.pending_recomputes import next_nightly_run
from league.celery import app
from league.messages import send_tick


@pytest.fixture(autouse=True)
def at_four_in_paris(settings: Settings) -> None:
    settings.NIGHT_HOUR, settings.TIME_ZONE = 4, "Europe/Paris"


def test_the_night_comes_after_the_evening() -> None:
    assert next_nightly_run(datetime(2026, 10, 2, 21, 0, tzinfo=UTC)) == datetime(2026, 10, 3, 2, 0, tzinfo=UTC)


def test_past_midnight_it_is_the_same_night() -> None:
    assert next_nightly_run(datetime(2026, 10, 3, 1, 59, tzinfo=UTC)) == datetime(2026, 10, 3, 2, 0, tzinfo=UTC)


def test_at_the_hour_it_is_the_next_one() -> None:
    assert next_nightly_run(datetime(2026, 10, 3, 2, 0, tzinfo=UTC)) == datetime(2026, 10, 4, 2, 0, tzinfo=UTC)


def test_in_winter_the_hour_is_another_one_of_utc() -> None:
    assert next_nightly_run(datetime(2026, 10, 25, 12, 0, tzinfo=UTC)) == datetime(2026, 10, 26, 3, 0, tzinfo=UTC)


def test_asking_leaves_a_message_for_a_worker() -> None:
    with app.connection_for_read() as connection, connection.SimpleQueue("celery") as queue:
        queue.clear()
        send_tick()
        assert queue.get(timeout=5).headers["task"] == "league.operations.tasks.jobs.tick"
        queue.clear()


def test_without_a_queue_it_only_warns() -> None:
    program = "import django; django.setup(); from league.messages import send_tick; send_tick(); print('went on')"
    nowhere = {"REDIS_URL": "redis+socket:///nowhere/valkey", "DJANGO_SETTINGS_MODULE": "league.settings"}
    done = subprocess.run(
        [sys.executable, "-c", program], env={**os.environ, **nowhere}, capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "went on\n"
    assert "the next tick will find what is due" in done.stderr
