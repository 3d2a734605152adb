"""A restore drill uses a side database, and leaves nothing behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from league.models import Check, Club
from league.models.check import CheckKind
from league.operations.work.backups.postgres_tools import connect
from league.operations.work.backups.schedule import last_backup_due_at
from league.operations.work.clock import database_now
from players.models import Player
from tests.build import a_club, a_player
from tests.run_jobs import run_tick

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.BACKUP_FOLDER = str(tmp_path)
    return tmp_path


def drill() -> Check:
    return Check.objects.filter(kind=CheckKind.DRILL).latest("pk")


def databases() -> list[str]:
    ours = f"{connection.settings_dict['NAME']}%drill"  # other tests have drills of their own meanwhile
    with connect() as maintenance:
        return [
            name for (name,) in maintenance.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [ours])
        ]


def test_the_newest_is_tried_and_the_database_stays_as_it_is(folder: Path) -> None:
    call_command("backup", verbosity=0)
    [backup] = folder.glob("league-*.backup")
    a_club(name="After")
    call_command("restore_drill", verbosity=0)
    noted = drill()
    assert noted.ok
    assert noted.summary == backup.name
    assert [club.name for club in Club.objects.all()] == ["After"]
    assert databases() == []


@pytest.mark.faults
def test_wrong_numbers_are_named(folder: Path) -> None:
    players = [a_player() for _ in range(7)]
    Player.objects.update(sort_key="x")
    call_command("backup", verbosity=0)
    Player.objects.update(sort_key="martin given")
    with pytest.raises(CommandError, match=f"Player id {players[0].pk}"):
        call_command("restore_drill", verbosity=0)
    assert not drill().ok
    assert drill().summary.endswith("and 2 more")
    assert databases() == []


def test_a_damaged_backup_is_reported(folder: Path) -> None:
    call_command("backup", verbosity=0)
    [backup] = folder.glob("league-*.backup")
    backup.write_bytes(backup.read_bytes()[:-8])
    with pytest.raises(CommandError, match="cut off"):
        call_command("restore_drill", verbosity=0)
    assert "cut off" in drill().summary


def test_missing_backup_is_reported(folder: Path) -> None:
    with pytest.raises(CommandError, match="no backup"):
        call_command("restore_drill", verbosity=0)


@pytest.mark.faults
def test_a_command_alone_has_a_new_one_tried(settings: Any) -> None:
    settings.BACKUP_COMMAND = "cat > /dev/null"
    call_command("restore_drill", verbosity=0)
    assert drill().ok


@pytest.mark.faults
@pytest.mark.usefixtures("folder")
def test_a_tick_tries_one_a_week() -> None:
    run_tick("backup", "drill")  # the backup
    run_tick("backup", "drill")
    run_tick("backup", "drill")
    assert Check.objects.filter(kind=CheckKind.DRILL).count() == 1
    assert Check.objects.get(kind=CheckKind.BACKUP).ended_at >= last_backup_due_at(database_now())
    assert connection.settings_dict["NAME"] not in databases()
