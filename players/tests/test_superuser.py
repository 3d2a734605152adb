"""`manage.py createsuperuser`, `promote`, `changepassword` and `sendtestemail` at a terminal."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
from allauth.account.models import EmailAddress
from django.conf import global_settings
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from players.models import User
from tests.terminal import type_at

ROOT = Path(__file__).resolve().parent.parent.parent
ADDRESS, STRONG = "root@club.example", "petit-au-bout-2026"
PASSWORD, PASSWORD_AGAIN = "Password:", "Password (again):"


def run_at_terminal(*answers: tuple[str, str], command: tuple[str, ...] = ("createsuperuser",)) -> str:
    """Run a command on the test database; each answer is a prompt and the input after it. Return the output."""
    address = urlsplit(os.environ["DATABASE_URL"])
    database = urlunsplit(address._replace(path=f"/{connection.settings_dict['NAME']}"))
    command_line = ["timeout", "--foreground", "60", sys.executable, str(ROOT / "manage.py"), *command]
    return type_at(command_line, answers, {**os.environ, "DATABASE_URL": database})


@pytest.mark.faults
@pytest.mark.django_db(transaction=True)
def test_createsuperuser_refuses_a_weak_password(settings: Any) -> None:
    output = run_at_terminal(
        ("E-mail address:", "no address"),
        ("E-mail address:", ADDRESS),
        *((PASSWORD, "12345"), (PASSWORD_AGAIN, "12345")),
        *((PASSWORD, ADDRESS), (PASSWORD_AGAIN, ADDRESS)),
        *((PASSWORD, ""), (PASSWORD_AGAIN, "")),
        *((PASSWORD, STRONG), (PASSWORD_AGAIN, "another")),
        *((PASSWORD, STRONG), (PASSWORD_AGAIN, STRONG)),
    )
    for message in ("valid email address", "too short", "too similar", "The passwords differ.", "created successfully"):
        assert message in output
    assert "Bypass" not in output
    assert STRONG not in output
    user = User.objects.get()
    assert user.is_superuser
    assert EmailAddress.objects.get(user=user, primary=True).verified
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS  # the command ran outside the tests' settings
    assert user.check_password(STRONG)


@pytest.mark.faults
@pytest.mark.django_db(transaction=True)
def test_createsuperuser_refuses_a_taken_address() -> None:
    User.objects.create_user("Root@club.example")
    output = run_at_terminal(
        ("E-mail address:", ADDRESS),
        ("E-mail address:", "other@club.example"),
        *((PASSWORD, STRONG), (PASSWORD_AGAIN, STRONG)),
    )
    assert "already taken" in output
    assert f"manage.py promote {ADDRESS}" in output
    assert User.objects.get(is_superuser=True).email == "other@club.example"


@pytest.mark.django_db(transaction=True)
def test_createsuperuser_without_a_terminal_confirms_the_address(settings: Any, client: Client) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    call_command("createsuperuser", "--no-input", email=ADDRESS)
    user = User.objects.get()
    user.set_password(STRONG)
    user.save()
    assert EmailAddress.objects.get(user=user).verified
    answer = client.post("/account/login/", {"login": ADDRESS, "password": STRONG})
    assert answer["Location"] == "/"
    assert mail.outbox == []


def a_login(*, verified: bool = True, **fields: Any) -> User:
    user = User.objects.create_user("Chloe@club.example", STRONG, **fields)
    EmailAddress.objects.create(user=user, email="chloe@club.example", verified=verified, primary=True)
    return user


@pytest.mark.django_db
def test_promote_keeps_the_existing_user_and_password(client: Client) -> None:
    user = a_login()
    call_command("promote", "chloe@club.example")
    user.refresh_from_db()
    assert (user.is_superuser, user.is_staff, user.check_password(STRONG)) == (True, True, True)
    client.force_login(user)
    assert client.get("/watch").status_code == 200


@pytest.mark.django_db
def test_promote_refuses_an_unconfirmed_or_inactive_user() -> None:
    """Anybody could have signed up with the successor's address before."""
    user = a_login(verified=False)
    with pytest.raises(CommandError, match="was never confirmed"):
        call_command("promote", user.email)
    with pytest.raises(CommandError, match="No login has the address nobody"):
        call_command("promote", "nobody@club.example")
    EmailAddress.objects.update(verified=True)
    User.objects.update(is_active=False)
    with pytest.raises(CommandError, match="was shut"):
        call_command("promote", user.email)
    user.refresh_from_db()
    assert not user.is_superuser


@pytest.mark.faults
@pytest.mark.django_db(transaction=True)
def test_changepassword_refuses_a_weak_password(settings: Any) -> None:
    user = a_login()
    output = run_at_terminal(
        *((PASSWORD, "12345"), (PASSWORD_AGAIN, "12345")),
        *((PASSWORD, "a new one 2026"), (PASSWORD_AGAIN, "a new one 2026")),
        command=("changepassword", user.email),
    )
    assert "too short" in output
    assert "changed successfully" in output
    user.refresh_from_db()
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    assert user.check_password("a new one 2026")


@pytest.mark.django_db
def test_sendtestemail_sends_an_email() -> None:
    call_command("sendtestemail", ADDRESS)
    [email] = mail.outbox
    assert email.to == [ADDRESS]
