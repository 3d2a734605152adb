"""The environment file that a server begins with: what it shows as an example stops the start."""

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
SHOWN = dict(
    line.split("=", 1)
    for line in (ROOT / "deploy" / "league.env").read_text().splitlines()
    if re.match(r"[A-Z_]+=", line)
)
OURS = {
    "SITE_ADDRESS": "https://cards.localhost",
    "ALLOWED_HOSTS": "cards.localhost",
    "SECRET_KEY": "0123456789abcdef0123456789abcdef0123456789abcdef0123",
    "EMAIL_URL": "submission://user:password@mail.localhost:587",
    "DEFAULT_FROM_EMAIL": "cards@club.localhost",
    "PUBLISHER": "Cercle du jeudi",
    "HOSTED_BY": "Our cellar",
    "CONTACT": "cards@club.localhost",
}
# In place of what is there on a server: its database, and its folder of backups.
DATABASE = urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path="/postgres"))
HERE = {"DATABASE_URL": DATABASE, "BACKUP_FOLDER": str(ROOT)}


def check(**changed: str) -> subprocess.CompletedProcess[str]:
    """Do what each service does before it starts, with the file's values and these in place of them."""
    return manage("check", "--deploy", **changed)


def manage(*arguments: str, **changed: str) -> subprocess.CompletedProcess[str]:
    """Run a command with the file's values and these in place of them."""
    given = {name: value.strip("'") for name, value in SHOWN.items()} | HERE | changed
    path = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, env=path | given, capture_output=True, text=True
    )


def test_every_example_of_the_file_stops_the_start_by_its_name() -> None:
    """Values that a server can keep are no examples: those of this list alone must be changed."""
    stopped = check()
    assert stopped.returncode == 1
    assert set(re.findall(r"(\w+) is still an example", stopped.stderr)) == set(OURS)


def test_without_an_example_nothing_is_said_not_even_by_djangos_own_checks() -> None:
    looked = check(**OURS)
    assert (looked.returncode, looked.stderr) == (0, "")
    assert "no issues (" in looked.stdout


def test_a_folder_that_is_no_whole_path_stops_the_start() -> None:
    stopped = check(**OURS | {"EMAIL_URL": "file://var/mail"})
    assert stopped.returncode == 1
    assert "EMAIL_URL has a wrong value: names no whole path" in stopped.stderr


@pytest.mark.parametrize("name", ["EMAIL_URL", "SECRET_KEY"])
def test_one_example_that_is_left_stops_the_start(name: str) -> None:
    kept = {other: value for other, value in OURS.items() if other != name}
    stopped = check(**kept)
    assert stopped.returncode == 1
    assert f"{name} is still an example" in stopped.stderr


def test_every_value_of_the_file_is_a_setting_that_the_readme_explains() -> None:
    readme = (ROOT / "README.md").read_text()
    assert all(f"`{name}`" in readme for name in SHOWN)


def test_what_an_earlier_key_signed_holds_until_the_key_is_taken_away() -> None:
    signed = signing.dumps("a link", key=OURS["SECRET_KEY"])
    read = ("shell", "--no-imports", "--command", f"from django.core import signing; print(signing.loads('{signed}'))")
    new = {**OURS, "SECRET_KEY": OURS["SECRET_KEY"][::-1]}
    assert manage(*read, **new, SECRET_KEY_FALLBACKS=OURS["SECRET_KEY"]).stdout == "a link\n"
    assert "BadSignature" in manage(*read, **new).stderr
