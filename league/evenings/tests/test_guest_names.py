"""The closing checklist leads to the names of guests with one name only, where the secretary corrects them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from league.actions import people
from league.actions.refusals import WrongState
from league.models import Attendance, Evening
from league.models.rights import Role
from players.models import Player
from players.naming import Audience, names_shown_to
from tests.build import a_club, a_member, a_season, a_user, an_evening, sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> Evening:
    return an_evening(a_season(a_club()))


def test_the_closing_list_leads_to_the_name_and_back(client: Client, evening: Evening) -> None:
    guest = people.check_in_guest(evening, "Zoé")
    row = Attendance.objects.get(player=guest)
    sign_in(client, a_member(evening.season.club, Role.SECRETARY))
    closing = reverse("league:evening-close", args=[evening.pk])
    address = reverse("league:attendance-name", args=[row.pk]) + "?close"
    assert f'href="{address}"' in client.get(closing).content.decode()

    answer = client.post(address, {"given_name": "Zoé", "family_name": "Leroy"})
    assert (answer.status_code, answer.headers["Location"]) == (302, closing)
    guest.refresh_from_db()
    assert (guest.display_name, guest.family_name) == ("Zoé Leroy", "Leroy")
    with names_shown_to(Audience.COMMITTEE):
        assert list(Player.objects.search("leroy")) == [guest]
    assert "Every guest is known by given name and family name." in client.get(closing).content.decode()


@pytest.mark.django_db(transaction=True)
def test_the_name_is_corrected_while_a_row_that_refers_to_the_guest_is_stored(evening: Evening) -> None:
    """Catches a lock that waits for a transaction with a new row of the guest, while the tournament is locked."""
    guest = people.check_in_guest(evening, "Zoé")

    def correct_name() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '2s'")
            people.rename_guest(evening.season.club, guest.pk, "Zoé", "Leroy")
        connection.close()

    with transaction.atomic(), connection.cursor() as cursor, ThreadPoolExecutor(1) as other:
        cursor.execute("SELECT FROM players_player WHERE id = %s FOR KEY SHARE", [guest.pk])  # as a foreign key does
        other.submit(correct_name).result()
    guest.refresh_from_db()
    assert guest.family_name == "Leroy"


def test_a_display_name_of_his_own_stays(evening: Evening) -> None:
    guest = people.check_in_guest(evening, "Zoé")
    Player.objects.filter(pk=guest.pk).update(display_name="Zouzou")
    row = Attendance.objects.get(player=guest)
    assert people.correct_guest_name(row.pk, "Zoé", "Leroy").display_name == "Zouzou"


@pytest.mark.parametrize("known", ["login", "elsewhere", "member"])
def test_whom_others_know_keeps_his_name(client: Client, evening: Evening, known: str) -> None:
    guest = people.check_in_guest(evening, "Zoé")
    if known == "login":
        user = a_user()
        user.player.delete()
        Player.objects.filter(pk=guest.pk).update(user=user)
    elif known == "elsewhere":
        a_club().memberships.create(player=guest, role=Role.GUEST)
    else:
        guest.memberships.update(role=Role.MEMBER)
    row = Attendance.objects.get(player=guest)
    with pytest.raises(WrongState):
        people.correct_guest_name(row.pk, "Zoé", "Leroy")
    sign_in(client, a_member(evening.season.club, Role.SECRETARY))
    address = reverse("league:attendance-name", args=[row.pk])
    answer = client.post(address, {"given_name": "Zoé", "family_name": "Leroy"})
    assert answer.status_code == 422
    assert "guest of this club alone" in answer.content.decode()
