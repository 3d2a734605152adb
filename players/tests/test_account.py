"""Accounts: limits of a stolen session, notices to the owner, and lockouts after wrong passwords."""

from __future__ import annotations

from typing import cast

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from players.models import User
from tests.build import PASSWORD, a_club, a_player, a_user

pytestmark = pytest.mark.django_db

OLD, NEW = "old@club.example", "new@club.example"


@pytest.fixture
def user(client: Client) -> User:
    """Signed in without recent authentication, with a second, confirmed address."""
    user = a_user(OLD)
    EmailAddress.objects.create(user=user, email=OLD, primary=True, verified=True)
    EmailAddress.objects.create(user=user, email=NEW, verified=True)
    client.force_login(user)
    return user


def reauthenticate(client: Client) -> None:
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})


CHANGES = {
    "add": ("account_email", {"action_add": "", "email": "thief@club.example"}),
    "primary": ("account_email", {"action_primary": "", "email": NEW}),
    "remove": ("account_email", {"action_remove": "", "email": NEW}),
    "second factor": ("mfa_activate_totp", {"code": "123456"}),
    "codes": ("mfa_generate_recovery_codes", {}),
    "key": ("mfa_add_webauthn", {}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_session_alone_changes_no_address_and_no_second_factor(client: Client, user: User, change: str) -> None:
    name, fields = CHANGES[change]
    answer = client.post(reverse(name), fields)
    assert answer.status_code == 302
    assert answer["Location"].startswith(reverse("account_reauthenticate"))
    assert set(EmailAddress.objects.values_list("email", "primary")) == {(OLD, True), (NEW, False)}


def test_a_session_alone_changes_no_password(client: Client, user: User) -> None:
    fields = {"password1": "another-long-password", "password2": "another-long-password"}
    client.post(reverse("account_change_password"), {"oldpassword": "guessed", **fields})
    client.post(reverse("account_set_password"), fields)
    user.refresh_from_db()
    assert user.check_password(PASSWORD)


def test_a_superusers_session_alone_gives_nobody_a_login_or_a_password(client: Client, user: User) -> None:
    User.objects.update(is_staff=True, is_superuser=True)
    for address in ("admin:players_user_add", "admin:players_user_change", "admin:auth_user_password_change"):
        arguments = [] if address.endswith("add") else [user.pk]
        answer = client.post(reverse(address, args=arguments), {"email": "thief@club.example"})
        assert answer.status_code == 302
        assert answer["Location"].startswith(reverse("account_reauthenticate"))
    assert User.objects.get() == user


def test_a_superusers_session_alone_gives_nobody_a_role(client: Client, user: User) -> None:
    User.objects.update(is_staff=True, is_superuser=True)
    club, person = a_club(), a_player()
    for address, row in (("admin:league_club_change", club.pk), ("admin:players_player_change", person.pk)):
        assert client.get(reverse(address, args=[row])).status_code == 200
        answer = client.post(reverse(address, args=[row]), {"user": user.pk})
        assert answer["Location"].startswith(reverse("account_reauthenticate"))


def test_a_new_address_and_a_new_password_are_notified(client: Client, user: User) -> None:
    reauthenticate(client)
    client.post(reverse("account_email"), CHANGES["primary"][1])
    client.post(
        reverse("account_change_password"),
        {"oldpassword": PASSWORD, "password1": "another-long-password", "password2": "another-long-password"},
    )
    assert [letter.to for letter in mail.outbox] == [[OLD], [NEW]]
    assert NEW in mail.outbox[0].body


def sign_in(client: Client, password: str) -> HttpResponse:
    return cast("HttpResponse", client.post(reverse("account_login"), {"login": OLD, "password": password}))


def test_wrong_passwords_lock_out_unknown_browsers_but_not_the_users_own(client: Client, user: User) -> None:
    client.logout()
    assert sign_in(client, PASSWORD).status_code == 302
    client.post(reverse("account_logout"))
    stranger = Client(REMOTE_ADDR="203.0.113.9")
    for _ in range(5):
        sign_in(stranger, "wrong")
    for unknown_browser in (stranger, Client(REMOTE_ADDR="203.0.113.10")):
        assert "Too many failed attempts to sign in" in sign_in(unknown_browser, PASSWORD).content.decode()
    assert sign_in(client, PASSWORD).status_code == 302


def test_wrong_passwords_in_a_known_browser_are_counted_too(client: Client, user: User) -> None:
    client.logout()
    sign_in(client, PASSWORD)
    client.post(reverse("account_logout"))
    for _ in range(5):
        sign_in(client, "wrong")
    assert "Too many failed attempts to sign in" in sign_in(client, PASSWORD).content.decode()
    assert sign_in(Client(), PASSWORD).status_code == 302


def test_a_forged_or_another_users_cookie_is_no_known_browser(client: Client, user: User) -> None:
    thief = a_user("thief@club.example")
    client.logout()
    client.post(reverse("account_login"), {"login": thief.email, "password": PASSWORD})
    client.post(reverse("account_logout"))
    for number in range(6):
        if number == 3:
            client.cookies["known_browser"] = "made-up"
        refused = sign_in(client, "wrong")
    assert "Too many failed attempts to sign in" in refused.content.decode()


def test_a_password_of_digits_is_refused(client: Client) -> None:
    fields = {"given_name": "Ann", "email": "ann@club.example", "password1": "9274650183"}
    answer = client.post(reverse("account_signup"), fields)
    assert "entirely numeric" in answer.content.decode()
    assert not User.objects.exists()


def test_sign_up_reveals_no_address_if_addresses_are_confirmed(client: Client, settings: Settings) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    a_user(OLD)
    fields = {"given_name": "Ann", "password1": "another-long-password"}
    registered, free = (
        Client().post(reverse("account_signup"), {**fields, "email": email}) for email in (OLD, "unknown@club.example")
    )
    assert (registered.status_code, registered["Location"]) == (free.status_code, free["Location"])
    assert [letter.to for letter in mail.outbox] == [[OLD], ["unknown@club.example"]]
