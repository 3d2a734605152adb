"""deploy/league.env, the environment file of a new server: each example value stops the start."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.core import signing

ROOT = Path(__file__).resolve().parent.parent.parent
EXAMPLES = dict(
    line.split("=", 1)
    for line in (ROOT / "deploy" / "league.env").read_text().splitlines()
    if re.match(r"[A-Z_]+=", line)
)
CHANGED = {
    "SITE_ADDRESS": "https://cards.localhost",
    "ALLOWED_HOSTS": "cards.localhost",
    "SECRET_KEY": "0123456789abcdef0123456789abcdef0123456789abcdef0123",
    "EMAIL_URL": "submission://user:password@mail.localhost:587",
    "DEFAULT_FROM_EMAIL": "cards@club.localhost",
    "PUBLISHER": "Cercle du jeudi",
    "HOSTED_BY": "Our cellar",
    "CONTACT": "cards@club.localhost",
}
# Values that exist only on a server: its database and its folder of backups.
DATABASE = urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path="/postgres"))
LOCAL = {"DATABASE_URL": DATABASE, "BACKUP_FOLDER": str(ROOT)}


def check(**changes: str) -> subprocess.CompletedProcess[str]:
    """Run the system checks as each service does before it starts."""
    return manage("check", "--deploy", **changes)


def manage(*arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run a command with the values of the file; `changes` override them."""
    variables = {name: value.strip("'") for name, value in EXAMPLES.items()} | LOCAL | changes
    path = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, env=path | variables, capture_output=True, text=True
    )


def test_every_example_of_the_file_stops_the_start_by_its_name() -> None:
    """CHANGED has all values that must be changed; a server can use all others."""
    stopped = check()
    assert stopped.returncode == 1
    assert set(re.findall(r"(\w+) is still an example", stopped.stderr)) == set(CHANGED)


@pytest.mark.faults
def test_changed_values_pass_all_checks_including_djangos() -> None:
    process = check(**CHANGED)
    assert (process.returncode, process.stderr) == (0, "")
    assert "no issues (" in process.stdout


@pytest.mark.faults
def test_a_relative_folder_stops_the_start() -> None:
    stopped = check(**CHANGED | {"EMAIL_URL": "file://var/mail"})
    assert stopped.returncode == 1
    assert "EMAIL_URL has a wrong value: names no whole path" in stopped.stderr


@pytest.mark.faults
@pytest.mark.parametrize("name", ["EMAIL_URL", "SECRET_KEY"])
def test_a_single_example_stops_the_start(name: str) -> None:
    settings = {setting: value for setting, value in CHANGED.items() if setting != name}
    stopped = check(**settings)
    assert stopped.returncode == 1
    assert f"{name} is still an example" in stopped.stderr


def test_every_value_of_the_file_is_a_setting_that_the_readme_explains() -> None:
    readme = (ROOT / "README.md").read_text()
    assert all(f"`{name}`" in readme for name in EXAMPLES)


@pytest.mark.faults
def test_signatures_of_an_earlier_key_are_valid_until_it_is_removed() -> None:
    signed = signing.dumps("a link", key=CHANGED["SECRET_KEY"])
    read = ("shell", "--no-imports", "--command", f"from django.core import signing; print(signing.loads('{signed}'))")
    new = {**CHANGED, "SECRET_KEY": CHANGED["SECRET_KEY"][::-1]}
    assert manage(*read, **new, SECRET_KEY_FALLBACKS=CHANGED["SECRET_KEY"]).stdout == "a link\n"
    assert "BadSignature" in manage(*read, **new).stderr
