"""A club that is deleted while somebody waits to write into it: each form answers 404, and stores nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import OperationalError, transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from league.actions import club_deletion
from league.actions.tests.test_rules_meanwhile import meanwhile
from league.models import Club, Table, Webhook
from league.models.rights import Role
from league.models.webhook import WebhookEvent
from league.web.concurrent_deletion import respond_not_found
from players.models import Player, User
from tests.build import NOW, a_club, a_member, a_season, a_table, a_webhook, an_evening, sign_in

pytestmark = pytest.mark.django_db(transaction=True)

Sent = tuple[str, dict[str, object]]


def a_new_member(table: Table) -> Sent:
    club = table.round.evening.season.club
    return reverse("league:member-add", args=[club.slug]), {"given_name": "Zoé", "family_name": "Fin"}


def a_role(table: Table) -> Sent:
    club = table.round.evening.season.club
    membership = club.memberships.get(player=table.seats.get(number=0).player)
    return reverse("league:member-role", args=[club.slug, membership.pk]), {"role": Role.GUEST}


def an_evening_to_plan(table: Table) -> Sent:
    return reverse("league:evening-plan", args=[table.round.evening.season_id]), {"date": "2026-12-01", "weight": "1"}


def a_cancelled_evening(table: Table) -> Sent:
    return reverse("league:evening-cancel", args=[table.round.evening_id]), {}


def totals(table: Table) -> Sent:
    fields = {"seat_0": 30, "seat_1": -10, "seat_2": -10, "seat_3": -10, "deals": 4}
    keys = {"client_key": str(uuid4()), "seen_version": 0}
    return reverse("league:table-totals", args=[table.pk]), fields | keys


def a_guest(table: Table) -> Sent:
    return reverse("league:attendance-add", args=[table.round.evening_id]), {"name": "Zoé Fin"}


@pytest.mark.parametrize("sent", [a_new_member, a_role, an_evening_to_plan, a_cancelled_evening, totals, a_guest])
def test_form_that_waited_for_a_deleted_club_answers_404(client: Client, sent: Callable[[Table], Sent]) -> None:
    table = a_table(an_evening(a_season(a_club())))
    club = table.round.evening.season.club
    sign_in(client, a_member(club, Role.ADMIN))
    address, fields = sent(table)
    with transaction.atomic():
        Club.objects.filter(pk=club.pk).update(delete_at=NOW - timedelta(days=1))
        assert club_deletion.delete_club_if_due(club.pk, now=NOW)
        answer = meanwhile(lambda: client.post(address, fields))
        assert not answer.done()
    assert answer.result().status_code == 404
    assert "It was deleted while you were sending this" in answer.result().content.decode()
    assert not Player.objects.filter(given_name="Zoé").exists()
    assert User.objects.exists()


def test_form_that_changes_a_row_which_is_deleted_meanwhile_answers_404(client: Client) -> None:
    """The row was found before its deletion and saved after it, which raises no DoesNotExist."""
    club = a_club()
    webhook = a_webhook(club)
    sign_in(client, a_member(club, Role.ADMIN))
    fields = {"address": "https://other.club.example/", "events": [WebhookEvent.EVENING_CLOSED]}
    with transaction.atomic():
        Webhook.objects.filter(pk=webhook.pk).delete()
        answer = meanwhile(lambda: client.post(webhook.get_absolute_url(), fields))
        assert not answer.done()
    assert answer.result().status_code == 404
    assert "It was deleted while you were sending this" in answer.result().content.decode()


def test_row_that_is_missing_in_a_page_that_only_reads_is_an_error(rf: RequestFactory) -> None:
    process_exception = respond_not_found(lambda request: HttpResponse()).process_exception  # type: ignore[attr-defined]
    assert process_exception(rf.get("/"), Club.DoesNotExist()) is None
    assert process_exception(rf.post("/"), ValueError()) is None
    assert process_exception(rf.post("/"), OperationalError()) is None
    assert process_exception(rf.post("/"), Club.DoesNotExist()).status_code == 404
