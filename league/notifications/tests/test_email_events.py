"""A mail provider reports returned emails and complaints, signed as the provider signs them."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from league import urls
from league.actions import notifications
from league.actions.email_events import resume_emails
from league.models import Check, Notification, Revocation
from league.models.check import CheckKind
from league.models.notification import NotificationKind, notification_wanted_condition, wanted_kinds
from league.models.revocation import RevocationKind
from league.notifications.urls import event_patterns
from players.models import User
from tests.build import a_club, a_member, sign_in
from tests.readers import user_of

pytestmark = pytest.mark.django_db
KEY = "0123456789abcdef0123456789abcdef"
ADDRESS = "/letters/events"


def sign(text: bytes) -> str:
    return hmac.new(KEY.encode(), text, hashlib.sha256).hexdigest()


def mailgun(event: str, recipient: Any, *, signature: str = "", **fields: Any) -> tuple[bytes, dict[str, str]]:
    """Return the body and headers of an event, as documented by Mailgun."""
    stamp, token = "1764238000", "0f1e2d3c"
    block = {"timestamp": stamp, "token": token, "signature": signature or sign(f"{stamp}{token}".encode())}
    data = {"event": event, "recipient": recipient, "timestamp": 1764238000.1, **fields}
    return json.dumps({"signature": block, "event-data": data}).encode(), {}


def mailersend(event: str, recipient: Any, *, signature: str = "") -> tuple[bytes, dict[str, str]]:
    """Return the body and headers of an event, as documented by MailerSend."""
    email = {"message": {"id": "1"}, "recipient": {"email": recipient}, "status": "rejected"}
    data = {"type": event, "email": email, "created_at": "2026-11-27T10:00:00Z", "morph": None}
    body = json.dumps({"type": f"activity.{event}", "data": data}).encode()
    return body, {"Signature": signature or sign(body)}


PROVIDERS: dict[str, Any] = {"mailgun": mailgun, "mailersend": mailersend}
RETURNED = {"mailgun": "failed", "mailersend": "hard_bounced"}
SPAM = {"mailgun": "complained", "mailersend": "spam_complaint"}


@pytest.fixture(params=PROVIDERS)
def provider(request: pytest.FixtureRequest, settings: Any) -> str:
    settings.EMAIL_EVENTS, settings.EMAIL_EVENTS_KEY = request.param, KEY
    settings.ROOT_URLCONF = (*urls.urlpatterns, *event_patterns())
    return str(request.param)


@pytest.fixture
def reader() -> User:
    return user_of(a_member(a_club()))


def post(client: Client, request: tuple[bytes, dict[str, str]]) -> Any:
    body, headers = request
    return client.post(ADDRESS, body, content_type="application/json", headers=headers)


def test_an_email_that_comes_back_counts_as_not_sent_and_stops_the_chosen_ones(
    client: Client, provider: str, reader: User
) -> None:
    assert wanted_kinds(reader) == {NotificationKind.CONTESTED, NotificationKind.ANSWERED}
    answer = post(client, PROVIDERS[provider](RETURNED[provider], reader.email.upper()))
    assert answer.status_code == 204
    assert wanted_kinds(reader) == set()
    assert not Check.objects.get(kind=CheckKind.LETTER).ok
    assert User.objects.get(pk=reader.pk).is_active  # the login still works


def test_a_complaint_stops_the_chosen_emails_of_this_reader_alone(client: Client, provider: str, reader: User) -> None:
    second_reader = user_of(a_member(a_club()))
    assert post(client, PROVIDERS[provider](SPAM[provider], reader.email)).status_code == 204
    assert (wanted_kinds(reader), len(wanted_kinds(second_reader))) == (set(), 2)
    assert not Check.objects.filter(kind=CheckKind.LETTER).exists()


@pytest.mark.parametrize(("events", "reason"), [(RETURNED, "came back"), (SPAM, "as spam")], ids=["returned", "spam"])
def test_the_user_reads_why_and_switches_the_former_choice_on_again(
    client: Client, provider: str, reader: User, events: dict[str, str], reason: str
) -> None:
    """A stop that only the operator knows of, or that forgets what the user had chosen."""
    notifications.store_notification_choices(reader, {NotificationKind.PLANNED}, NotificationKind)
    post(Client(), PROVIDERS[provider](events[provider], reader.email))
    wanting = User.objects.filter(notification_wanted_condition(NotificationKind.PLANNED))
    assert (wanted_kinds(reader), wanting.count()) == (set(), 0)
    sign_in(client, reader.player)
    stopped = client.get("/letters").content.decode()
    assert "Your e-mails are switched off" in stopped
    assert reason in stopped
    client.post("/letters", {"kinds": ["planned"]})  # a page opened earlier: the stop stays
    assert wanted_kinds(reader) == set()
    resumed = client.post("/letters", {"resume": "yes"}, follow=True).content.decode()
    assert "switched on again" in resumed
    assert "switched off" not in resumed
    assert (wanted_kinds(reader), wanting.get()) == ({NotificationKind.PLANNED}, reader)


def test_a_restored_backup_keeps_emails_stopped_and_resumed(client: Client, provider: str, reader: User) -> None:
    """The revocation list, which triggers write, names the reason beside the refused kinds."""
    post(client, PROVIDERS[provider](SPAM[provider], reader.email))
    revocation = Revocation.objects.get(kind=RevocationKind.LETTERS, subject=reader.pk)
    assert revocation.remains == "complaint"
    resume_emails(reader)
    assert Revocation.objects.get(kind=RevocationKind.LETTERS, subject=reader.pk).remains == ""


def test_an_address_without_a_login_is_only_counted(client: Client, provider: str) -> None:
    """Visitors who register for a tournament have no login."""
    assert post(client, PROVIDERS[provider](RETURNED[provider], "visitor@club.example")).status_code == 204
    assert Check.objects.filter(kind=CheckKind.LETTER).exists()


def test_other_events_and_delays_change_nothing(client: Client, provider: str, reader: User) -> None:
    assert post(client, PROVIDERS[provider]("delivered", reader.email)).status_code == 204
    if provider == "mailgun":
        assert post(client, mailgun("failed", reader.email, severity="temporary")).status_code == 204
    assert len(wanted_kinds(reader)) == 2
    assert not Check.objects.exists()


def test_an_event_that_the_provider_did_not_sign_is_refused(client: Client, provider: str, reader: User) -> None:
    requests: list[tuple[bytes, dict[str, str]]] = [
        PROVIDERS[provider](RETURNED[provider], reader.email, signature=sign(b"another text")),
        PROVIDERS[provider](RETURNED[provider], reader.email, signature="é"),
        (json.dumps({"event-data": {"event": "failed", "recipient": reader.email}}).encode(), {}),
    ]
    for request in requests:
        assert post(client, request).status_code == 400
    assert len(wanted_kinds(reader)) == 2


@pytest.mark.parametrize("body", [b"", b"[]", b"\xff", b"{}", b"1", b"[" * 100_000, b'{"data": 1}'])
def test_a_foreign_body_is_refused(client: Client, provider: str, body: bytes) -> None:
    """Signed or not, nothing that is sent there is an error of the site."""
    assert post(client, (body, {"Signature": sign(body)})).status_code == 400
    assert client.get(ADDRESS).status_code == 405


@pytest.mark.parametrize("recipient", [None, 1, ["a@club.example"], "", "a\0@club.example"])
def test_a_recipient_that_is_no_address_changes_nothing(client: Client, provider: str, recipient: Any) -> None:
    assert post(client, PROVIDERS[provider](SPAM[provider], recipient)).status_code == 204
    assert not Notification.objects.exists()


def test_without_the_setting_there_is_no_address(client: Client) -> None:
    assert event_patterns() == []
    assert client.post(ADDRESS).status_code == 404
    assert "email-events" not in get_resolver().reverse_dict
    assert reverse("league:letters") == "/letters"
