"""Every setting of README's table, set to a wrong value: no process starts, and one line names the variable.

Each case is a real process, forked by one that has loaded Django: a full start would take seconds a case.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest

from deploy.places import temporary_folder

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text().partition("## Settings")[2].partition("\n## ")[0]
DOCUMENTED = [
    name
    for line in README.splitlines()
    if line.startswith("| `")
    for name in re.findall(r"`([A-Z_]+)`", line.split("|")[1])
]
GOOD = {"SECRET_KEY": "0123456789abcdef0123456789abcdef", "SITE_ADDRESS": "http://cards.localhost:8000"}
GOOD |= {"ALLOWED_HOSTS": "cards.localhost"}

FLAG = ["maybe", "2", "truefalse"]
LINE = ["two\nlines", "bell\a"]
WRONG = {
    "DATABASE_URL": [
        "league",
        "mysql://localhost/league",
        "postgres://localhost",
        "postgres://a:b@h:port/league",
        "://",
    ],
    "REDIS_URL": [
        "localhost:6379",
        "http://localhost",
        "redis://",
        "redis://h:port",
        "redis://h/abc",
        "redis+socket://",
    ],
    "SECRET_KEY": ["short", "x" * 31],
    "SECRET_KEY_FALLBACKS": ["short", "x" * 40 + ",short"],
    "ALLOWED_HOSTS": [
        "https://cards.localhost",
        "cards.localhost:8000",
        "cards localhost",
        ",",
        "",
        "elsewhere.localhost",
    ],
    "CSRF_TRUSTED_ORIGINS": ["cards.localhost", "https://", "ftp://cards.localhost"],
    "SITE_NAME": ["x" * 41, "two\nlines"],
    "SITE_ADDRESS": [
        "cards.localhost",
        "ftp://cards.localhost",
        "https://",
        "https://cards.localhost/sub",
        "https://[x",
    ],
    "HTTPS": FLAG,
    "DEMO": FLAG,
    "TRUSTED_PROXY_COUNT": ["-1", "one", "1.5", "100"],
    "PUBLISHER": LINE,
    "HOSTED_BY": LINE,
    "CONTACT": ["nobody", "a@", "a@b@c", *LINE],
    "NIGHT_HOUR": ["25", "-1", "four", "4:30", "", "4" * 5000],
    "BACKUP_FOLDER": ["backups", "/nowhere/at/all", "/etc/passwd", "../x"],
    "BACKUP_COMMAND": ["cat > 'unfinished", "if true", *LINE],
    "BACKUP_KEY": ["correct horse battery staple", "AGE-SECRET-KEY-1QQQ"],
    "BACKUP_AFTER_EVENINGS": FLAG,
    "BACKUP_COPY_TO": ["offsite:bucket", "/mnt/copies", "offsite:", "off site:bucket", *LINE],  # the first: alone
    "BACKUP_COPY_CONFIG": ["rclone.conf", "/etc/league/rclone.conf", *LINE],
    "WEBHOOK_ALLOWED_HOSTS": ["*", "https://hook.example", "hook.example:443", "a,,b"],
    "HEARTBEAT_URL": ["monitor.example", "file:///etc/passwd", "https://", "https://h:port/"],
    "DATABASE_DIRECT_URL": ["league", "mysql://localhost/league", "postgres://localhost"],
    "RELEASES_FEED": ["git.localhost", "file:///etc/passwd", "https://"],
    "METRICS_TOKEN": ["short", "a token that has spaces", "two lines of a\nlong token"],
    "SENTRY_DSN": ["sentry.example", "https://sentry.example/1", "https://key@sentry.example/", "ftp://key@h/1"],
    "TIME_ZONE": ["Paris", "Europe/Pairs", "../etc/passwd", "UTC+1"],
    "EMAIL_URL": ["smtp.club.fr", "smtp://", "smtp://h:port", "imap://h", "file://var/mail", "file:///"],
    "DEFAULT_FROM_EMAIL": ["Our club", "Our club <cards>", *LINE],
    "EMAIL_VERIFICATION": ["yes", "Mandatory", ""],
    "EMAIL_EVENTS": ["mailgun", "Mailgun", "sendmail"],  # a right one alone: the key is missing
    "EMAIL_EVENTS_KEY": ["0123456789abcdef0123456789abcdef", "short", "é" * 20, *LINE],
    "OIDC_NAME": ["x" * 41, "Club account", *LINE],  # a right one alone: the others are missing
    "OIDC_SERVER_URL": ["accounts.example", "http://accounts.example", "https://", "https://accounts.example/?a=1"],
    "OIDC_CLIENT_ID": ["league", *LINE],
    "OIDC_CLIENT_SECRET": ["secret", *LINE],
    "PUBLIC_CLUBS_BY_APPROVAL": FLAG,
    "LOCAL_STATIC": FLAG,
    "DEBUG": FLAG,
    "LOG_LEVEL": ["loud", "info"],
    "PORT": ["http", "0", "70000", "-1"],
    "HOST": ["no such host", "999.1.1.1"],
}
# Names that resemble a setting's, and the one that was meant.
UNKNOWN = {
    "EMAIL_ULR": "EMAIL_URL",
    "ALLOWED_HOST": "ALLOWED_HOSTS",
    "TIMEZONE": "TIME_ZONE",
    "email_url": "EMAIL_URL",
    "SECRET_KEYS": "SECRET_KEY",
    "BACKUP_FOLDERS": "BACKUP_FOLDER",
    "REDIS_URI": "REDIS_URL",
    "EMAIL_VERFICATION": "EMAIL_VERIFICATION",
    "SECRETKEY_FILE": "SECRET_KEY_FILE",
}
LOCAL = ("PORT", "HOST")  # of `make run` alone

# Reads a case's number and its settings, forks, and lets the child do what each service does before it starts.
PARENT = """
import json, os, sys
import django.core.management, django.db.backends.postgresql.base, django.forms, celery.schedules, pyrage
for line in sys.stdin:
    number, settings, module = json.loads(line)
    pid = os.fork()
    if not pid:
        os.environ.update(settings, DJANGO_SETTINGS_MODULE="league.settings")
        out = os.open(f"{sys.argv[1]}/{number}", os.O_WRONLY | os.O_CREAT)
        os.dup2(out, 1); os.dup2(out, 2)
        if module == "deploy.local":
            import deploy.local
            sys.argv[1:] = ["--var", f"{sys.argv[1]}/var"]
            sys.exit(deploy.local.main())
        if module == "settings":
            from league import settings
            print("EMAIL_BACKEND", settings.EMAIL_BACKEND)
            sys.exit()
        django.core.management.execute_from_command_line(["manage.py", "check", "--deploy"])
        sys.exit()
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""


