"""The answer for a monitor: normal, with a dead or hanging broker or database, and without runs."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from league.actions import pending_recomputes
from league.models import PendingRecompute, Run
from players.models import User
from tests.build import a_club, a_season

pytestmark = pytest.mark.django_db

FOR_EVER = 10  # seconds: longer than any wait of the answer


@pytest.fixture
def hanging() -> Iterator[int]:
    """Return the port of a server that accepts connections and never answers, until its end."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        end = Timer(FOR_EVER, server.close)
        end.start()
        yield server.getsockname()[1]
        assert end.is_alive()
        end.cancel()


def a_run(*, hours_ago: float, state: Run.State = Run.State.DONE) -> Run:
    then = timezone.now() - timedelta(hours=hours_ago)
    run: Run = Run.objects.create(state=state, trigger=Run.Trigger.NIGHT, started_at=then, finished_at=then)
    return run


FRESH = {
    "recompute": True,
    "verification": None,
    "backup": None,
    "drill": None,
    "disk": True,
    "worker": None,
    "clock": None,
}
UNKNOWN = {"healthy": False, "good_run_age": None}


def healthz(client: Client) -> tuple[int, dict[str, Any]]:
    answer = client.get("/healthz")
    return answer.status_code, answer.json()


def test_all_is_well_after_a_good_run(client: Client) -> None:
    a_run(hours_ago=25)
    status, answer = healthz(client)
    age = answer.pop("good_run_age")
    assert (status, answer) == (200, {"healthy": True, "database": True, "broker": True, **FRESH})
    assert timedelta(hours=25) <= timedelta(seconds=age) < timedelta(hours=25, minutes=1)


def test_a_fresh_installation_is_healthy(client: Client) -> None:
    assert healthz(client) == (200, {"healthy": True, "database": True, "broker": True, "good_run_age": None, **FRESH})


def test_a_last_good_run_of_the_day_before_yesterday_is_not(client: Client) -> None:
    a_run(hours_ago=27)
    a_run(hours_ago=1, state=Run.State.FAILED)
    status, answer = healthz(client)
    assert (status, answer["healthy"], answer["database"], answer["broker"]) == (503, False, True, True)


def test_what_is_due_for_long_and_never_ran_is_not(client: Client) -> None:
    season, now = a_season(a_club()), timezone.now()
    pending_recomputes.mark_season(season, not_before=now - timedelta(hours=1), why=PendingRecompute.Reason.CLOSED)
    assert healthz(client)[0] == 200
    pending_recomputes.mark_season(season, not_before=now - timedelta(hours=27), why=PendingRecompute.Reason.CLOSED)
    assert healthz(client)[0] == 503


def test_runs_that_fail_from_the_first_day_on_are_not(client: Client) -> None:
    a_run(hours_ago=27, state=Run.State.FAILED)
    assert healthz(client) == (503, {**UNKNOWN, "database": True, "broker": True, **FRESH})


def test_a_dead_broker_is_reported(client: Client, settings: Settings, tmp_path: Path) -> None:
    for address in (f"redis+socket://{tmp_path}/nobody-listens", "redis://127.0.0.1:1"):
        settings.REDIS_URL = address
        assert healthz(client) == (503, {**UNKNOWN, "database": True, "broker": False, **FRESH})
        assert client.get("/livez").status_code == 200


def test_a_hanging_broker_does_not_hang_the_answer(client: Client, settings: Settings, hanging: int) -> None:
    settings.REDIS_URL = f"redis://127.0.0.1:{hanging}"
    status, answer = healthz(client)
    assert (status, answer["broker"], answer["database"]) == (503, False, True)


@pytest.fixture
def database_settings(transactional_db: None) -> Iterator[dict[str, Any]]:
    """The address of the database, to be changed; no connection is open."""
    before = connection.settings_dict.copy()
    connection.close()
    yield connection.settings_dict
    connection.close()
    connection.settings_dict.update(before)


def test_a_dead_database_is_reported(client: Client, database_settings: dict[str, Any]) -> None:
    database_settings.update(HOST="127.0.0.1", PORT="1")
    assert healthz(client) == (503, {**UNKNOWN, "database": False, "broker": True})
    answer = client.get("/livez")
    assert (answer.status_code, answer.json()) == (503, {"database": False})


@pytest.mark.faults
def test_a_hanging_database_is_given_up(client: Client, database_settings: dict[str, Any], hanging: int) -> None:
    options = database_settings["OPTIONS"]
    assert options["connect_timeout"] < FOR_EVER
    shortest = {"connect_timeout": 2}  # libpq waits at least so many seconds
    database_settings.update(HOST="127.0.0.1", PORT=str(hanging), OPTIONS={**options, **shortest})
    status, answer = healthz(client)
    assert (status, answer["database"]) == (503, False)


def test_it_is_never_kept_and_reads_no_session(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.force_login(User.objects.create_superuser("root@club.example"))
    for address, queries in (("/healthz", 8), ("/livez", 1)):  # their budgets: tests/test_budgets.py
        with django_assert_num_queries(queries):
            answer = client.get(address)
        assert answer["Cache-Control"] == "no-store"
        assert not answer.cookies


def test_it_can_only_be_read(client: Client) -> None:
    for address in ("/healthz", "/livez"):
        assert client.post(address).status_code == 405
        assert client.get(f"{address}/more").status_code == 404


def test_a_program_of_this_machine_asks_livez_without_https_and_by_any_name(client: Client, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/livez", headers={"host": "10.0.0.7:8001"}).status_code == 200
    assert client.get("/healthz").status_code == 301
