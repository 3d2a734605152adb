"""The server's side of the outbox: whose entries it takes, and how it answers without a page."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from league.models import Table
from league.models.rights import Role
from league.web.outbox import USER_HEADER
from players.models import User
from tests.build import a_member
from tests.grid_desk import facts_of, seated

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Table:
    return seated(["Ann", "Bob", "Cid", "Dee"])


@pytest.fixture
def secretary(table: Table) -> User:
    user = a_member(table.round.evening.season.club, Role.SECRETARY).user
    assert user is not None
    return user


def send(client: Client, table: Table, user: str, **fields: object) -> Any:
    facts = {"contract": "take", "taker": 0, "oudlers": 2, "points": 43, "client_key": str(uuid4()), **fields}
    return client.post(reverse("league:deal-record", args=[table.pk]), facts, headers={USER_HEADER: user})


def test_an_entry_of_another_user_reaches_no_view(client: Client, table: Table, secretary: User) -> None:
    for signed_in in (True, False):
        if signed_in:
            client.force_login(secretary)
        else:
            client.logout()
        for user in (str(secretary.pk + 1), "", "x", *([] if signed_in else [str(secretary.pk)])):
            assert send(client, table, user).status_code == 401
    assert facts_of(table) == []


def test_messages_are_answered_and_shown_on_no_later_page(client: Client, table: Table, secretary: User) -> None:
    client.force_login(secretary)
    answer = send(client, table, str(secretary.pk))
    assert answer.json()["messages"][0]["level"] == "success"
    assert b"alert-success" not in client.get(reverse("league:table", args=[table.pk])).content
    assert len(facts_of(table)) == 1


def test_a_refused_form_is_answered_with_its_page(client: Client, table: Table, secretary: User) -> None:
    client.force_login(secretary)
    answer = send(client, table, str(secretary.pk), points="many")
    assert answer.status_code == 422
    assert b"error-summary" in answer.content


def test_a_redirect_before_the_view_does_not_mean_that_it_is_recorded(
    client: Client, table: Table, secretary: User, settings: Settings
) -> None:
    """An admin of the installation without a second factor is sent to its setup by a middleware."""
    settings.HTTPS = True
    client.force_login(secretary)
    User.objects.filter(pk=secretary.pk).update(is_staff=True, is_superuser=True)
    assert send(client, table, str(secretary.pk)).status_code == 302
    assert facts_of(table) == []
