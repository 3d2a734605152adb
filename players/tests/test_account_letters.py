"""The owner of an account is notified of each change of its security; nobody can switch these emails off."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from socket import socket
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.operations.work.lights import Colour, lights
from players.models import User
from tests.build import PASSWORD, a_user
from tests.readers import give_password, second_factor_code, set_up_second_factor
from tests.run_jobs import emails

pytestmark = pytest.mark.django_db

OLD, NEW = "old@club.example", "new@club.example"
NOT_SENT = "could not go out just now"
NEW_PASSWORD = {"password1": "another-long-password", "password2": "another-long-password"}


@pytest.fixture
def user(client: Client) -> User:
    """Signed in with recent authentication."""
    user = a_user(OLD)
    EmailAddress.objects.create(user=user, email=OLD, primary=True, verified=True)
    client.force_login(user)
    give_password(client)
    return user


def emails_to_owner(client: Client, name: str, **fields: str) -> list[Any]:
    """Send a form of the account; return the emails to the owner's primary address."""
    mail.outbox.clear()
    answer = client.post(reverse(name), fields)
    assert answer.status_code in (200, 302)
    return [letter for letter in mail.outbox if letter.to == [OLD]]


def test_adding_removing_and_promoting_an_address_notifies_the_primary_address(client: Client, user: User) -> None:
    [added] = emails_to_owner(client, "account_email", action_add="", email=NEW)
    assert added.subject == "An address was added to your account"
    assert NEW in added.body
    assert "IP address" in added.body
    EmailAddress.objects.filter(email=NEW).update(verified=True)
    [promoted] = emails_to_owner(client, "account_email", action_primary="", email=NEW)
    assert NEW in promoted.body
    for email in (NEW, OLD):
        EmailAddress.objects.filter(email=email).update(primary=email == OLD)
    [removed] = emails_to_owner(client, "account_email", action_remove="", email=NEW)
    assert NEW in removed.body


@pytest.fixture
def root(client: Client) -> User:
    """The installation's admin, signed in with recent authentication."""
    root = User.objects.create_superuser("root@club.example", PASSWORD)
    client.force_login(root)
    give_password(client)
    return root


def test_changes_by_the_installations_admin_notify_the_owner(client: Client, user: User, root: User) -> None:
    passwords = {**NEW_PASSWORD, "usable_password": "true", "set-password": ""}
    client.post(reverse("admin:auth_user_password_change", args=[user.pk]), passwords)
    user.refresh_from_db()
    assert user.check_password(NEW_PASSWORD["password1"])
    answer = client.post(reverse("admin:players_user_change", args=[user.pk]), {"email": NEW, "is_active": "on"})
    assert answer.status_code == 302
    set_up_second_factor(user)
    factor = Authenticator.objects.get(user=user)
    client.post(reverse("admin:mfa_authenticator_delete", args=[factor.pk]), {"post": "yes"})
    assert not Authenticator.objects.exists()
    assert [letter.to for letter in mail.outbox] == [[OLD], [OLD], [NEW]]
    assert NEW in mail.outbox[1].body


def test_the_admin_shows_no_secret_and_deletes_a_factor_only_after_reauthentication(client: Client, user: User) -> None:
    secret = set_up_second_factor(user)
    factor = Authenticator.objects.get(user=user)
    client.force_login(User.objects.create_superuser("root@club.example", PASSWORD))
    page = client.get(reverse("admin:mfa_authenticator_change", args=[factor.pk])).content.decode()
    assert OLD in page
    assert secret not in page
    answer = client.post(reverse("admin:mfa_authenticator_delete", args=[factor.pk]), {"post": "yes"})
    assert answer.headers["Location"].startswith(reverse("account_reauthenticate"))
    client.post(
        reverse("admin:mfa_authenticator_changelist"), {"action": "delete_selected", "_selected_action": factor.pk}
    )
    assert Authenticator.objects.filter(pk=factor.pk).exists()