class Starts:
    """The process that forks one for each case."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._number = folder, 0
        # The database that every server has: the tests' own is not there without them.
        database_url = urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path="/postgres"))
        variables = {name: os.environ[name] for name in ("PATH", "LANG", "HOME", "REDIS_URL") if name in os.environ}
        self._process = subprocess.Popen(
            [sys.executable, "-c", PARENT, folder],
            cwd=ROOT,
            env=variables | GOOD | {"DATABASE_URL": database_url},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def start(self, module: str = "manage", **settings: str) -> tuple[int, str]:
        """Start a process with these settings beside good ones; return its status, and what it wrote."""
        self._number += 1
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps([self._number, settings, module]) + "\n")
        self._process.stdin.flush()
        status = int(self._process.stdout.readline())
        return status, (self._folder / str(self._number)).read_text()

    def end(self) -> None:
        """End it."""
        self._process.communicate()


@pytest.fixture(scope="module")
def starts() -> Iterator[Starts]:
    with temporary_folder() as folder:
        started = Starts(folder)
        yield started
        started.end()


def test_good_settings_start(starts: Starts) -> None:
    status, text = starts.start()
    assert (status, "Traceback" in text) == (0, False), text


def test_every_documented_setting_is_set_wrong_here() -> None:
    assert set(WRONG) == set(DOCUMENTED)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in DOCUMENTED[::12] else pytest.mark.faults) for name in DOCUMENTED]
)
def test_a_wrong_value_stops_the_start_with_one_line_that_names_it(starts: Starts, name: str) -> None:
    check_wrong_values(starts, name, WRONG[name][:1])


@pytest.mark.faults
@pytest.mark.parametrize("name", [name for name in DOCUMENTED if WRONG[name][1:]])
def test_every_other_wrong_value_stops_the_start_too(starts: Starts, name: str) -> None:
    check_wrong_values(starts, name, WRONG[name][1:])


def check_wrong_values(starts: Starts, name: str, values: list[str]) -> None:
    for value in values:
        status, text = starts.start("deploy.local" if name in LOCAL else "manage", **{name: value})
        naming_lines = [line for line in text.splitlines() if re.search(rf"\b{name}\b", line) and "HINT" not in line]
        assert status > 0, (value, text)
        assert len(naming_lines) == 1, (value, text)
        assert "Traceback" not in text


@pytest.mark.faults
@pytest.mark.parametrize(("name", "meant"), UNKNOWN.items())
def test_an_unknown_name_that_resembles_a_setting_stops_the_start(starts: Starts, name: str, meant: str) -> None:
    status, text = starts.start(**{name: "1"})
    assert (status, text) == (1, f"{name} is no setting: write {meant}, or take it away.\n")


@pytest.mark.faults
def test_other_programs_variables_stop_nothing(starts: Starts) -> None:
    similar_names = (
        "LANGUAGE",
        "HOSTNAME",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "TZ",
        "EMAIL",
        "REPORT",
        "BACKUP_BUCKET",
        "REDIS_PORT",
    )
    status, text = starts.start(**dict.fromkeys(similar_names, "1"))
    assert status == 0, text


@pytest.mark.faults
def test_a_wrong_password_of_the_database_is_named_and_not_shown(starts: Starts) -> None:
    address = urlsplit(os.environ["DATABASE_URL"])
    wrong = urlunsplit(address._replace(netloc=f"nobody-there:hush@{address.netloc.partition('@')[2]}"))
    status, text = starts.start(DATABASE_URL=wrong)
    assert status == 1
    assert "DATABASE_URL: the database does not let us in" in text
    assert "hush" not in text
    assert "Traceback" not in text


@pytest.mark.parametrize(
    "name", ["SECRET_KEY", "BACKUP_KEY", "DATABASE_URL", "REDIS_URL", "EMAIL_URL", "HEARTBEAT_URL"]
)
def test_a_secret_is_not_shown(starts: Starts, name: str) -> None:
    assert "hush" not in starts.start(**{name: "odd://user:hush@"})[1]


@pytest.mark.faults
def test_a_value_comes_from_a_file(starts: Starts, tmp_path: Path) -> None:
    """Docker and systemd hand over secrets as files, most of them with a line end."""
    (tmp_path / "contact").write_text("nobody\n")
    status, text = starts.start(CONTACT_FILE=str(tmp_path / "contact"))
    assert (status, "nobody" in text) == (1, False)  # what is in a file can be a secret
    assert text.startswith("CONTACT has a wrong value")
    (tmp_path / "contact").write_text("cards@club.localhost\n")
    status, text = starts.start(CONTACT_FILE=str(tmp_path / "contact"))
    assert status == 0, text


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (None, "can not be read"),
        (b"\xff\xfe", "no text"),
        (b"x" * 10_001, "more than 10,000 bytes"),
    ],
    ids=["missing", "binary", "large"],
)
def test_a_file_that_can_not_be_used_stops_the_start(
    starts: Starts, tmp_path: Path, content: bytes | None, problem: str
) -> None:
    if content is not None:
        (tmp_path / "value").write_bytes(content)
    status, text = starts.start(EMAIL_URL_FILE=str(tmp_path / "value"))
    assert status == 1
    assert re.fullmatch(rf"EMAIL_URL_FILE .*{problem}.*\n", text), text


def test_a_variable_and_its_file_stop_the_start(starts: Starts, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("k" * 40)
    status, text = starts.start(SECRET_KEY_FILE=str(tmp_path / "key"))  # beside the SECRET_KEY of GOOD
    assert (status, text) == (1, "SECRET_KEY_FILE is set, and SECRET_KEY too: take one of them away.\n")
