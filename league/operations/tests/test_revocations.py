"""The list of revocations beside the backups; what a restore does with it: test_restored_revocations.py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from league.actions import roles
from league.actions.erasure import erase
from league.actions.merging import merge, undo
from league.models import Club, Revocation
from league.models.revocation import RevocationKind
from league.models.rights import Role
from league.operations.work.backups import revocation_list
from tests.build import NOW, a_club, a_member, a_player
from tests.run_jobs import run_tick

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _origin() -> None:
    """Write the id of this installation, as a migration does."""
    Revocation.objects.filter(kind=RevocationKind.ORIGIN).delete()  # by a migration, in a fresh database
    Revocation.objects.create(kind=RevocationKind.ORIGIN, subject=0, ended_at=NOW)


@pytest.fixture
def club() -> Club:
    club = a_club()
    a_member(club, Role.ADMIN)
    return club


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.BACKUP_FOLDER = str(tmp_path)
    return tmp_path


def test_a_merge_is_no_ending(club: Club) -> None:
    surviving, gone = a_member(club, login=False), a_member(club, login=False)
    merged = merge(surviving.pk, gone.pk, now=NOW, by=None, reason="")
    assert not Revocation.objects.filter(subject=gone.pk, remains="").exists()
    undo(merged.pk, now=NOW)


def test_the_list_is_written_once_for_each_change(folder: Path, club: Club) -> None:
    run_tick("backup", "drill")
    path = folder / revocation_list.REVOCATION_FILE_NAME
    first = path.stat().st_mtime_ns
    run_tick("backup", "drill")
    assert path.stat().st_mtime_ns == first
    erase(a_member(club).pk)
    run_tick("backup", "drill")
    assert path.stat().st_mtime_ns > first
    assert not Revocation.objects.filter(kept=False).exists()


def test_the_list_tells_no_names(folder: Path, club: Club) -> None:
    person = a_player("Chloé", "Unverwechselbar")
    erase(person.pk)
    lists, unproven = revocation_list.read_revocation_lists(folder / "any")
    assert unproven == []
    [rows] = lists.values()
    revoked = [row for row in rows if row.kind != RevocationKind.ORIGIN]
    assert [(row.kind, row.subject) for row in revoked] == [(RevocationKind.PLAYER, person.pk)]
    assert "Unverwechselbar" not in str(revoked)


@pytest.mark.faults
def test_a_role_that_was_lowered_after_the_backup_stays_low(folder: Path, club: Club) -> None:
    membership = club.memberships.get(player=a_member(club, Role.SECRETARY))
    call_command("backup", folder / "league.backup", verbosity=0)
    roles.change_role(membership.pk, Role.MEMBER)
    call_command("restore", folder / "league.backup", "--replace", verbosity=0)
    membership.refresh_from_db()
    assert membership.role == Role.MEMBER