class Refusing:
    """A mail server that refuses all recipients."""

    async def handle_RCPT(self, *_arguments: object) -> str:  # noqa: N802 (name prescribed by aiosmtpd)
        return "550 not here"


@pytest.fixture(params=["not there", "refusing", "no folder"])
def away(request: pytest.FixtureRequest, settings: Any, tmp_path: Path) -> Iterator[None]:
    """Make sending fail for different reasons."""
    if request.param == "no folder":
        (tmp_path / "file").touch()
        settings.EMAIL_BACKEND = "league.mail_folder.EmailBackend"
        settings.EMAIL_FILE_PATH = str(tmp_path / "file" / "mail")
        yield
        return
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_USE_TLS = "127.0.0.1", 1, False
    if request.param == "not there":
        yield
        return
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        settings.EMAIL_PORT = probe.getsockname()[1]
    server = Controller(Refusing(), hostname="127.0.0.1", port=settings.EMAIL_PORT)
    server.start()
    yield
    server.stop()


def is_noted(caplog: pytest.LogCaptureFixture) -> bool:
    """Return whether the status check shows the failure, and the log its cause."""
    [light] = [light for light in lights(timezone.now()) if light.about == "E-mails"]
    return light.colour == Colour.AMBER and "mail_not_sent" in caplog.text and "Traceback" in caplog.text


