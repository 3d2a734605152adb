"""Metrics for a monitoring program: its token, the figures, and the sum over the web processes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from django.test import Client
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import DjangoAssertNumQueries, Settings

from league.models import Check, Job, Run
from league.models.check import CheckKind
from league.models.job import JobState
from tests.build import a_club, a_player, a_user
from tests.webserver import WebServer

pytestmark = pytest.mark.django_db

TOKEN = "0123456789abcdef-token"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
REQUESTS = "league_request_duration_seconds_count"
Labels = frozenset[tuple[str, str]]


@pytest.fixture
def measured(settings: Settings) -> None:
    settings.METRICS_TOKEN = TOKEN
    settings.MIDDLEWARE = ["league.web.request_metrics.measure_requests", *settings.MIDDLEWARE]


def read(text: str) -> dict[tuple[str, Labels], float]:
    """Return the values by name and labels."""
    families = text_string_to_metric_families(text)
    return {(row.name, frozenset(row.labels.items())): row.value for family in families for row in family.samples}


def figures(client: Client) -> dict[tuple[str, Labels], float]:
    answer = client.get("/metrics", headers=BEARER)
    assert answer.status_code == 200
    return read(answer.content.decode())


def labels(**values: str) -> Labels:
    return frozenset(values.items())


@pytest.mark.parametrize("authorization", ["", "Bearer", "Bearer another", f"Basic {TOKEN}", TOKEN, "Bearer \u00e9"])
def test_without_the_token_nobody_reads_them(client: Client, measured: None, authorization: str) -> None:
    answer = client.get("/metrics", headers={"Authorization": authorization})
    assert (answer.status_code, answer.content, answer["WWW-Authenticate"]) == (401, b"", "Bearer")


def test_they_are_off_without_a_token(client: Client) -> None:
    a_user()
    for authorization in ("Bearer ", "Bearer"):
        assert client.get("/metrics", headers={"Authorization": authorization}).status_code == 404


def test_figures_of_the_installation(
    client: Client, measured: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    now = timezone.now()
    a_club()
    hour = timedelta(hours=1)
    Run.objects.create(state=Run.State.DONE, trigger=Run.Trigger.NIGHT, started_at=now, finished_at=now)
    Run.objects.create(state=Run.State.FAILED, trigger=Run.Trigger.NIGHT, started_at=now, finished_at=now + hour)
    Check.objects.create(kind=CheckKind.BACKUP, ok=True, ended_at=now - hour)
    Check.objects.create(kind=CheckKind.BACKUP, ok=False, ended_at=now)
    for key, due_at in (("1", now - hour), ("2", now), ("3", now + hour)):
        Job.objects.create(kind="import", key=key, created_at=now, due_at=due_at)
    Job.objects.create(
        kind="import", state=JobState.FAILED, error="broken", created_at=now, due_at=now - 2 * hour, ended_at=now
    )
    with django_assert_num_queries(6):  # jobs, emails, run, check, size, clubs
        values = figures(client)
    none = labels()
    assert values["league_clubs", none] == 1
    assert values["league_emails_waiting", none] == 0
    assert values["league_last_night_timestamp_seconds", none] == pytest.approx(now.timestamp(), abs=1)
    assert values["league_last_backup_timestamp_seconds", none] == pytest.approx((now - hour).timestamp(), abs=1)
    assert values["league_database_bytes", none] > 1_000_000
    jobs = {state: values["league_jobs", labels(kind="import", state=state)] for state in ("waiting", "failed")}
    assert jobs == {"waiting": 3, "failed": 1}
    assert values["league_jobs", labels(kind="backup", state="running")] == 0
    assert 3600 <= values["league_jobs_oldest_waiting_seconds", labels(kind="import")] < 3700


def test_what_never_happened_is_zero(client: Client, measured: None) -> None:
    a_user()
    values = figures(client)
    assert values["league_last_night_timestamp_seconds", labels()] == 0
    assert values["league_last_backup_timestamp_seconds", labels()] == 0


def test_requests_are_counted_by_view_method_and_status(client: Client, measured: None) -> None:
    a_user()
    before = figures(client)
    client.get("/clubs/")
    client.get("/clubs/")
    client.post("/clubs/")
    client.get("/no/such/page")
    client.generic("BREW", "/no/such/page")
    after = figures(client)
    differences = {
        tuple(sorted(key[1])): value - before.get(key, 0)
        for key, value in after.items()
        if key[0] == REQUESTS and value != before.get(key, 0)
    }
    assert differences == {
        (("method", "GET"), ("status", "2xx"), ("view", "league:clubs")): 2,
        (("method", "POST"), ("status", "2xx"), ("view", "league:clubs")): 1,
        (("method", "GET"), ("status", "4xx"), ("view", "none")): 1,
        (("method", "other"), ("status", "4xx"), ("view", "none")): 1,
        (("method", "GET"), ("status", "2xx"), ("view", "league:metrics")): 1,
    }


def test_no_label_names_a_person_or_a_club(client: Client, measured: None) -> None:
    club = a_club(name="Secret Society", public=True)
    player = a_player("Hidden", "Stranger")
    for address in (club.get_absolute_url(), f"/players/{player.pk}/", "/hidden", "/?q=hidden"):
        client.get(address)
    text = client.get("/metrics", headers=BEARER).content.decode().lower()
    assert not any(word in text for word in ("secret", "society", "hidden", "stranger", str(player.pk), club.slug))


@pytest.fixture
def two_processes(tmp_path: Path, transactional_db: None) -> Iterator[WebServer]:
    a_user()
    server = WebServer(tmp_path, workers=2, METRICS_TOKEN=TOKEN)
    server.start()
    yield server
    server.stop()


@pytest.mark.faults
def test_two_processes_of_the_web_server_count_together(two_processes: WebServer) -> None:
    """Each answer of /metrics comes from one of the two, and has the requests of both."""

    def served() -> float:
        with urlopen(Request(f"{two_processes.url}/metrics", headers=BEARER), timeout=30) as answer:
            return read(answer.read().decode())[REQUESTS, labels(view="league:clubs", method="GET", status="2xx")]

    for _ in range(30):
        urlopen(f"{two_processes.url}/clubs/", timeout=30).close()
    assert {served() for _ in range(10)} == {30}
