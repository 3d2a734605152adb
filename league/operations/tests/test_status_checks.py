"""Each status check turns red: /healthz shows it, and admins get one email, and one when it is well again."""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from celery import current_app
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client, RequestFactory
from django.utils import timezone

from deploy.places import server_account, temporary_folder
from league.models import Check, Run
from league.models.check import CheckKind
from league.operations.work import heartbeats
from league.operations.work.backups import store
from league.operations.work.check_records import record_check
from league.operations.work.health import health
from league.operations.work.status_checks import Colour, monitored_checks
from league.operations.work.status_emails import StatusCheckMiddleware
from league.recompute.work import runs
from league.wsgi import application
from players.models import User
from tests.run_jobs import run_tick

pytestmark = pytest.mark.django_db(transaction=True)
UNPRIVILEGED = 65534


class Broken(NamedTuple):
    """How something breaks, and what mends it."""

    breaks: Callable[[Path], object]
    mends: Callable[[Path], object]


def a_backup(folder: Path, *, days_ago: int, size: int = 5) -> Path:
    """Have one backup there, of a size that takes no room, as the newest that was made."""
    for path in folder.iterdir():
        path.unlink()
    Check.objects.filter(kind=CheckKind.BACKUP).delete()
    then = timezone.now() - timedelta(days=days_ago)
    made = folder / then.strftime(store.BACKUP_NAME_FORMAT)
    made.touch()
    os.truncate(made, size)
    record_check(CheckKind.BACKUP, now=then, ok=True, summary=store.summarize_backup(made))
    return made


def an_outcome(kind: CheckKind, *, days_ago: int = 0, ok: bool = True) -> None:
    """Store a check that ended then as the newest of its kind."""
    Check.objects.filter(kind=kind).delete()
    record_check(
        kind, now=timezone.now() - timedelta(days=days_ago), ok=ok, problems=0 if ok else 1, summary="Seat id 1: …"
    )


def heartbeat_of(key: str, *, minutes_ago: int) -> None:
    cache.set(key, (timezone.now().timestamp() - 60 * minutes_ago, "night@here"), None)


def queues(*, minutes_ago: int) -> None:
    for queue in current_app.conf.task_queues:
        heartbeat_of(f"heartbeat:queue:{queue.name}", minutes_ago=minutes_ago)


def full(folder: Path) -> None:
    """Leave less room than one more backup needs."""
    a_backup(folder, days_ago=0, size=shutil.disk_usage(folder).free + 2**30)


def a_night_ended(state: Run.State) -> None:
    """Have a nightly run that ended now; a failed one failed for the ratings of a game."""
    failed = [{"season": None, "club": None, "name": "", "game": "tarot", "error": "broken", "died": False}]
    Run.objects.create(
        trigger=Run.Trigger.NIGHT,
        state=state,
        started_at=timezone.now(),
        finished_at=timezone.now(),
        failed=failed if state == Run.State.FAILED else [],
    )


# At least one breakage of each field of /healthz.
BREAKAGES = {
    ("recompute", "failed"): Broken(
        lambda _f: a_night_ended(Run.State.FAILED), lambda _f: a_night_ended(Run.State.DONE)
    ),
    ("backup", "stopped for 30 days"): Broken(lambda f: a_backup(f, days_ago=30), lambda f: a_backup(f, days_ago=0)),
    ("backup", "failed"): Broken(lambda _f: an_outcome(CheckKind.BACKUP, ok=False), lambda f: a_backup(f, days_ago=0)),
    ("backup", "folder is away"): Broken(
        lambda f: f.rename(f.with_name("moved")), lambda f: f.with_name("moved").rename(f)
    ),
    ("drill", "stopped for 30 days"): Broken(
        lambda _f: an_outcome(CheckKind.DRILL, days_ago=30), lambda _f: an_outcome(CheckKind.DRILL)
    ),
    ("drill", "failed"): Broken(
        lambda _f: an_outcome(CheckKind.DRILL, ok=False), lambda _f: an_outcome(CheckKind.DRILL)
    ),
    ("verification", "stopped for 30 days"): Broken(
        lambda _f: an_outcome(CheckKind.VERIFY, days_ago=30), lambda _f: an_outcome(CheckKind.VERIFY)
    ),
    ("verification", "differs"): Broken(
        lambda _f: an_outcome(CheckKind.VERIFY, ok=False), lambda _f: an_outcome(CheckKind.VERIFY)
    ),
    ("disk", "full"): Broken(full, lambda f: a_backup(f, days_ago=0)),
    ("worker", "stopped"): Broken(lambda _f: queues(minutes_ago=11), lambda _f: queues(minutes_ago=1)),
    ("worker", "of one queue stopped"): Broken(
        lambda _f: heartbeat_of("heartbeat:queue:letters", minutes_ago=11), lambda _f: queues(minutes_ago=1)
    ),
    ("clock", "stopped"): Broken(
        lambda _f: heartbeat_of(heartbeats.CLOCK_KEY, minutes_ago=11),
        lambda _f: heartbeat_of(heartbeats.CLOCK_KEY, minutes_ago=1),
    ),
}
EACH_BREAKAGE = pytest.mark.parametrize(
    ("field", "broken"), [(key[0], breakage) for key, breakage in BREAKAGES.items()], ids=map(str, BREAKAGES)
)


