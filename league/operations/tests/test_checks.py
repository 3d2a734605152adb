"""What the commands leave behind for the installation's admin."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from league.models import Check
from league.models.check import CheckKind
from tests.build import a_player

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_backup_is_noted_by_its_name(tmp_path: Path) -> None:
    call_command("backup", tmp_path / "league.dump", verbosity=0)
    noted = Check.objects.get()
    assert (noted.kind, noted.ok) == (CheckKind.BACKUP, True)
    assert noted.summary == f"league.dump ({(tmp_path / 'league.dump').stat().st_size:,} bytes)"


def test_a_backup_into_another_file_does_not_replace_the_nightly_one(tmp_path: Path, settings: Settings) -> None:
    """The drill and the copies would look for it in BACKUP_FOLDER, and the site would be reported as unhealthy."""
    settings.BACKUP_FOLDER = tmp_path / "nightly"
    call_command("backup", tmp_path / "now.dump", verbosity=0)
    assert (tmp_path / "now.dump").exists()
    assert not Check.objects.exists()


def test_a_backup_that_failed_is_noted_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(CommandError):
        call_command("backup", tmp_path / "nowhere" / "league.dump", verbosity=0)
    noted = Check.objects.get()
    assert (noted.kind, noted.ok) == (CheckKind.BACKUP, False)
    assert "nowhere" in noted.summary


def test_a_database_older_than_the_code_is_backed_up_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE league_check RENAME TO not_yet")
    try:
        call_command("backup", tmp_path / "league.dump", verbosity=0)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE not_yet RENAME TO league_check")
    assert (tmp_path / "league.dump").exists()
    assert "could not be noted" in capsys.readouterr().err


def test_verify_is_noted_with_the_first_differences() -> None:
    call_command("verify", verbosity=0)
    assert Check.objects.get().ok
    players = [a_player() for _ in range(7)]
    for player in players:
        type(player).objects.filter(pk=player.pk).update(sort_key="x")
    with pytest.raises(CommandError, match="7 stored numbers"):
        call_command("verify", verbosity=0)
    noted = Check.objects.latest("pk")
    assert (noted.kind, noted.ok, noted.found) == (CheckKind.VERIFY, False, 7)
    assert [line.split(":")[0] for line in noted.summary.splitlines()] == [f"Player id {p.pk}" for p in players[:5]]
