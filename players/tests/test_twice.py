"""The same form sent twice at once, by an impatient finger: one person, one login, one season comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from league.models import Club, Season
from league.models.club import Role
from players import roster
from players.models import Player, User
from tests.build import a_club, a_member, a_season, an_evening, sign_in

TIMES = 4

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def club() -> Club:
    return a_club()


def sent(clients: list[Client], address: str, typed: Mapping[str, Any]) -> list[int]:
    """The answers' statuses when every client posts the form at the same moment."""
    start = Barrier(len(clients))

    def one(client: Client) -> int:
        start.wait()
        try:
            return client.post(address, typed).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(clients)) as pool:
        return sorted(pool.map(one, clients))


def browsers(player: Player) -> list[Client]:
    return [sign_in(Client(), player) for _ in range(TIMES)]


def test_a_member_is_added_once(club: Club) -> None:
    typed = {"given_name": "Marguerite", "family_name": "Yourcenar", "role": Role.MEMBER}
    statuses = sent(browsers(a_member(club, Role.ADMIN)), reverse("players:member-add", args=[club.slug]), typed)

    assert statuses == [200, 200, 200, 302]  # the others are asked whether this is another person
    assert Player.objects.filter(family_name="Yourcenar").count() == 1


def test_a_guest_is_checked_in_once(club: Club) -> None:
    evening = an_evening(a_season(club))
    address = reverse("players:attendance-add", args=[evening.pk])
    assert sent(browsers(a_member(club, Role.SECRETARY)), address, {"name": "Blaise Cendrars"}) == [200, 200, 200, 302]
    assert evening.attendances.count() == 1


def test_a_season_is_founded_once(club: Club) -> None:
    typed = {"name": "Winter", "table_sizes": ["4"], "end": "deals", "end_number": "5", "contest_hours": "24"}
    address = reverse("scoring:season-found", args=[club.slug], query={"game": "tarot"})
    assert sent(browsers(a_member(club, Role.ADMIN)), address, typed) == [302, 422, 422, 422]
    assert Season.objects.count() == 1


def test_a_login_is_made_once_with_its_player() -> None:
    typed = {"email": "twice@club.example", "password1": "a-long-enough-password", "given_name": "Twice"}
    statuses = sent([Client() for _ in range(TIMES)], reverse("account_signup"), typed)

    assert set(statuses) <= {200, 302}
    assert User.objects.get().player.given_name == "Twice"


def test_a_login_without_a_player_joins_once(club: Club) -> None:
    user = User.objects.create_user("alone@club.example")
    start = Barrier(TIMES)

    def join(_turn: int) -> int:
        start.wait()
        try:
            return roster.join(club, user).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(TIMES) as pool:
        assert len(set(pool.map(join, range(TIMES)))) == 1
    assert Player.objects.filter(user=user).count() == 1
