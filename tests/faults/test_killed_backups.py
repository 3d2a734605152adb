"""A backup, a copy, a restore or a drill killed with -9: nothing looks complete or goes on, the next one cleans up."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.core.management import call_command
from django.db import connection

from league.models import Club
from league.operations.work.backups import store
from league.operations.work.backups.postgres_tools import connect
from league.operations.work.backups.side_database import side_database
from tests.build import a_club
from tests.copy_servers import copy_server
from tests.faults.machines import ROOT, wait_for
from tests.processes import processes_of

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("faults")]

# An index that takes a minute to build, but not where we are: pg_restore needs nothing more from us by then.
SLOW = """
    CREATE FUNCTION league_slow(x int) RETURNS int IMMUTABLE LANGUAGE plpgsql AS $$
    BEGIN
        IF current_database() ~ '_(restore|drill)$' THEN PERFORM pg_sleep(60); END IF;
        RETURN x;
    END $$;
    CREATE TABLE league_slow AS SELECT 1 AS x;
    CREATE INDEX league_slow_index ON league_slow (league_slow(x));
"""
LARGE = """
    CREATE TABLE league_slow AS
    SELECT sha512(n::text::bytea) || sha512((-n)::text::bytea) AS noise FROM generate_series(1, 600000) n
"""


@pytest.fixture(autouse=True)
def _without_leftovers() -> Iterator[None]:
    yield
    with connect() as database:
        database.execute("DROP TABLE IF EXISTS league_slow")
        database.execute("DROP FUNCTION IF EXISTS league_slow")


def started(*command: str, **environment: str) -> subprocess.Popen[bytes]:
    """Start a command in a new process, on the tests' database."""
    address = urlsplit(os.environ["DATABASE_URL"])
    database = urlunsplit(address._replace(path=f"/{connection.settings_dict['NAME']}"))
    env = {**os.environ, "DATABASE_URL": database, **environment}
    return subprocess.Popen([sys.executable, "manage.py", *command], cwd=ROOT, env=env, stdout=subprocess.DEVNULL)


def killed(process: subprocess.Popen[bytes]) -> None:
    assert process.poll() is None, "it has ended by itself"
    process.kill()
    process.wait()


def tools_at_work() -> list[str]:
    """Return the command lines of PostgreSQL's programs on the tests' database or a side database."""
    command_lines = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue  # it ended meanwhile
        ours = str(connection.settings_dict["NAME"])
        if Path(words[0]).name in ("pg_dump", "pg_restore") and any(f"dbname={ours}" in word for word in words):
            command_lines.append(" ".join(words))
    return command_lines


def building(name: str) -> bool:
    """Return whether the slow index is being built."""
    with connect() as database:
        query = "SELECT 1 FROM pg_stat_activity WHERE datname = %s AND query LIKE 'CREATE INDEX league_slow%%'"
        return database.execute(query, [name]).fetchone() is not None


def connections_to(name: str) -> int:
    with connect() as database:
        return len(database.execute("SELECT 1 FROM pg_stat_activity WHERE datname = %s", [name]).fetchall())


@pytest.mark.parametrize("purpose", ["restore", "drill"])
def test_a_killed_one_leaves_no_program_at_work_and_the_database_whole(tmp_path: Path, purpose: str) -> None:
    side_name = f"{connection.settings_dict['NAME']}_{purpose}"
    with connect() as database:
        database.execute(SLOW)
    call_command("backup", tmp_path / "league.backup", verbosity=0)
    a_club(name="After")
    command = ["restore", "--replace"] if purpose == "restore" else ["restore_drill"]
    process = started(command[0], str(tmp_path / "league.backup"), *command[1:])
    wait_for(lambda: building(side_name), "pg_restore in the middle")
    assert tools_at_work()
    killed(process)
    wait_for(lambda: not tools_at_work(), "pg_restore's end")
    wait_for(lambda: not connections_to(side_name), "the end of its connection")
    assert [club.name for club in Club.objects.all()] == ["After"]

    with side_database(purpose) as side, connect(side.name) as database:
        assert database.execute("SELECT 1 FROM pg_tables WHERE schemaname = 'public'").fetchone() is None
    with connect() as database:
        assert database.execute("SELECT 1 FROM pg_database WHERE datname = %s", [side_name]).fetchone() is None


def test_a_killed_backup_leaves_nothing_that_looks_whole(tmp_path: Path) -> None:
    with connect() as database:
        database.execute(LARGE)
    process = started("backup", BACKUP_FOLDER=str(tmp_path))
    wait_for(lambda: any(path.stat().st_size > 1_000_000 for path in tmp_path.iterdir()), "a backup in the middle")
    killed(process)
    wait_for(lambda: not tools_at_work(), "pg_dump's end")
    [unfinished] = tmp_path.iterdir()
    assert not store.BACKUP_NAME_PATTERN.fullmatch(unfinished.name)
    assert store.newest_backup(tmp_path) is None

    with connect() as database:
        database.execute("DROP TABLE league_slow")
    os.utime(unfinished, (0, 0))  # as an hour later
    next_one = started("backup", BACKUP_FOLDER=str(tmp_path))
    assert next_one.wait(60) == 0
    assert not unfinished.exists()
    assert store.newest_backup(tmp_path)


@pytest.mark.parametrize("protocol", ["s3", "sftp"])
def test_a_killed_copy_gets_no_name_and_the_next_one_is_whole(
    tmp_path: Path, protocol: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AWS_CA_BUNDLE", raising=False)  # Debian's rclone cannot use it
    folder = tmp_path / "backups"
    folder.mkdir()
    backup = folder / "league-2026-11-23T04-00-12Z.backup"
    backup.write_bytes(os.urandom(4_000_000))
    with copy_server(protocol, tmp_path) as server:
        environment = {
            "BACKUP_FOLDER": str(folder),
            "BACKUP_COPY_TO": server.address,
            "BACKUP_COPY_CONFIG": str(server.config),
        }
        process = started("copy_backup", **environment, RCLONE_BWLIMIT="100k")
        wait_for(lambda: uploads(backup), "rclone in the middle")
        if protocol == "sftp":  # an S3 server shows nothing before the end
            wait_for(server.names, "a part of the copy")
        killed(process)
        wait_for(lambda: not uploads(backup), "rclone's end")
        assert backup.name not in server.names()

        assert started("copy_backup", **environment).wait(60) == 0
        assert server.names() == [backup.name]
        assert (server.files / backup.name).read_bytes() == backup.read_bytes()


def uploads(file: Path) -> list[str]:
    """Return the command lines of rclone that name the file, except those of the server."""
    return [line for line in processes_of(file) if "rclone" in line]