@pytest.fixture
def folder(settings: Any) -> Iterator[Path]:
    """Return the backup folder of an installation with green checks and two admins."""
    with temporary_folder() as parent:
        path = parent / "backups"
        path.mkdir(mode=0o755)
        settings.BACKUP_FOLDER = str(path)
        a_backup(path, days_ago=0)
        an_outcome(CheckKind.DRILL)
        an_outcome(CheckKind.VERIFY)
        queues(minutes_ago=0)
        heartbeats.record_clock_heartbeat()
        for name in ("root", "second"):
            User.objects.create_superuser(f"{name}@club.example")
        yield path


def healthz() -> tuple[int, dict[str, Any]]:
    answer = Client().get("/healthz")
    return answer.status_code, answer.json()


def red_fields() -> set[str]:
    return {name for name, value in healthz()[1].items() if value is False} - {"healthy"}


def test_every_status_check_has_a_way_to_break_here() -> None:
    assert {field for field, _name in BREAKAGES} == set(monitored_checks(timezone.now()))


@EACH_BREAKAGE
def test_a_red_check_is_a_field_and_503_and_livez_still_answers_200(folder: Path, field: str, broken: Broken) -> None:
    assert (healthz()[0], red_fields()) == (200, set())
    broken.breaks(folder)
    assert (healthz()[0], red_fields()) == (503, {field})
    assert Client().get("/livez").status_code == 200
    broken.mends(folder)
    assert (healthz()[0], red_fields()) == (200, set())


def test_a_backup_folder_that_is_not_ours_to_write_is_red(folder: Path) -> None:
    folder.chmod(0o555)
    with as_nobody():
        assert red_checks() == {"backup"}
    folder.chmod(0o777)
    with as_nobody():
        assert red_checks() == set()


def red_checks() -> set[str]:
    return {name for name, check in monitored_checks(timezone.now()).items() if check.colour == Colour.RED}


def test_a_disk_that_is_full_where_postgresql_writes_is_red(folder: Path) -> None:
    """Wherever that is: what its process writes for us may not be longer than a byte."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [pid] = cursor.fetchone()
    limit_files(pid, "1")
    try:
        assert (healthz()[0], red_fields()) == (503, {"disk"})
        assert "PostgreSQL can’t write" in monitored_checks(timezone.now())["disk"].message
    finally:
        limit_files(pid, "unlimited")
    assert red_fields() == set()


def limit_files(pid: int, size: str) -> None:
    """As PostgreSQL's own account: root may lack the right, as in a container."""
    account = server_account()
    subprocess.run(
        ["prlimit", f"--pid={pid}", f"--fsize={size}:unlimited"],
        check=True,
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
    )


