"""The container images, as docs/operations.md describes them: build, start, record a deal, upgrade, restore a backup.

python -m tests.container

`COMPOSE` is the command of a compose program with its options, "docker compose" if it is not set; `COMPOSE_OVERRIDES`
are files that follow deploy/compose.yaml, for a machine whose containers need special options. It needs root and the
port 8001. Its volumes and containers are of a project of its own, and are deleted at the end; the images `league` and
`league-services` are replaced, so do not run it where the site runs.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from secrets import token_hex
from subprocess import CalledProcessError
from time import monotonic, sleep
from urllib.error import HTTPError
from urllib.request import urlopen

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, expect, sync_playwright

from deploy.local import DEMO_PASSWORD, write_line
from tests.browser import FLAGS, chromium
from tests.server.machine import a_copy

ROOT = Path(__file__).resolve().parents[1]
ADDRESS = "http://127.0.0.1:8001"
SECONDS = 120  # until all services have started
SETTINGS = f"""\
SITE_ADDRESS={ADDRESS}
ALLOWED_HOSTS=127.0.0.1
EMAIL_VERIFICATION=none
"""
USER = 10001  # of the images


def copy_release(folder: Path, version: str) -> None:
    """Copy the project's files into this folder, as a release of this version."""
    project = a_copy(ROOT, folder) / "pyproject.toml"
    project.write_text(re.sub(r'(?m)^version = ".*"$', f'version = "{version}"', project.read_text(), count=1))


@dataclass
class Installation:
    folder: Path
    release: Path = field(init=False)

    def __post_init__(self) -> None:
        secrets = self.folder / "secrets"
        secrets.mkdir()
        (self.folder / "backups").mkdir()
        (self.folder / "league.env").write_text(SETTINGS)
        (secrets / "secret-key").write_text(token_hex(32))
        (secrets / "email-url").write_text("file:///var/lib/league/mail")
        for path in (*secrets.iterdir(), secrets, self.folder / "backups"):
            os.chown(path, USER, USER)
            path.chmod(0o700 if path.is_dir() else 0o400)
        self.folder.chmod(0o755)

    def compose(self, *arguments: str) -> str:
        """Run a command of compose and return its output; raise CalledProcessError."""
        command = shlex.split(os.environ.get("COMPOSE", "docker compose"))
        environment = {
            **os.environ,
            "LEAGUE_SETTINGS": str(self.folder),
            "LEAGUE_BACKUPS": str(self.folder / "backups"),
        }
        files = ["deploy/compose.yaml", *os.environ.get("COMPOSE_OVERRIDES", "").split()]
        return subprocess.run(
            [*command, "--project-name=league-test", *(f"--file={file}" for file in files), *arguments],
            cwd=self.release,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=True,
        ).stdout

    def manage(self, *arguments: str) -> str:
        return self.compose("run", "--rm", "--no-deps", "web", "manage", *arguments)

    def install(self, version: str) -> None:
        self._build(version)
        self.compose("up", "--detach", "postgres", "valkey")
        wait_until(lambda: self.manage("migrate", "--no-input"))
        self.compose("up", "--detach")
        wait_until(livez)

    def upgrade(self, version: str) -> None:
        """Upgrade as docs/operations.md says; meanwhile visitors see the maintenance page."""
        self._build(version)
        self.compose("stop", "web", "worker", "background", "clock")
        self.compose("--profile=maintenance", "up", "--detach", "maintenance")
        self.compose("up", "--detach", "postgres", "valkey")
        wait_until(lambda: self.manage("backup", f"/var/backups/league/before-{version}.dump"))
        wait_until(shows_maintenance)
        self.manage("migrate", "--no-input")
        self.compose("--profile=maintenance", "stop", "maintenance")
        self.compose("up", "--detach")
        wait_until(livez)

    def _build(self, version: str) -> None:
        self.release = self.folder / version
        copy_release(self.release, version)
        self.compose("build")


def wait_until(works: Callable[[], object]) -> None:
    deadline = monotonic() + SECONDS
    while True:
        try:
            works()
        except (CalledProcessError, OSError):
            if monotonic() > deadline:
                raise
            sleep(1)
        else:
            return


def number(installation: Installation, expression: str) -> int:
    """Return the number that an expression of the models has."""
    output = installation.manage("shell", "-v", "0", "-c", f"from league.models import *; print('=', {expression})")
    return int(re.findall(r"= (\d+)", output)[-1])


def record_a_deal(page: Page, table: int) -> None:
    page.goto(f"{ADDRESS}/account/login/")
    page.locator("input[name=login]").fill("secretary@demo.example")
    page.locator("input[name=password]").fill(DEMO_PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda address: "login" not in address)
    page.goto(f"{ADDRESS}/tables/{table}/grid")
    page.wait_for_load_state("networkidle")
    rows = page.locator("#grid-recorded tr")
    recorded = rows.count()
    page.keyboard.type("1g260+")
    page.keyboard.press("Enter")
    expect(rows).to_have_count(recorded + 1)


def play(installation: Installation) -> None:
    """Install, record a deal, run the night, upgrade, and go back to a backup."""
    installation.install("1.0.0")
    with urlopen(f"{ADDRESS}/", timeout=10) as answer:
        assert answer.url == f"{ADDRESS}/setup"
    assert '"setup_code"' in installation.compose("logs", "web")
    write_line("installed; the log has the code of the setup page")
    installation.manage("demo")
    table = number(
        installation, "Table.objects.filter(complete=False, round__evening__season__game='tarot').first().pk"
    )
    before = number(installation, "Deal.objects.count()")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        page = browser.new_page()
        try:
            record_a_deal(page, table)
        except PlaywrightError:
            write_line(f"{page.url}\n{page.inner_text('body')}")
            raise
    assert number(installation, "Deal.objects.count()") == before + 1
    write_line("a deal is recorded by the browser")
    installation.manage("recompute")
    installation.manage("verify")
    installation.manage("backup", "/var/backups/league/now.dump")
    write_line("the ratings are computed and verified, a backup is written")
    installation.upgrade("1.0.1")
    assert number(installation, "Deal.objects.count()") == before + 1
    write_line("upgraded; the deal is there")
    installation.manage("shell", "-c", "from league.models import Evening; Evening.objects.first().delete()")
    installation.compose("stop", "web", "worker", "background", "clock")
    installation.manage("restore", "/var/backups/league/now.dump", "--replace")
    installation.compose("up", "--detach")
    wait_until(livez)
    assert number(installation, "Deal.objects.count()") == before + 1
    installation.manage("verify")
    write_line("restored and verified")


def shows_maintenance() -> None:
    try:
        urlopen(f"{ADDRESS}/", timeout=10).close()
    except HTTPError as error:
        if error.code == HTTPStatus.SERVICE_UNAVAILABLE and b"Back in a minute" in error.read():
            return
    raise OSError("no maintenance page")


def livez() -> None:
    urlopen(f"{ADDRESS}/livez", timeout=10).close()


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="league-container-") as name:
        installation = Installation(Path(name))
        try:
            play(installation)
        except CalledProcessError as error:
            sys.exit(f"{shlex.join(error.cmd)}\n{error.stdout}")
        finally:
            installation.compose("down", "--volumes")


if __name__ == "__main__":
    main()
