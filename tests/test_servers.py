"""The local servers keep their promises, tried with real ones."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from deploy import child, places, servers
from deploy.servers import Server, ServerError
from tests.processes import left_after, processes_of


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every account may pass through, unlike pytest's own."""
    with places.temporary_folder() as scratch:
        yield scratch


def lasting_postgres(folder: Path) -> Server:
    return servers.start_postgres(folder / "postgres", folder / "run", folder / "log", durable=True)


def value(url: str, query: str) -> object:
    """Return the first value that the query gives."""
    with psycopg.connect(url) as connection:
        row = connection.execute(query.encode()).fetchone()
    return row[0] if row else None


@pytest.mark.faults
def test_throw_away_servers_answer_and_leave_nothing() -> None:
    with servers.temporary_servers() as addresses:
        assert value(addresses["DATABASE_URL"], "SELECT datcollate FROM pg_database LIMIT 1") == "C.UTF-8"
        socket = Path(addresses["REDIS_URL"].removeprefix("redis+socket://"))
        with redis.Redis(unix_socket_path=str(socket)) as queue:
            assert queue.ping()
        place = socket.parents[1]
        assert processes_of(place)
    assert processes_of(place) == []
    assert not place.exists()


@pytest.mark.faults
def test_a_killed_process_takes_its_servers_along_and_the_next_one_clears_up() -> None:
    command = [sys.executable, "-m", "deploy.servers", "sh", "-c", "echo $REDIS_URL; exec sleep 60"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as launcher:
        assert launcher.stdout
        place = Path(launcher.stdout.readline().strip().removeprefix("redis+socket://")).parents[1]
        assert len(processes_of(place)) > 2
        launcher.kill()
    assert left_after(place, seconds=5) == []
    assert place.exists()
    with places.temporary_folder():
        deadline = time.monotonic() + 10
        while place.exists() and time.monotonic() < deadline:  # another test that starts servers may be removing it
            time.sleep(0.05)
        assert not place.exists()


@pytest.mark.faults
def test_data_survive_a_hard_end(folder: Path) -> None:
    first = lasting_postgres(folder)
    assert value(first.url, "SHOW fsync") == "on"
    with psycopg.connect(first.url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS number")
    first.child.stop(signal.SIGQUIT, grace=10)
    # After a restart of the machine the number in the file may be another process's.
    (folder / "postgres" / "data" / "postmaster.pid").write_text(f"{os.getpid()}\n")
    second = lasting_postgres(folder)
    stored_number = value(second.url, "SELECT number FROM kept")
    second.stop()
    assert stored_number == 42


def test_files_of_another_major_version_are_refused_in_one_line(folder: Path) -> None:
    data = folder / "postgres" / "data"
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text("12\n")
    with pytest.raises(ServerError, match=r"\A\S+ was written by PostgreSQL 12, [^\n]+\Z"):
        lasting_postgres(folder)


@pytest.mark.faults
def test_a_server_that_cannot_start_shows_its_log(folder: Path) -> None:
    broken = lasting_postgres(folder)
    broken.stop()
    (folder / "postgres" / "data" / "postgresql.conf").write_text("no_such_setting = 1\n")
    with pytest.raises(ServerError, match=r"PostgreSQL ended with status 1; [^\n]+\n[\s\S]*no_such_setting"):
        lasting_postgres(folder)


@pytest.mark.faults
def test_only_root_below_a_closed_folder_keeps_data_elsewhere(folder: Path, tmp_path: Path) -> None:
    var = tmp_path / "var"
    var.mkdir()
    tmp_path.chmod(0o700)
    place = places.database_folder(var, fallback=folder)
    if os.geteuid() != 0:
        assert place == var
    else:
        assert place.parent == folder
        assert place == places.database_folder(var, fallback=folder)  # the same one at the next start
        server = servers.start_postgres(place / "postgres", folder / "run", folder / "log", durable=True)
        assert value(server.url, "SELECT 1") == 1
        server.stop()
    assert places.database_folder(folder, fallback=tmp_path) == folder


def test_a_log_is_its_owners_and_begins_anew_when_it_is_long(tmp_path: Path) -> None:
    log = tmp_path / "web.log"
    log.touch(mode=0o644)
    lines = (
        "for line in $(seq 500); do echo line $line; done; touch written; while test -e written; do sleep 0.01; done"
    )
    talker = child.start_process("a talker", ["sh", "-c", f"{lines}; echo more; exec sleep 60"], log, cwd=tmp_path)
    try:
        until((tmp_path / "written").exists)
        talker.rotate_log(limit=10_000)
        assert not log.with_suffix(".log.1").exists()
        talker.rotate_log(limit=1_000)
        (tmp_path / "written").unlink()
        until(lambda: log.read_text() == "more\n")
        assert log.with_suffix(".log.1").read_text().endswith("line 500\n")
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
    finally:
        talker.stop(signal.SIGTERM, grace=5)


def until(ready: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not ready():
        assert time.monotonic() < deadline
        time.sleep(0.01)