@contextmanager
def as_nobody() -> Iterator[None]:
    """Run as an unprivileged user, like services; root may write anywhere."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(UNPRIVILEGED)
    try:
        yield
    finally:
        if before == 0:
            os.seteuid(before)


def test_a_worker_in_a_long_task_is_not_taken_for_a_stopped_one(folder: Path) -> None:
    queues(minutes_ago=60)
    assert red_fields() == {"worker"}
    cache.set("heartbeat:worker:night@here", timezone.now().timestamp() - 3600, None)
    assert red_fields() == set()
    cache.set("heartbeat:worker:night@here", timezone.now().timestamp() - 7 * 3600, None)
    assert red_fields() == {"worker"}


def test_heartbeats_that_never_come_turn_red_after_ten_minutes(folder: Path) -> None:
    cache.clear()
    now = timezone.now()
    assert {name: monitored_checks(now)[name].colour for name in ("worker", "clock")} == {
        "worker": Colour.GREY,
        "clock": Colour.GREY,
    }
    assert healthz()[1]["clock"] is None
    later = monitored_checks(now + timedelta(minutes=11))
    assert [later[name].colour for name in ("worker", "clock")] == [Colour.RED, Colour.RED]


def visit(site: StatusCheckMiddleware) -> list[str]:
    """Request a page, wait for the check beside it, and return the subjects of the new emails."""
    before = len(mail.outbox)
    answer = site(RequestFactory().get("/livez").environ, lambda *_args: None)
    assert list(answer) == [b'{"database": true}']
    answer.close()
    if site.thread:
        site.thread.join()
    return [str(letter.subject) for letter in mail.outbox[before:]]


@pytest.fixture
def site() -> StatusCheckMiddleware:
    """The site as it is served, with a check at each request."""
    assert isinstance(application, StatusCheckMiddleware)
    return StatusCheckMiddleware(application.application, interval=0)


@EACH_BREAKAGE
def test_admins_get_one_email_and_one_when_it_is_well(
    folder: Path, site: StatusCheckMiddleware, field: str, broken: Broken
) -> None:
    assert visit(site) == []
    broken.breaks(folder)
    [subject] = visit(site)
    title = monitored_checks(timezone.now())[field].title
    assert subject == f"League manager: needs you: {title}"
    assert mail.outbox[-1].to == ["root@club.example", "second@club.example"]
    assert monitored_checks(timezone.now())[field].message in mail.outbox[-1].body
    assert visit(site) == []
    assert visit(StatusCheckMiddleware(site.application, interval=0)) == [], "another process of the web server"
    broken.mends(folder)
    assert visit(site) == [f"League manager: well again: {title}"]
    assert visit(site) == []


def test_a_process_checks_once_in_its_time(folder: Path, site: StatusCheckMiddleware) -> None:
    seldom = StatusCheckMiddleware(site.application, interval=1e6)
    assert visit(seldom) == []
    heartbeat_of(heartbeats.CLOCK_KEY, minutes_ago=11)
    first = seldom.thread
    assert visit(seldom) == []
    assert seldom.thread is first


def test_check_that_recovers_before_the_second_check_sends_nothing(folder: Path, site: StatusCheckMiddleware) -> None:
    """As a Redis that is started anew."""
    heartbeat_of(heartbeats.CLOCK_KEY, minutes_ago=11)
    first = health(timezone.now())
    assert site.emails.send_changes(first, confirmed=set())
    heartbeats.record_clock_heartbeat()
    assert not site.emails.send_changes(health(timezone.now()), confirmed=first.red_checks())
    assert mail.outbox == []


def test_an_email_that_could_not_be_sent_is_sent_by_the_next_check(
    folder: Path, site: StatusCheckMiddleware, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    heartbeat_of(heartbeats.CLOCK_KEY, minutes_ago=11)
    working = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    with caplog.at_level(logging.ERROR):
        assert visit(site) == []
    assert "mail_not_sent" in caplog.text
    settings.EMAIL_BACKEND = working
    assert visit(site) == ["League manager: needs you: Clock"]


def test_a_database_that_takes_no_write_is_written_of_once(folder: Path, site: StatusCheckMiddleware) -> None:
    """As with a full disk: nothing of the email can be stored."""
    heartbeat_of(heartbeats.CLOCK_KEY, minutes_ago=11)
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER DATABASE {connection.settings_dict['NAME']} SET default_transaction_read_only = on")
    try:
        assert visit(site) == ["League manager: needs you: Clock"]
        assert visit(site) == []
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER DATABASE {connection.settings_dict['NAME']} RESET default_transaction_read_only")
    assert not Check.objects.filter(kind=CheckKind.STATUS).exists()
    heartbeats.record_clock_heartbeat()
    assert visit(site) == ["League manager: well again: Clock"]
    assert visit(site) == []


@pytest.fixture
def monitor(settings: Any) -> Iterator[list[str]]:
    """The paths that were called at a monitor, which HEARTBEAT_URL names."""
    called: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            called.append(self.path)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_args: object) -> None:
            """Write nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)  # seconds until it stops
        thread.start()
        settings.HEARTBEAT_URL = f"http://127.0.0.1:{server.server_port}/ping/secret"
        yield called
        server.shutdown()
        thread.join()


def a_night() -> Run:
    return runs.run(Run.Trigger.NIGHT, now=timezone.now(), everything=True)


def test_a_monitor_is_called_after_a_good_night_and_a_good_backup(folder: Path, monitor: list[str]) -> None:
    a_night()
    assert monitor == ["/ping/secret"]
    runs.run(Run.Trigger.BUTTON, now=timezone.now(), everything=True)
    assert len(monitor) == 1
    Check.objects.filter(kind=CheckKind.BACKUP).delete()
    run_tick("backup", "drill")
    assert Check.objects.get(kind=CheckKind.BACKUP).ok
    assert len(monitor) == 2


@pytest.mark.parametrize(
    "broken", [pytest.param(breakage, id=str(key)) for key, breakage in BREAKAGES.items() if key[0] != "recompute"]
)
def test_a_monitor_is_not_called_while_something_is_red(folder: Path, monitor: list[str], broken: Broken) -> None:
    """A good night mends a failed computation; it mends nothing else."""
    broken.breaks(folder)
    a_night()
    assert monitor == []


def test_a_monitor_that_is_away_fails_no_night(folder: Path, settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    settings.HEARTBEAT_URL = "http://127.0.0.1:1/ping/secret"
    with caplog.at_level(logging.WARNING):  # a worker of another test in this process may have raised the root's level
        assert a_night().state == Run.State.DONE
    assert "heartbeat_not_sent" in caplog.text
    assert "secret" not in caplog.text
