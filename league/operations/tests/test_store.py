"""Backups where the settings say: a folder that is thinned out, a command that takes each."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from league.models import Check, Club
from league.models.check import CheckKind
from league.operations.work.backups import archive, revocation_list, store
from league.operations.work.backups.dump import backup_contents
from league.operations.work.backups.postgres_tools import AlreadyRunning, ToolFailed
from league.operations.work.clock import database_now
from tests.build import a_club
from tests.run_jobs import run_tick

pytestmark = pytest.mark.django_db(transaction=True)
NOW = datetime(2026, 11, 23, 5, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.BACKUP_FOLDER = str(tmp_path / "backups")
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups"


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != revocation_list.REVOCATION_FILE_NAME)


def test_the_nights_backup_lies_in_the_folder_for_its_owner_alone(folder: Path) -> None:
    call_command("backup", verbosity=0)
    [path] = [folder / name for name in names(folder)]
    assert store.BACKUP_NAME_PATTERN.fullmatch(path.name)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert Check.objects.get(kind=CheckKind.BACKUP).summary == store.summarize_backup(path)


def test_too_many_go_and_other_files_stay(folder: Path) -> None:
    for day in range(1, 40):
        (folder / (NOW - day * DAY).strftime(store.BACKUP_NAME_FORMAT)).touch()
    killed, running = (folder / f"league-{name}.backup{store.UNFINISHED_SUFFIX}" for name in ("x", "y"))
    for path in (folder / "league.dump", folder / "2026.backup", killed, running):
        path.touch()
    os.utime(killed, (0, 0))
    store.create_backup(NOW)
    remaining = names(folder)
    assert {"league.dump", "2026.backup", running.name} <= set(remaining)  # another process may be writing the last one
    assert killed.name not in remaining
    remaining.remove(running.name)
    assert [NOW.strftime(store.BACKUP_NAME_FORMAT), (NOW - DAY).strftime(store.BACKUP_NAME_FORMAT)] == sorted(
        remaining, reverse=True
    )[1:3]
    assert len(remaining) == 2 + 7 + 5 + 1  # others; days; the Sundays before them; October's last


def test_one_that_fails_leaves_nothing_and_the_others(
    folder: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    call_command("backup", verbosity=0)
    before = names(folder)
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("league.operations.work.backups.postgres_tools._candidate_paths", lambda _name, _version: [])
    with pytest.raises(CommandError, match="pg_dump is not on this machine"):
        call_command("backup", verbosity=0)
    assert names(folder) == before
    assert not Check.objects.filter(kind=CheckKind.BACKUP).latest("pk").ok


def test_a_folder_that_is_away_is_said_so(folder: Path) -> None:
    folder.rmdir()
    with pytest.raises(CommandError, match="No such file"):
        call_command("backup", verbosity=0)


def test_a_command_reads_each_backup_and_its_name(tmp_path: Path, settings: Any) -> None:
    settings.BACKUP_COMMAND = f'cat > "{tmp_path}/$BACKUP_NAME"'
    settings.BACKUP_KEY = archive.generate_key()
    a_club(name="Kept")
    call_command("backup", verbosity=0)
    [backup] = [tmp_path / name for name in names(tmp_path)]
    assert store.BACKUP_NAME_PATTERN.fullmatch(backup.name)
    a_club(name="Later")
    call_command("restore", backup, "--replace", verbosity=0)
    assert [club.name for club in Club.objects.all()] == ["Kept"]


def test_a_command_that_fails_is_named_with_its_last_words(settings: Any) -> None:
    settings.BACKUP_COMMAND = "echo no space left >&2; exit 3"
    with pytest.raises(CommandError, match="status 3: no space left"):
        call_command("backup", verbosity=0)


def test_without_a_place_the_command_says_what_to_set() -> None:
    with pytest.raises(CommandError, match="BACKUP_FOLDER"):
        call_command("backup", verbosity=0)


@pytest.mark.faults
def test_two_at_once_make_one(folder: Path) -> None:
    first = backup_contents()
    next(first)
    with pytest.raises(AlreadyRunning):
        next(backup_contents())
    run_tick("backup", "drill")
    assert names(folder) == []
    first.close()
    run_tick("backup", "drill")
    assert len(names(folder)) == 1


def test_a_tick_makes_one_a_night(folder: Path) -> None:
    run_tick("backup", "drill")
    run_tick("backup", "drill")
    assert len(names(folder)) == 1


def test_a_tick_without_a_place_does_nothing() -> None:
    run_tick("backup", "drill")
    assert not Check.objects.exists()


def test_after_one_that_failed_an_hour_passes(settings: Any) -> None:
    settings.BACKUP_FOLDER = "/nowhere/at/all"
    run_tick("backup", "drill")
    run_tick("backup", "drill")
    failed = Check.objects.get(kind=CheckKind.BACKUP)
    assert not failed.ok
    Check.objects.update(ended_at=database_now() - timedelta(hours=1))
    run_tick("backup", "drill")
    assert Check.objects.filter(kind=CheckKind.BACKUP).count() == 2


def test_pg_dump_that_dies_is_a_failure(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "pg_dump").write_text("#!/bin/sh\nprintf PGDMP-and-so-on\necho 'the server went away' >&2\nexit 1\n")
    (programs / "pg_dump").chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/bin:/usr/bin")
    monkeypatch.setattr("league.operations.work.backups.postgres_tools._candidate_paths", lambda _name, _version: [])
    with pytest.raises(ToolFailed, match="the server went away"):
        store.create_backup(NOW)
    assert names(folder) == []
