"""The way back: over another schema, from another version, through differences; what fails leaves all as it was."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from league.celery import app
from league.models import Club
from league.models.rights import Role
from league.operations.queries.first_release import FIRST_MIGRATIONS
from league.operations.work.backups import archive
from league.operations.work.backups.archive import Manifest
from league.operations.work.backups.dump import fetch_value
from league.operations.work.backups.postgres_tools import AlreadyRunning, connect, run_tool
from league.operations.work.backups.side_database import SideDatabaseFailed, connect_django_to, side_database
from players.models import Player
from tests.build import a_club, a_member, sign_in

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]  # each starts PostgreSQL's programs


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """Return a backup with a club."""
    a_club(name="Before")
    call_command("backup", tmp_path / "league.backup", verbosity=0)
    return tmp_path / "league.backup"


def _do(statement: str, database: str | None = None) -> None:
    with connect(database) as database_connection:
        database_connection.execute(statement.encode())


@contextmanager
def recorded(migration: str) -> Iterator[None]:
    """Record a migration of league as applied."""
    MigrationRecorder(connection).record_applied("league", migration)
    try:
        yield
    finally:
        MigrationRecorder(connection).record_unapplied("league", migration)


@contextmanager
def not_recorded(migration: str) -> Iterator[None]:
    MigrationRecorder(connection).record_unapplied("league", migration)
    try:
        yield
    finally:
        MigrationRecorder(connection).record_applied("league", migration)


def clubs() -> list[str]:
    return [club.name for club in Club.objects.all()]


def databases() -> list[str]:
    ours = str(connection.settings_dict["NAME"])
    with connect() as maintenance:
        rows = maintenance.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [f"{ours}%"]).fetchall()
    return [name for (name,) in rows]


def restore(path: Path, *options: str) -> None:
    call_command("restore", path, "--replace", *options, verbosity=0)


def test_a_newer_schema_leaves_nothing_behind(backup: Path) -> None:
    a_club(name="After")
    _do("CREATE TABLE league_novelty (club_id bigint REFERENCES league_club)")
    try:
        restore(backup)
        assert clubs() == ["Before"]
        assert "league_novelty" not in connection.introspection.table_names()
    finally:
        _do("DROP TABLE IF EXISTS league_novelty")
    assert databases() == [connection.settings_dict["NAME"]]


def test_an_older_schema_is_brought_up_to_date(backup: Path, tmp_path: Path) -> None:
    with side_database("older") as older:
        older.fill(backup)
        with connect_django_to(older.name):
            call_command("migrate", "sessions", "zero", verbosity=0)
            call_command("backup", tmp_path / "older.backup", verbosity=0)
    restore(tmp_path / "older.backup")
    assert clubs() == ["Before"]
    assert "django_session" in connection.introspection.table_names()


def test_pg_dumps_own_file_is_taken_too(tmp_path: Path) -> None:
    a_club(name="Before")
    with run_tool("pg_dump", "--format=custom", f"--file={tmp_path / 'league.dump'}"):
        pass
    a_club(name="After")
    restore(tmp_path / "league.dump")
    assert clubs() == ["Before"]


def test_other_connections_end_and_find_the_new_one(backup: Path) -> None:
    a_club(name="After")
    with connect() as second:
        restore(backup)
        with pytest.raises(psycopg.OperationalError):
            second.execute("SELECT 1")
    assert clubs() == ["Before"]


def test_everybody_signs_in_again(tmp_path: Path, client: Client) -> None:
    club = a_club()
    sign_in(client, a_member(club, Role.ADMIN))
    call_command("backup", tmp_path / "league.backup", verbosity=0)
    assert Session.objects.exists()
    cache.set("ours", 1)
    with app.connection_for_write() as broker, broker.SimpleQueue("celery") as queue:
        queue.clear()
        queue.put("a message")
        restore(tmp_path / "league.backup")
        assert queue.get(timeout=5).payload == "a message"
        queue.clear()
    assert cache.get("ours") is None
    assert not Session.objects.exists()
    assert client.get("/account/email/").status_code == 302


@pytest.mark.parametrize(
    "kind", ["cut off", "another key", "newer PostgreSQL", "rows missing", "newer program", "older build"]
)
def test_what_can_not_be_restored_is_said_before_anything_changes(
    backup: Path, kind: str, settings: object, tmp_path: Path
) -> None:
    path = tmp_path / "other.backup"
    a_club(name="After")
    words = spoil(backup, path, kind)
    with pytest.raises(CommandError, match=words):
        restore(path)
    assert sorted(clubs()) == ["After", "Before"]
    assert databases() == [connection.settings_dict["NAME"]]


def spoil(good: Path, path: Path, kind: str) -> str:
    """Write an unusable backup to `path`, and return the expected message."""
    if kind == "cut off":
        path.write_bytes(good.read_bytes()[:-100])
        return "is cut off"
    if kind == "another key":
        with path.open("wb") as out:
            archive.write_archive([b"x"], out, key=archive.generate_key())
        return "set BACKUP_KEY"
    if kind == "newer program":
        with recorded("9999_novelty"):
            call_command("backup", path, verbosity=0)
        return r"league\.9999_novelty is not known here.*upgrade first"
    if kind == "older build":
        with recorded("0076_copies_of_backups"), not_recorded(FIRST_MIGRATIONS["league"]):
            call_command("backup", path, verbosity=0)
        return r"A build before 1\.0\.0 made this backup"
    dumped = bytearray()
    manifest = archive.read_archive(good, "", dumped.extend)
    assert manifest
    rows = {**manifest.rows, "public.league_club": 7}
    spoiled = manifest._replace(rows=rows) if kind == "rows missing" else manifest._replace(postgres=990001)
    with path.open("wb") as out:
        archive.write_archive([Manifest(*spoiled).line(), bytes(dumped)], out, key="")
    return "league_club has 1 rows after the restore, and had 7" if kind == "rows missing" else "PostgreSQL 99.*older"


def test_a_backup_of_the_first_release_comes_back(tmp_path: Path) -> None:
    """It names migrations that are no longer known, as a backup of a newer release does."""
    a_club(name="Before")
    with recorded("0076_copies_of_backups"):
        call_command("backup", tmp_path / "league.backup", verbosity=0)
        a_club(name="After")
        restore(tmp_path / "league.backup")
        assert clubs() == ["Before"]


def test_numbers_that_do_not_follow_are_taken_only_when_said_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    player = a_member(a_club(name="Before"))
    Player.objects.filter(pk=player.pk).update(sort_key="x")
    call_command("backup", tmp_path / "league.backup", verbosity=0)
    a_club(name="After")
    with pytest.raises(CommandError, match=r"1 stored numbers.*--accept-differences"):
        restore(tmp_path / "league.backup")
    assert sorted(clubs()) == ["After", "Before"]
    assert f"Player id {player.pk}" in capsys.readouterr().err
    restore(tmp_path / "league.backup", "--accept-differences")
    assert clubs() == ["Before"]


def test_a_role_that_may_not_make_databases_is_named(backup: Path) -> None:
    _do("CREATE ROLE simple LOGIN")
    ours = connection.settings_dict["USER"]
    connection.close()
    connection.settings_dict["USER"] = "simple"
    try:
        with pytest.raises(SideDatabaseFailed, match="ALTER ROLE simple CREATEDB"), side_database("restore"):
            pass
    finally:
        connection.close()
        connection.settings_dict["USER"] = ours
        _do("DROP ROLE simple")


def test_the_databases_owner_needs_no_more_than_to_make_databases(backup: Path) -> None:
    """An empty database of a role of its own, as on a server."""
    before = dict(connection.settings_dict)
    ours = f"{before['NAME']}_owned"
    _do("CREATE ROLE owning LOGIN CREATEDB")
    _do(f'CREATE DATABASE "{ours}" OWNER owning')
    connection.close()
    connection.settings_dict |= {"USER": "owning", "NAME": ours}
    try:
        for _time in range(2):
            restore(backup)
            assert clubs() == ["Before"]
    finally:
        connection.close()
        connection.settings_dict |= before
        _do(f'DROP DATABASE "{ours}" WITH (FORCE)')
        _do("DROP ROLE owning")


def test_a_database_that_autovacuum_is_at_is_dropped_by_a_role_that_may_not_end_it(backup: Path) -> None:
    before = dict(connection.settings_dict)
    _do("CREATE ROLE dropping LOGIN CREATEDB")
    for setting in ("autovacuum_naptime = 1", "autovacuum_vacuum_cost_delay = 100", "autovacuum_vacuum_cost_limit = 1"):
        _do(f"ALTER SYSTEM SET {setting}")
    _do("SELECT pg_reload_conf()")
    seeing = connect()  # as the superuser: PostgreSQL hides the kind of process from others
    connection.close()
    connection.settings_dict |= {"USER": "dropping"}
    try:
        with side_database("drill") as side:
            with connect(side.name) as filling:
                filling.execute("CREATE TABLE much AS SELECT n FROM generate_series(1, 200000) n")
                filling.execute("DELETE FROM much")
            _wait_for_autovacuum(seeing, side.name)
        assert databases() == [before["NAME"]]
    finally:
        connection.close()
        connection.settings_dict |= before
        seeing.close()
        _do("ALTER SYSTEM RESET ALL")
        _do("SELECT pg_reload_conf()")
        _do("DROP ROLE dropping")


def _wait_for_autovacuum(seeing: psycopg.Connection, database: str) -> None:
    at_work = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND backend_type = 'autovacuum worker'"
    end = time.monotonic() + 300  # its few workers may be slow in the other databases first
    while not fetch_value(seeing, at_work, database):
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_file_that_may_not_be_read_says_whose_it_has_to_be(backup: Path) -> None:
    backup.chmod(0)
    before, user = os.geteuid(), os.geteuid() or 65534
    os.seteuid(user)  # root reads all
    try:
        with pytest.raises(CommandError, match=r"may not read .* make \w+ its owner \(chown\)"):
            restore(backup)
    finally:
        os.seteuid(before)


def test_two_of_a_purpose_are_not_made_at_once() -> None:
    with side_database("drill"), pytest.raises(AlreadyRunning, match="Another drill"), side_database("drill"):
        pass
    with side_database("drill"):
        pass


def test_a_database_that_a_killed_one_left_is_in_nobodys_way(backup: Path) -> None:
    _do(f'CREATE DATABASE "{connection.settings_dict["NAME"]}_restore"')
    _do(f'CREATE DATABASE "{connection.settings_dict["NAME"]}_replaced"')
    restore(backup)
    assert databases() == [connection.settings_dict["NAME"]]


def test_a_server_that_does_not_answer_is_named_without_a_traceback(
    backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.close()
    with monkeypatch.context() as patch:
        patch.setitem(connection.settings_dict, "PORT", "1")
        with pytest.raises(CommandError, match="connection to server"):
            restore(backup)
        connection.close()
    assert clubs() == ["Before"]
