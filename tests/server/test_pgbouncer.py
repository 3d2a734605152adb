"""docs/operations.md, "PgBouncer": three connections in transaction mode serve pages, workers and backups."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import psycopg
import pytest

from deploy import child
from deploy.local import DEMO_PASSWORD
from deploy.places import create_folder_for, server_account, temporary_folder
from deploy.servers import temporary_servers
from tests import debian
from tests.faults.machines import ROOT, wait_for
from tests.visitor import Visitor
from tests.webserver import WebServer

pytestmark = pytest.mark.deploy

DATABASE = "league"
CONFIGURATION = """
[databases]
{database} = host={sockets} user=postgres
[pgbouncer]
pool_mode = transaction
ignore_startup_parameters = options
default_pool_size = 3
auth_type = any
unix_socket_dir = {folder}
listen_port = 6432
"""


@pytest.fixture(scope="module")
def environment() -> Iterator[dict[str, str]]:
    """The settings of an installation with a demo club, whose database is reached through PgBouncer."""
    if not shutil.which("pgbouncer"):
        debian.install("pgbouncer")
    program = shutil.which("pgbouncer")
    assert program, "pgbouncer is missing: install your system's package"
    with temporary_servers() as settings, temporary_folder() as place:
        sockets = unquote(urlsplit(settings["DATABASE_URL"]).netloc.partition("@")[2])
        with psycopg.connect(settings["DATABASE_URL"], autocommit=True) as server:
            server.execute(f"CREATE DATABASE {DATABASE}".encode())
        account = server_account()
        folder = create_folder_for(place / "pgbouncer", account)
        configuration = folder / "pgbouncer.ini"
        configuration.write_text(CONFIGURATION.format(database=DATABASE, sockets=sockets, folder=folder))
        configuration.chmod(0o644)
        pooler = child.start_process(
            "PgBouncer", [program, configuration], place / "pgbouncer.log", cwd=folder, account=account
        )
        try:
            wait_for(lambda: (folder / ".s.PGSQL.6432").exists(), "PgBouncer's socket")
            backups = place / "backups"
            backups.mkdir()
            yield {
                **os.environ,
                **settings,
                "DATABASE_URL": f"postgres://postgres@{str(folder).replace('/', '%2F')}:6432/{DATABASE}",
                "DATABASE_DIRECT_URL": settings["DATABASE_URL"].removesuffix("/postgres") + f"/{DATABASE}",
                "BACKUP_FOLDER": str(backups),
            }
        finally:
            pooler.process.terminate()
            pooler.process.wait()


def manage(environment: dict[str, str], *command: str) -> str:
    process = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


def test_an_installation_behind_pgbouncer(environment: dict[str, str], tmp_path: Path) -> None:
    """Whatever needs one connection for several transactions fails here."""
    manage({**environment, "PGOPTIONS": "-c lock_timeout=10s"}, "migrate", "--verbosity", "0")  # as deploy/upgrade does
    manage(environment, "demo")
    manage(environment, "recompute")
    server = WebServer(tmp_path, workers=2, relayed=False, **environment)
    server.start()
    try:
        member = Visitor(server)
        assert member.sign_in("member@demo.example", DEMO_PASSWORD).status == 302
        assert member.get("/").status == 200
        member.post("/account/reauthenticate/", {"password": DEMO_PASSWORD})
        data = member.post("/privacy/data", {})
        assert data.status == 200, (data.status, data.sent_to, data.text[:500])
        assert json.loads(data.text)
    finally:
        server.stop()
    manage(environment, "backup")
    manage(environment, "restore_drill")
    [backup] = Path(environment["BACKUP_FOLDER"]).glob("*.backup")
    manage(environment, "restore", str(backup), "--replace")
    manage(environment, "verify")