def test_failed_notices_are_stored_but_no_emails_with_a_secret(client: Client, user: User, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    client.post(reverse("account_change_password"), {"oldpassword": PASSWORD, **NEW_PASSWORD})
    client.post(reverse("account_email"), {"action_add": "", "email": NEW})
    client.logout()
    client.post(reverse("account_reset_password"), {"email": OLD})
    kept = emails()
    assert [email["subject"] for email in kept] == ["Password changed", "An address was added to your account"]
    assert {email["address"] for email in kept} == {OLD}
    assert not [email for email in kept if "/key/" in email["body"] or "/confirm-email/" in email["body"]]


@pytest.mark.usefixtures("away")
def test_without_mail_server_a_password_can_be_changed(
    client: Client, user: User, caplog: pytest.LogCaptureFixture
) -> None:
    answer = client.post(reverse("account_change_password"), {"oldpassword": PASSWORD, **NEW_PASSWORD}, follow=True)
    assert NOT_SENT not in answer.content.decode()
    user.refresh_from_db()
    assert user.check_password(NEW_PASSWORD["password1"])
    assert is_noted(caplog)


@pytest.mark.django_db(transaction=True)  # allauth sends after the commit
@pytest.mark.usefixtures("away")
def test_without_mail_server_a_second_factor_is_set_up_and_recovery_codes_are_shown(
    client: Client, user: User, caplog: pytest.LogCaptureFixture
) -> None:
    client.get(reverse("mfa_activate_totp"))
    code = second_factor_code(client.session["mfa.totp.secret"])
    page = client.post(reverse("mfa_activate_totp"), {"code": code}, follow=True)
    assert page.status_code == 200
    codes = Authenticator.objects.get(user=user, type=Authenticator.Type.RECOVERY_CODES).wrap().get_unused_codes()
    assert codes
    assert all(code in page.content.decode() for code in codes)
    assert is_noted(caplog)


@pytest.mark.usefixtures("away")
@pytest.mark.parametrize("email", [OLD, "nobody@club.example"])
def test_without_mail_server_a_password_reset_can_be_requested_again(
    client: Client, user: User, caplog: pytest.LogCaptureFixture, email: str
) -> None:
    client.logout()
    page: Any = client.post(reverse("account_reset_password"), {"email": email}, follow=True)
    assert page.redirect_chain == [(reverse("account_reset_password"), 302)]
    assert NOT_SENT in page.content.decode()
    assert is_noted(caplog)


@pytest.mark.usefixtures("away")
def test_without_mail_server_an_address_is_added_and_can_be_confirmed_later(
    client: Client, user: User, caplog: pytest.LogCaptureFixture
) -> None:
    page = client.post(reverse("account_email"), {"action_add": "", "email": NEW}, follow=True)
    content = page.content.decode()
    assert NOT_SENT in content
    assert "Confirmation email sent" not in content
    assert EmailAddress.objects.filter(user=user, email=NEW).exists()
    assert is_noted(caplog)


@pytest.mark.usefixtures("away")
@pytest.mark.parametrize(("verification", "signed_in"), [("optional", True), ("mandatory", False)])
def test_without_mail_server_sign_up_creates_an_account(
    client: Client, settings: Any, caplog: pytest.LogCaptureFixture, verification: str, signed_in: bool
) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = verification
    fields = {"given_name": "Zoé", "family_name": "Petit", "email": NEW, "password1": NEW_PASSWORD["password1"]}
    page: Any = client.post(reverse("account_signup"), fields, follow=True)
    assert page.status_code == 200
    content = page.content.decode()
    assert NOT_SENT in content
    assert "Confirmation email sent" not in content
    assert User.objects.filter(email=NEW).exists()
    assert ("_auth_user_id" in client.session) == signed_in
    assert (page.redirect_chain[-1][0] == reverse("account_login")) == (not signed_in)
    assert ("sent again, sign in" in content) == (not signed_in)
    assert is_noted(caplog)


@pytest.mark.parametrize("email", ["", "no address", OLD, "x" * 60 + "@" + "club." * 45 + "example"])
def test_an_invalid_address_sends_no_notice(client: Client, user: User, email: str) -> None:
    assert emails_to_owner(client, "account_email", action_add="", email=email) == []
    assert EmailAddress.objects.count() == 1


def test_sign_up_refuses_a_too_long_address(client: Client) -> None:
    fields = {
        "given_name": "Ann",
        "email": "x" * 60 + "@" + "club." * 45 + "example",
        "password1": NEW_PASSWORD["password1"],
    }
    answer = client.post(reverse("account_signup"), fields)
    assert "at most 254 characters" in answer.content.decode()
    assert not User.objects.exists()


def test_adding_an_address_twice_sends_one_notice(client: Client, user: User) -> None:
    assert len(emails_to_owner(client, "account_email", action_add="", email=NEW)) == 1
    assert emails_to_owner(client, "account_email", action_add="", email=NEW) == []


def test_a_changed_password_is_notified(client: Client, user: User) -> None:
    [letter] = emails_to_owner(client, "account_change_password", oldpassword=PASSWORD, **NEW_PASSWORD)
    assert "password" in letter.body


def test_a_reset_password_is_notified(client: Client, user: User) -> None:
    client.logout()
    [link] = emails_to_owner(client, "account_reset_password", email=OLD)
    path = next(word for word in link.body.split() if "/reset/key/" in word).partition("testserver")[2]
    page: Any = client.get(path, follow=True)
    mail.outbox.clear()
    client.post(page.redirect_chain[-1][0], NEW_PASSWORD)
    assert [letter.to for letter in mail.outbox] == [[OLD]]


@pytest.mark.django_db(transaction=True)  # allauth sends after the commit
def test_activating_and_deactivating_a_second_factor_and_new_codes_are_notified(client: Client, user: User) -> None:
    client.get(reverse("mfa_activate_totp"))
    activated = emails_to_owner(client, "mfa_activate_totp", code=second_factor_code(client.session["mfa.totp.secret"]))
    assert activated
    assert Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists()
    assert emails_to_owner(client, "mfa_generate_recovery_codes")
    assert emails_to_owner(client, "mfa_deactivate_totp")
    assert not Authenticator.objects.filter(user=user).exists()


def test_removing_a_passkey_is_notified(client: Client, user: User) -> None:
    set_up_second_factor(user)
    data = {"name": "Key", "credential": {}}
    key = Authenticator.objects.create(user=user, type=Authenticator.Type.WEBAUTHN, data=data)
    mail.outbox.clear()
    client.post(reverse("mfa_remove_webauthn", args=[key.pk]))
    assert not Authenticator.objects.filter(pk=key.pk).exists()
    assert [letter.to for letter in mail.outbox] == [[OLD]]
