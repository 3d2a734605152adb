"""The pages of a club's webhooks: what its admin does there, and that a secret is shown once."""

from __future__ import annotations

import re

import pytest
from django.conf import settings as django_settings
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from league.models import AuditEntry, Club, Webhook
from league.models.audit_entry import AuditEvent
from league.models.rights import Role
from league.models.webhook import MAX_WEBHOOKS, WebhookEvent, WebhookPause
from league.webhooks.tests.receiver import Receiver, send
from tests.build import NOW, a_club, a_member, a_webhook
from tests.readers import signed_in

pytestmark = pytest.mark.django_db

ADDRESS = "https://hook.club.example/of?club=1"
EVENTS = [WebhookEvent.EVENING_CLOSED, WebhookEvent.RESULTS_PUBLISHED]
SECRET = re.compile(r"whsec_[\w+/=]{40,}")


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def admin(client: Client, club: Club) -> Client:
    return signed_in(client, a_member(club, Role.ADMIN))


def page_of(hook: Webhook, name: str = "webhook") -> str:
    return reverse(f"league:{name}", args=[hook.pk])


def add(client: Client, club: Club, address: str = ADDRESS, events: list[str] | None = None) -> tuple[int, str]:
    sent = {"address": address, "events": EVENTS if events is None else events}
    answer = client.post(reverse("league:webhooks", args=[club.slug]), sent)
    return answer.status_code, answer.content.decode()


def test_a_new_address_shows_its_secret_once(admin: Client, club: Club) -> None:
    status, page = add(admin, club)
    hook = club.webhooks.get()
    assert (status, SECRET.findall(page)) == (200, [hook.secret])
    assert (hook.address, hook.events) == (ADDRESS, EVENTS)
    for address in (page_of(hook), reverse("league:webhooks", args=[club.slug]), page_of(hook, "webhook-secret")):
        assert "whsec_" not in admin.get(address).content.decode()
    assert AuditEntry.objects.get(event=AuditEvent.WEBHOOK_ADDED).params == {"name": "hook.club.example"}


def test_the_same_form_sent_twice_adds_one_address(admin: Client, club: Club) -> None:
    assert [add(admin, club)[0] for _ in range(2)] == [200, 422]
    assert club.webhooks.count() == 1


@pytest.mark.parametrize(
    "address",
    ["http://hook.club.example/", "https://127.0.0.1/", "https://hook club.example/", "https://a\u202e.example/"],
)
def test_a_refused_address_is_not_stored(address: str, admin: Client, club: Club) -> None:
    status, page = add(admin, club, address)
    assert (status, club.webhooks.count()) == (422, 0)
    assert "on the public internet" in page


def test_an_address_needs_an_event(admin: Client, club: Club) -> None:
    assert [add(admin, club, events=events)[0] for events in ([], ["evening.opened"])] == [422, 422]


def test_where_hosts_are_listed_the_form_names_them(admin: Client, club: Club, settings: Settings) -> None:
    settings.WEBHOOK_ALLOWED_HOSTS = ["intranet.example"]
    assert "intranet.example" in add(admin, club)[1]
    assert add(admin, club, "http://intranet.example/")[0] == 200


def test_a_club_has_five_addresses(admin: Client, club: Club) -> None:
    statuses = [add(admin, club, f"https://club.example/{number}")[0] for number in range(MAX_WEBHOOKS + 1)]
    assert statuses == [200] * MAX_WEBHOOKS + [422]
    assert club.webhooks.count() == MAX_WEBHOOKS


def test_address_and_events_are_changed(admin: Client, club: Club) -> None:
    hook = a_webhook(club)
    a_webhook(club, "https://club.example/other")
    refused = admin.post(page_of(hook), {"address": "https://club.example/other", "events": EVENTS})
    assert refused.status_code == 422
    admin.post(page_of(hook), {"address": ADDRESS, "events": [WebhookEvent.STANDINGS_CHANGED]})
    hook.refresh_from_db()
    assert (hook.address, hook.events) == (ADDRESS, [WebhookEvent.STANDINGS_CHANGED])


def test_a_new_secret_is_shown_once_also_if_the_form_is_sent_twice(admin: Client, club: Club) -> None:
    """A second secret from one form would end the first one, which the admin's program has still."""
    hook = a_webhook(club)
    form = {"seen": "1"}
    first = admin.post(page_of(hook, "webhook-secret"), form)
    second = admin.post(page_of(hook, "webhook-secret"), form)
    before, number = hook.secret, hook.secret_number
    hook.refresh_from_db()
    assert SECRET.findall(first.content.decode()) == [hook.secret]
    assert (second.status_code, hook.previous_secret, hook.secret_number) == (302, before, number + 1)
    assert AuditEntry.objects.filter(event=AuditEvent.WEBHOOK_SECRET_ROTATED).count() == 1


def test_a_test_is_sent_and_its_answer_shown(admin: Client, club: Club, receiver: Receiver) -> None:
    hook = a_webhook(club, receiver.address)
    receiver.status = 418
    admin.post(page_of(hook, "webhook-test"))
    assert "Waiting" in admin.get(page_of(hook)).content.decode()
    delivery = hook.deliveries.get()
    send(delivery.created_at)
    page = admin.get(page_of(hook)).content.decode()
    assert "HTTP 418" in page
    assert delivery.message_id in page


def test_tests_are_limited(admin: Client, club: Club) -> None:
    hook = a_webhook(club)
    limit = int(str(django_settings.ACCOUNT_RATE_LIMITS["test_webhook"]).partition("/")[0])
    for _ in range(limit + 1):
        admin.post(page_of(hook, "webhook-test"))
    assert hook.deliveries.count() == limit


def test_pause_resume_delete(admin: Client, club: Club) -> None:
    hook = a_webhook(club)
    admin.post(page_of(hook, "webhook-pause"))
    hook.refresh_from_db()
    assert hook.paused == WebhookPause.ADMIN
    admin.post(page_of(hook, "webhook-resume"))
    hook.refresh_from_db()
    assert hook.paused == ""
    admin.post(page_of(hook, "webhook-delete"))
    assert not club.webhooks.exists()
    logged = AuditEntry.objects.filter(event__startswith="webhook_").order_by("pk").values_list("event", flat=True)
    assert list(logged) == ["webhook_added", "webhook_paused", "webhook_resumed", "webhook_deleted"]


def test_the_page_says_how_long_nothing_arrived(admin: Client, club: Club) -> None:
    hook = a_webhook(club)
    Webhook.objects.filter(pk=hook.pk).update(failing_since=NOW)
    assert "Since 2 Oct 2026" in admin.get(page_of(hook)).content.decode()
