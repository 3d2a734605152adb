"""What of the settings for backups stops the start."""

from __future__ import annotations

from typing import Any

import pytest

from league.backups.archive import new_key
from league.checks import check_settings


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("BACKUP_FOLDER", "backups", ["league.E008"]),
        ("BACKUP_FOLDER", "/var/backups/league", []),
        ("BACKUP_KEY", "correct horse battery staple", ["league.E009"]),
        ("BACKUP_KEY", "AGE-SECRET-KEY-1QQQ", ["league.E009"]),
        ("BACKUP_KEY", "", []),
    ],
    ids=str,
)
def test_a_setting_that_can_not_be_stops_the_start(settings: Any, name: str, value: str, found: list[str]) -> None:
    setattr(settings, name, value)
    assert [message.id for message in check_settings(None)] == found


def test_a_key_of_ours_is_one(settings: Any) -> None:
    settings.BACKUP_KEY = new_key()
    assert check_settings(None) == []
