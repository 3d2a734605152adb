"""A wrong setting stops the start, and says which."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from pytest_django import Settings

from league.checks import check_settings


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("SECRET_KEY", "short"),
        ("NIGHT_HOUR", 24),
        ("ALLAUTH_TRUSTED_PROXY_COUNT", -1),
        ("TIME_ZONE", "Europe/Pairs"),
        ("REDIS_URL", "localhost:6379"),
        ("SITE_ADDRESS", "league.example"),
    ],
)
def test_a_wrong_value_is_named(settings: Settings, name: str, wrong: object) -> None:
    assert check_settings(None) == []
    setattr(settings, name, wrong)
    [found] = check_settings(None)
    assert found.is_serious()
    assert name.removeprefix("ALLAUTH_") in found.msg
    assert found.hint


def test_an_example_stops_the_start_only_where_others_are_served(settings: Settings) -> None:
    settings.SITE_ADDRESS = "https://league.example"
    assert check_settings(None) == []
    settings.HTTPS = True
    [found] = check_settings(None)
    assert "SITE_ADDRESS is still an example" in found.msg
    settings.DEBUG = True
    assert check_settings(None) == []


def test_letters_as_files_lie_where_the_address_says() -> None:
    program = "from league import settings; print(settings.EMAIL_FILE_PATH)"
    for address in ("file:///var/lib/league/mail", "file:////var/lib/league/mail"):
        environment = {**os.environ, "EMAIL_URL": address}
        said = subprocess.run(
            [sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True
        )
        assert said.stdout == "/var/lib/league/mail\n"
