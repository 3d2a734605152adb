"""`manage.py createsuperuser`, `promote`, `changepassword` and `sendtestemail`, as an admin types them."""

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
PASSWORD, AGAIN = "Password:", "Password (again):"


def typed(*answers: tuple[str, str], command: tuple[str, ...] = ("createsuperuser",)) -> str:
    """Run a command on the tests' database, with what is typed after each question."""
    address = urlsplit(os.environ["DATABASE_URL"])
    database = urlunsplit(address._replace(path=f"/{connection.settings_dict['NAME']}"))
    whole = ["timeout", "--foreground", "60", sys.executable, str(ROOT / "manage.py"), *command]
    return type_at(whole, answers, {**os.environ, "DATABASE_URL": database})


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
    assert EmailAddress.objects.get(user=made, primary=True).verified
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
    assert f"manage.py promote {ADDRESS}" in seen
    assert User.objects.get(is_superuser=True).email == "other@club.example"


@pytest.mark.django_db(transaction=True)
def test_without_a_terminal_the_address_is_confirmed_as_well(settings: Any, client: Client) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    call_command("createsuperuser", "--no-input", email=ADDRESS)
    made = User.objects.get()
    made.set_password(STRONG)
    made.save()
    assert EmailAddress.objects.get(user=made).verified
    answer = client.post("/account/login/", {"login": ADDRESS, "password": STRONG})
    assert answer["Location"] == "/"
    assert mail.outbox == []


def a_login(*, verified: bool = True, **fields: Any) -> User:
    user = User.objects.create_user("Chloe@club.example", STRONG, **fields)
    EmailAddress.objects.create(user=user, email="chloe@club.example", verified=verified, primary=True)
    return user


@pytest.mark.django_db
def test_a_successor_who_has_a_login_is_promoted_and_keeps_it(client: Client) -> None:
    user = a_login()
    call_command("promote", "chloe@club.example")
    user.refresh_from_db()
    assert (user.is_superuser, user.is_staff, user.check_password(STRONG)) == (True, True, True)
    client.force_login(user)
    assert client.get("/watch").status_code == 200


@pytest.mark.django_db
def test_a_login_that_may_be_a_strangers_is_not_promoted() -> None:
    """Anybody can sign up with the successor's address, before he does."""
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


@pytest.mark.django_db(transaction=True)
def test_a_forgotten_password_is_changed_in_the_shell(settings: Any) -> None:
    user = a_login()
    seen = typed((PASSWORD, "12345"), (AGAIN, "12345"), (PASSWORD, "a new one 2026"), (AGAIN, "a new one 2026"),
                 command=("changepassword", user.email))  # fmt: skip
    assert "too short" in seen
    assert "changed successfully" in seen
    user.refresh_from_db()
    settings.PASSWORD_HASHERS = global_settings.PASSWORD_HASHERS
    assert user.check_password("a new one 2026")


@pytest.mark.django_db
def test_an_email_is_tried_from_the_shell() -> None:
    call_command("sendtestemail", ADDRESS)
    [email] = mail.outbox
    assert email.to == [ADDRESS]
