"""A restored backup replaces the whole database."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from league.models import Club
from tests.build import a_club


@pytest.mark.django_db(transaction=True)
def test_what_was_backed_up_comes_back(tmp_path: Path) -> None:
    a_club(name="Before")
    call_command("backup", tmp_path / "league.dump", verbosity=0)
    a_club(name="After")

    call_command("restore", tmp_path / "league.dump", "--replace", verbosity=0)
    assert [club.name for club in Club.objects.all()] == ["Before"]
    assert [path.name for path in tmp_path.iterdir()] == ["league.dump"]


@pytest.mark.django_db(transaction=True)
def test_data_is_not_replaced_unasked(tmp_path: Path) -> None:
    call_command("backup", tmp_path / "league.dump", verbosity=0)
    with pytest.raises(CommandError, match="--replace"):
        call_command("restore", tmp_path / "league.dump", verbosity=0)


@pytest.mark.django_db(transaction=True)
def test_a_folder_that_is_not_there_is_said_so(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="nowhere"):
        call_command("backup", tmp_path / "nowhere" / "league.dump", verbosity=0)
