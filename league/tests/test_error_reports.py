"""Reports of errors from the real web server and worker, as a Sentry server receives them."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import brotli  # type: ignore[import-untyped]
import pytest
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connection
from django.utils import timezone

from deploy import child
from league.actions import jobs
from players.models import User
from tests.build import PASSWORD, a_user
from tests.visitor import Visitor
from tests.webserver import ROOT, WebServer

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 60  # seconds
DECODERS = {"br": brotli.decompress, "gzip": gzip.decompress}
SECRET = "hidden"  # a part of each personal value below


class Sentry(ThreadingHTTPServer):
    """Receives reports."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.reports: Queue[str] = Queue()
        self.dsn = f"http://key@127.0.0.1:{self.server_port}/1"

    def next_report(self) -> str:
        return self.reports.get(timeout=PATIENCE)


class Handler(BaseHTTPRequestHandler):
    server: Sentry

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        body = DECODERS[self.headers["Content-Encoding"]](body)
        self.server.reports.put(f"{self.path}\n{self.headers}\n{body.decode()}")
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Write nothing."""


@pytest.fixture
def sentry() -> Iterator[Sentry]:
    with Sentry() as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


def event_of(report: str) -> dict[str, Any]:
    """Return the event, the last line of its envelope."""
    event: dict[str, Any] = json.loads(report.splitlines()[-1])
    return event


def check_report(report: str, *, error: str, function: str) -> None:
    event = event_of(report)
    errors = event["exception"]["values"]
    assert errors[-1]["type"] == error
    assert function in [frame["function"] for row in errors for frame in row["stacktrace"]["frames"]]
    assert event["release"] == f"league-manager@{settings.RELEASE}"
    assert SECRET not in report.lower()
    assert not {"request", "user", "breadcrumbs", "extra", "contexts", "server_name", "modules"} & event.keys()
    assert not any("vars" in frame or "value" in row for row in errors for frame in row["stacktrace"]["frames"])


@pytest.mark.faults
def test_an_error_of_a_page_is_reported_once_without_personal_data(sentry: Sentry, tmp_path: Path) -> None:
    """The sign-in fails after the password was right: the request, the session, the user and the error name people."""
    a_user(f"{SECRET}@club.example")
    User.objects.update(password=PBKDF2PasswordHasher().encode(PASSWORD, "salt"))  # as the server reads it
    server = WebServer(tmp_path, SENTRY_DSN=sentry.dsn)
    server.start()
    visitor = Visitor(server)
    visitor.get("/account/login/")
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE league_auditentry RENAME TO league_hidden")
    try:
        fields = {"login": f"{SECRET}@club.example", "password": PASSWORD}
        answer = visitor.post(f"/account/login/?next=/{SECRET}", fields, User_Agent=SECRET, X_Forwarded_For=SECRET)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE league_hidden RENAME TO league_auditentry")
    server.stop()
    assert answer.status == 500
    report = sentry.next_report()
    check_report(report, error="ProgrammingError", function="log_sign_in")
    assert set(event_of(report)["tags"]) == {"request_id"}
    assert PASSWORD not in report
    assert sentry.reports.empty()


@pytest.mark.faults
def test_an_error_of_a_worker_is_reported_once_without_personal_data(sentry: Sentry, tmp_path: Path) -> None:
    address = urlsplit(os.environ["DATABASE_URL"])
    database = urlunsplit(address._replace(path=f"/{connection.settings_dict['NAME']}"))
    command = child.module_command(
        "celery", "--app", "league.celery", "--quiet", "worker", "--pool", "solo", "--without-mingle"
    )
    env = {**os.environ, "DATABASE_URL": database, "SENTRY_DSN": sentry.dsn}
    worker = child.start_process("the worker", command, tmp_path / "worker.log", cwd=ROOT, env=env)
    jobs.enqueue("import", f"1:{SECRET}", {SECRET: SECRET}, now=timezone.now())  # no number
    report = sentry.next_report()
    worker.stop(signal.SIGTERM, 20)
    check_report(report, error="ValueError", function="work_on_job")
    assert set(event_of(report)["tags"]) == {"task_id"}
    assert sentry.reports.empty()


def test_without_a_dsn_the_package_is_not_imported() -> None:
    code = "import sys, league.wsgi, league.celery; print('sentry_sdk' in sys.modules)"
    environment = {name: value for name, value in os.environ.items() if name != "SENTRY_DSN"}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout == "False\n"
