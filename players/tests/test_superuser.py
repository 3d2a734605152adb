"""`manage.py createsuperuser`, typed at a terminal: no weak password passes."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.conf import global_settings
from django.db import connection

from players.models import User
from tests.terminal import type_at

ROOT = Path(__file__).resolve().parent.parent.parent
ADDRESS, STRONG = "root@club.example", "petit-au-bout-2026"
PASSWORD, AGAIN = "Password:", "Password (again):"


def typed(*answers: tuple[str, str]) -> str:
    """Make a superuser on the tests' database, by what is typed after each question."""
    address = urlsplit(os.environ["DATABASE_URL"])
    database = urlunsplit(address._replace(path=f"/{connection.settings_dict['NAME']}"))
    command = ["timeout", "--foreground", "60", sys.executable, str(ROOT / "manage.py"), "createsuperuser"]
    return type_at(command, answers, {**os.environ, "DATABASE_URL": database})


@pytest.mark.django_db(transaction=True)
def test_a_weak_password_is_refused_and_asked_for_again(settings: Any) -> None:
    seen = typed(
        ("E-mail address:", "no address"),
        ("E-mail address:", ADDRESS),
        *((PASSWORD, "12345"), (AGAIN, "12345")),
        *((PASSWORD, ADDRESS), (AGAIN, ADDRESS)),
        *((PASSWORD, ""), (AGAIN, "")),
        *((PASSWORD, STRONG), (AGAIN, "another")),
        *((PASSWORD, STRONG), (AGAIN, STRONG)),
    )
    for said in ("valid email address", "too short", "too similar", "The passwords differ.", "created successfully"):
        assert said in seen
    assert "Bypass" not in seen
    assert STRONG not in seen
    made = User.objects.get()
    assert made.is_superuser
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS  # the process has no cheap one for tests
    assert made.check_password(STRONG)


@pytest.mark.django_db(transaction=True)
def test_an_address_that_is_taken_is_asked_for_again() -> None:
    User.objects.create_user("Root@club.example")
    seen = typed(
        ("E-mail address:", ADDRESS),
        ("E-mail address:", "other@club.example"),
        *((PASSWORD, STRONG), (AGAIN, STRONG)),
    )
    assert "already taken" in seen
    assert User.objects.get(is_superuser=True).email == "other@club.example"
