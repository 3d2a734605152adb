"""What is still an example stops the start; wrong values: tests/test_wrong_settings.py."""

from __future__ import annotations

import os
import subprocess
import sys

from pytest_django import Settings

from league.checks import check_settings


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
