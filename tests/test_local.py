"""`make run`, really started: it answers, stops completely, and explains errors in one line."""

import http.client
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from deploy import child, local, places
from deploy.local import DEMO_PASSWORD
from deploy.servers import temporary_servers
from tests.processes import left_after, processes_of
from tests.readers import second_factor_code
from tests.server.page import commands
from tests.visitor import Visitor
from tests.webserver import WebServer

ROOT = Path(__file__).parent.parent
VARIABLES = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "PORT", "HOST", "LEAGUE_VAR")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in VARIABLES}

# One database for the module, so that only its first start has to build it: all in one worker.
pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("local")]


@pytest.fixture(scope="module")
def var() -> Iterator[Path]:
    """A var folder that every account may pass through, unlike pytest's own."""
    with places.temporary_folder() as folder:
        yield folder / "var"


def free_port() -> int:
    with closing(socket.socket()) as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def launch(var: Path, port: int) -> subprocess.Popen[str]:
    """Start it; every process inherits LEAGUE_VAR, by which it is found."""
    return subprocess.Popen(
        [sys.executable, "-m", "deploy.local", "--no-demo", "--port", str(port)],
        cwd=ROOT,
        env={**ENVIRONMENT, "LEAGUE_VAR": str(var)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=_as_from_a_terminal,
    )


def _as_from_a_terminal() -> None:
    """Take SIGHUP as usual, also where the tests themselves run under nohup."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    child.die_with_parent(signal.SIGKILL)


def complaint(var: Path, port: int) -> str:
    """Return what a start that can't succeed prints: nothing but one line, and status 1."""
    with launch(var, port) as launcher:
        output, complained = launcher.communicate(timeout=60)
    assert (launcher.returncode, output) == (1, "")
    assert re.fullmatch(r"[^\n]+\n", complained)
    return complained


@contextmanager
def running(var: Path, port: int) -> Iterator[subprocess.Popen[str]]:
    """A start that has said that all is ready. Kills it at the end if it still runs."""
    with launch(var, port) as launcher:
        assert launcher.stdout
        assert launcher.stderr
        try:
            lines = []
            for line in launcher.stdout:
                lines.append(line)
                if "Ctrl-C" in line:
                    break
            else:
                pytest.fail("".join(lines) + launcher.stderr.read())
            yield launcher
        finally:
            launcher.kill()


def status(port: int) -> int:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("GET", "/")
        return connection.getresponse().status


def child_of(launcher: subprocess.Popen[str], name: str) -> int:
    """Return the process of that name that the launcher started last."""
    children = Path(f"/proc/{launcher.pid}/task/{launcher.pid}/children").read_text().split()
    return [int(pid) for pid in children if Path(f"/proc/{pid}/comm").read_text() == f"{name}\n"][-1]


def until_it_answers(port: int) -> None:
    deadline = time.monotonic() + 30
    while status(port) not in (200, 302):  # without accounts, each page leads to the setup page
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_it_answers_runs_only_once_and_ctrl_c_leaves_no_process(var: Path) -> None:
    port = free_port()
    with running(var, port) as launcher:
        assert status(port) in (200, 302)
        assert "in use" in complaint(var.with_name("second"), port)
        assert f"runs here already: http://127.0.0.1:{port}/" in complaint(var, free_port())
        key = (var / "secret-key").read_text()
        assert (var / "secret-key").stat().st_mode & 0o777 == 0o600
        assert {log.stat().st_mode & 0o777 for log in (var / "log").iterdir()} == {0o600}
        launcher.send_signal(signal.SIGINT)
        assert launcher.wait(60) == 0
    assert processes_of(var) == []
    assert len(key) > 32


def test_kill_9_leaves_no_process_the_next_start_keeps_what_was_and_starts_again_what_dies(var: Path) -> None:
    with running(var, free_port()) as launcher:
        launcher.kill()
    assert left_after(var, seconds=5) == []
    key, port = (var / "secret-key").read_text(), free_port()
    with running(var, port) as launcher:
        assert (var / "secret-key").read_text() == key
        assert launcher.stdout
        for name in ("valkey-server", "postgres", "valkey-server", "valkey-server"):
            os.kill(child_of(launcher, name), signal.SIGKILL)
            line = next(line for line in launcher.stdout if "again" in line)
            assert "was killed by SIGKILL; it is started again." in line
        until_it_answers(port)
        os.kill(child_of(launcher, "valkey-server"), signal.SIGKILL)
        assert launcher.wait(60) == 1
        assert launcher.stderr
        assert launcher.stderr.readline() == f"Valkey was killed by SIGKILL; the end of {var}/log/valkey.log:\n"
    assert processes_of(var) == []


# A superuser with a second factor: an authenticator app and recovery codes. Prints a code and a signed text.
MAKE_LOGIN = """
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.utils import encrypt
from django.core.signing import dumps
from players.models import User
user = User.objects.get()
Authenticator.objects.create(user=user, type="totp", data={"secret": encrypt("JBSWY3DPEHPK3PXP")})
print(RecoveryCodes.activate(user).get_unused_codes()[0], dumps("a link in an email"))
"""


def test_its_logins_move_to_a_server_with_their_second_factors(var: Path, tmp_path: Path) -> None:
    """What the page about moving forgets to carry over: passwords, second factors, the key of signed links."""
    prepare = ".venv/bin/python manage.py createsuperuser --no-input --email=root@club.localhost"
    [moved] = commands("Move from make run to a server", "sh make-run")
    *settings, backup, _print_key = moved.splitlines()
    folder = {"var/env": f"{var}/env", "move.dump": f"{tmp_path}/move.dump"}
    for path, ours in folder.items():
        settings, backup = [line.replace(path, ours) for line in settings], backup.replace(path, ours)
    with running(var, free_port()):
        password = f"export DJANGO_SUPERUSER_PASSWORD={DEMO_PASSWORD}"
        shell(password, *settings, prepare)
        output = shell(*settings, f"{MANAGE} shell --no-imports --command '{MAKE_LOGIN}'")
        code, signed = output.splitlines()[-1].split()
        shell(*settings, backup)
    with temporary_servers() as servers:
        key = (var / "secret-key").read_text()
        environment = {**servers, "SECRET_KEY": key, "HTTPS": "true", "EMAIL_VERIFICATION": "mandatory"}
        carried = [f"export {name}={shlex.quote(value)}" for name, value in environment.items()]
        shell(*carried, f"{MANAGE} migrate --verbosity=0", f"{MANAGE} restore {tmp_path}/move.dump --replace")
        load = f'from django.core.signing import loads; print(loads("{signed}"))'
        assert shell(*carried, f"{MANAGE} shell --no-imports --command '{load}'") == "a link in an email\n"
        server = WebServer(tmp_path, workers=1, relayed=False, **environment)
        server.start()
        try:
            for recovery_code in (code, ""):
                visitor = Visitor(server, {"X-Forwarded-Proto": "https"})
                asked = visitor.sign_in("root@club.localhost", DEMO_PASSWORD)
                assert asked.sent_to.startswith("/account/2fa/authenticate/")
                for _try in range(2):  # the half minute of an app's code may end
                    second_factor = {"code": recovery_code or second_factor_code("JBSWY3DPEHPK3PXP")}
                    if (answer := visitor.post(asked.sent_to, second_factor)).status == 302:
                        break
                assert answer.status == 302
                assert visitor.get("/repairs/").status == 200
        finally:
            server.stop()


MANAGE = ".venv/bin/python manage.py"


def shell(*lines: str) -> str:
    """Return the output of lines of a shell, in the project's folder."""
    process = subprocess.run(
        ["bash", "-euc", "\n".join(lines)], cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_stop_during_the_start_leaves_no_process(var: Path, name: str) -> None:
    with launch(var, free_port()) as launcher:
        try:
            while not any("migrate" in line for line in processes_of(var)):
                assert launcher.poll() is None
            launcher.send_signal(signal.Signals[name])
            assert launcher.wait(60) == 0
        finally:
            launcher.kill()
    assert processes_of(var) == []


def test_a_folder_that_cannot_be_written_is_named_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert str(tmp_path / "file") in complaint(tmp_path / "file" / "var", free_port())


def test_a_database_of_an_older_version_is_named_and_left_alone() -> None:
    with places.temporary_folder() as folder:
        older = folder / "var" / "postgres"
        older.mkdir(parents=True)
        (older / "PG_VERSION").write_text("18")
        before = older.stat().st_mtime_ns
        assert f"mv {older} {older}-old" in complaint(folder / "var", free_port())
        assert [path.name for path in older.iterdir()] == ["PG_VERSION"]
        assert older.stat().st_mtime_ns == before


def test_help_explains_itself() -> None:
    help_page = subprocess.run(
        [sys.executable, "-m", "deploy.local", "--help"], cwd=ROOT, capture_output=True, text=True
    )
    assert "Ctrl-C" in help_page.stdout
    assert "--port" in help_page.stdout


@pytest.mark.parametrize("host", ["127.0.0.2", ""])
def test_host_of_the_environment_is_where_it_listens(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    monkeypatch.setenv("HOST", host)
    assert local.parse_options([]).host == (host or "127.0.0.1")
