"""Copies of backups on real S3 and SFTP servers: made, compared, thinned out, shown, and restored."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import run_checks
from django.core.management import CommandError, call_command
from django.utils import timezone

from league.actions.revocations import has_unstored_revocations
from league.models import Check, Club
from league.models.check import CheckKind
from league.operations.work.backups import copies, revocation_list, store
from league.operations.work.check_records import record_check
from league.operations.work.status_checks import Colour, StatusCheck, monitored_checks
from players.models import User
from tests.build import a_club
from tests.copy_servers import CopyServer, copy_server
from tests.run_jobs import run_tick

pytestmark = pytest.mark.django_db(transaction=True)
DAY = timedelta(days=1)


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.BACKUP_FOLDER = str(tmp_path / "backups")
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups"


@pytest.fixture(autouse=True)
def _no_bundle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_CA_BUNDLE", raising=False)  # Debian's rclone cannot use it


def use(server: CopyServer, settings: Any) -> CopyServer:
    settings.BACKUP_COPY_TO, settings.BACKUP_COPY_CONFIG = server.address, str(server.config)
    return server


@pytest.fixture(params=["s3", "sftp"])
def server(request: pytest.FixtureRequest, tmp_path: Path, settings: Any) -> Iterator[CopyServer]:
    with copy_server(request.param, tmp_path) as started:
        yield use(started, settings)


@pytest.fixture
def sftp(tmp_path: Path, settings: Any) -> Iterator[CopyServer]:
    with copy_server("sftp", tmp_path) as started:
        yield use(started, settings)


@pytest.fixture
def away(tmp_path: Path, settings: Any) -> CopyServer:
    """Return a server that has ended."""
    with copy_server("sftp", tmp_path) as started:
        pass
    return use(started, settings)


def backups(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if store.BACKUP_NAME_PATTERN.fullmatch(path.name))


def last_copy() -> Check:
    return Check.objects.filter(kind=CheckKind.COPY).latest("pk")


def status() -> StatusCheck:
    return monitored_checks(timezone.now())["copy"]


@pytest.mark.faults
def test_each_backup_is_copied_with_the_list_and_can_be_restored_from_there(folder: Path, server: CopyServer) -> None:
    a_club(name="Kept")
    run_tick("backup", "copy")
    [name] = backups(folder)
    assert server.names() == [name, revocation_list.REVOCATION_FILE_NAME]
    assert (server.files / name).read_bytes() == (folder / name).read_bytes()
    assert (last_copy().ok, last_copy().summary) == (True, store.summarize_backup(folder / name))
    assert status().colour == Colour.GREEN

    a_club(name="Later")
    for path in folder.iterdir():  # the disk is lost
        path.unlink()
    call_command("fetch_copy", verbosity=0)
    call_command("restore", folder / copies.DOWNLOAD_FOLDER / name, "--replace", verbosity=0)
    assert [club.name for club in Club.objects.all()] == ["Kept"]


def test_a_name_that_is_copied_is_not_copied_again_and_can_be_fetched_by_name(
    folder: Path, sftp: CopyServer, capsys: pytest.CaptureFixture[str]
) -> None:
    for days in (2, 1):
        (folder / (timezone.now() - days * DAY).strftime(store.BACKUP_NAME_FORMAT)).write_text(f"{days} days ago")
        call_command("copy_backup", verbosity=0)
    older, newer = backups(folder)
    os.utime(sftp.files / newer, (0, 0))
    call_command("copy_backup", verbosity=0)
    assert (sftp.files / newer).stat().st_mtime == 0
    capsys.readouterr()
    call_command("fetch_copy", "--list", verbosity=0)
    call_command("fetch_copy", older, verbosity=0)
    fetched = folder / copies.DOWNLOAD_FOLDER / older
    assert capsys.readouterr().out.split() == [older, newer, str(fetched)]
    assert fetched.read_text() == "2 days ago"
    with pytest.raises(CommandError, match="There is no copy nowhere in offsite:bucket/league"):
        call_command("fetch_copy", "nowhere", verbosity=0)


@pytest.mark.faults
def test_old_copies_go_by_the_folders_rule_and_other_files_stay(folder: Path, server: CopyServer) -> None:
    now = timezone.now()
    for day in range(40):
        (server.files / (now - day * DAY).strftime(store.BACKUP_NAME_FORMAT)).write_text("old")
        (folder / (now - day * DAY).strftime(store.BACKUP_NAME_FORMAT)).write_text("old")
    (server.files / "readme.txt").write_text("of somebody else")
    (server.files / copies.UPLOAD_FOLDER).mkdir()
    (server.files / copies.UPLOAD_FOLDER / "league-x.backup").write_text("of a killed upload")
    store.create_backup(now + timedelta(minutes=1))
    call_command("copy_backup", verbosity=0)
    assert server.names() == [*backups(folder), "readme.txt"]


@pytest.mark.faults
def test_a_revocation_is_copied_within_a_minute(folder: Path, sftp: CopyServer) -> None:
    run_tick("backup", "copy")
    before = (sftp.files / revocation_list.REVOCATION_FILE_NAME).read_bytes()
    User.objects.create_user("left@club.example").delete()
    assert has_unstored_revocations()
    run_tick("backup", "copy")
    after = (sftp.files / revocation_list.REVOCATION_FILE_NAME).read_bytes()
    assert before != after == (folder / revocation_list.REVOCATION_FILE_NAME).read_bytes()


def test_a_server_that_is_away_is_tried_each_hour_and_turns_red_after_a_day(folder: Path, away: CopyServer) -> None:
    run_tick("backup", "copy")
    run_tick("copy")
    assert not last_copy().ok
    assert Check.objects.get(kind=CheckKind.BACKUP).ok  # the backup itself is good
    assert status().colour == Colour.RED
    assert "offsite:bucket/league" in status().message
    record_check(CheckKind.COPY, now=timezone.now() - timedelta(hours=5), ok=True)
    assert status().colour == Colour.AMBER

    Check.objects.filter(kind=CheckKind.COPY).update(ended_at=timezone.now() - timedelta(hours=1))
    run_tick("copy")
    assert Check.objects.filter(kind=CheckKind.COPY, ok=False).count() == 2


def test_a_copy_that_no_longer_follows_is_red(folder: Path, away: CopyServer) -> None:
    assert status().colour == Colour.GREY
    record_check(CheckKind.COPY, now=timezone.now() - timedelta(hours=27), ok=True)
    assert status().colour == Colour.RED


@pytest.mark.faults
def test_a_copy_that_differs_gets_no_name(
    folder: Path, sftp: CopyServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The network or the other disk loses bytes: the real rclone, whose download lacks some."""
    rclone = copies.rclone_path()
    script = f'#!/bin/sh\ncase "$*" in *" cat "*) {rclone} "$@" | head -c 9 ;; *) exec {rclone} "$@" ;; esac\n'
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "rclone").write_text(script)
    (tmp_path / "bin" / "rclone").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    run_tick("backup", "copy")
    [name] = backups(folder)
    assert (last_copy().ok, last_copy().summary) == (False, f"The copy of {name} differs from the file.")
    assert sftp.names() == [f"{copies.UPLOAD_FOLDER}/{name}"]


def test_without_a_backup_or_a_place_the_command_says_so(folder: Path, sftp: CopyServer, settings: Any) -> None:
    with pytest.raises(CommandError, match="There is no backup in"):
        call_command("copy_backup", verbosity=0)
    settings.BACKUP_COPY_TO = ""
    for command in ("copy_backup", "fetch_copy"):
        with pytest.raises(CommandError, match="BACKUP_COPY_TO"):
            call_command(command, verbosity=0)


def test_the_start_stops_at_a_place_that_the_configuration_lacks(sftp: CopyServer, settings: Any) -> None:
    assert not [error for error in run_checks() if "BACKUP_COPY" in error.msg]
    settings.BACKUP_COPY_TO = "elsewhere:bucket"
    assert [error.msg for error in run_checks() if "BACKUP_COPY" in error.msg] == [
        f"BACKUP_COPY_TO: {sftp.config} has no section [elsewhere]."
    ]
    settings.BACKUP_COPY_CONFIG = "/nowhere/rclone.conf"
    [error] = [error for error in run_checks() if "BACKUP_COPY" in error.msg]
    assert "No such file" in error.msg
