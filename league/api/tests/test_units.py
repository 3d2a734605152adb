"""Units that a program registers, cancels and checks in: as at the desk."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from league.api.tests.reading import a_writing_token, write
from league.models import Club, TournamentClub, TournamentUnit
from league.models.api_token import Scope
from league.models.rights import Role
from tests.build import a_club, a_member, a_running_tournament, a_tournament, a_unit

pytestmark = pytest.mark.django_db

PAIR: dict[str, Any] = {"players": [{"name": "Zoé Autre", "email": "zoe@club.example"}, {"name": "Luc Autre"}]}


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def token(club: Club) -> str:
    return a_writing_token(a_member(club, Role.SECRETARY), scopes=(Scope.REGISTER,))


def test_a_unit_is_registered_once_and_cancelled(client: Client, club: Club, token: str) -> None:
    tournament = a_tournament(club, places=2)
    a_unit(tournament)
    address = f"tournaments/{tournament.pk}/units"
    first = write(client, address, PAIR, token, "1")
    assert first.status_code == 201, first.content
    assert write(client, address, PAIR, token, "1").json() == first.json()
    unit = tournament.units.latest("pk")
    assert first.json() == {
        "id": unit.pk,
        "tournament": tournament.pk,
        "state": "registered",
        "number": None,
        "page": f"/tournaments/{tournament.pk}/desk",
    }
    assert [(player.name, player.email) for player in unit.players.order_by("position")] == [
        ("Zoé Autre", "zoe@club.example"),
        ("Luc Autre", ""),
    ]
    second = write(client, address, {"players": [{"name": "A B"}, {"name": "C D"}]}, token)
    assert second.json()["state"] == "waiting"
    assert write(client, f"units/{unit.pk}/cancel", {}, token).json()["state"] == "cancelled"
    assert TournamentUnit.objects.get(pk=second.json()["id"]).state == "registered"  # the place that became free


def test_a_member_of_the_club_is_linked(client: Client, club: Club, token: str) -> None:
    member = a_member(club)
    body = {"players": [{"name": f"{member.given_name} {member.family_name}"}, {"name": "Luc Autre"}]}
    write(client, f"tournaments/{a_tournament(club).pk}/units", body, token)
    assert list(TournamentUnit.objects.get().players.values_list("player", flat=True)) == [member.pk, None]


def test_two_players_of_one_name_are_not_both_the_member_of_that_name(client: Client, club: Club, token: str) -> None:
    member = a_member(club)
    name = f"{member.given_name} {member.family_name}"
    body = {"players": [{"name": name}, {"name": name.upper()}]}
    assert write(client, f"tournaments/{a_tournament(club).pk}/units", body, token).status_code == 201
    assert list(TournamentUnit.objects.get().players.values_list("player", flat=True)) == [None, None]


def test_a_unit_plays_for_a_club_of_the_tournament(client: Client, club: Club, token: str) -> None:
    tournament = a_tournament(club)
    invited = TournamentClub.objects.create(tournament=tournament, club=a_club(), name="Les Brelans")
    address = f"tournaments/{tournament.pk}/units"
    write(client, address, {**PAIR, "club": "Les Brelans"}, token)
    assert tournament.units.get().plays_for == invited
    [error] = write(client, address, {**PAIR, "club": "Les Carrés"}, token).json()["errors"]
    assert (error["name"], error["given"], error["allowed"]) == ("club", "Les Carrés", "Les Brelans")


def test_a_registration_repeated_after_its_club_was_removed_gets_the_first_answer(
    client: Client, club: Club, token: str
) -> None:
    tournament = a_tournament(club)
    tournament.clubs.create(name="Tarot de Lyon")
    address, body = f"tournaments/{tournament.pk}/units", {**PAIR, "club": "Tarot de Lyon"}
    first = write(client, address, body, token, "1")
    assert first.status_code == 201, first.content
    TournamentUnit.objects.update(plays_for=None)
    tournament.clubs.all().delete()
    again = write(client, address, body, token, "1")
    assert (again.status_code, again.json()) == (201, first.json())


def test_a_unit_is_checked_in_while_the_tournament_is_played(client: Client, club: Club, token: str) -> None:
    tournament = a_running_tournament(club)
    unit = write(client, f"tournaments/{tournament.pk}/units", PAIR, token).json()["id"]
    assert write(client, f"units/{unit}/check-in", {}, token).json()["number"] == 5
    early = a_unit(a_tournament(club))
    assert write(client, f"units/{early.pk}/check-in", {}, token).status_code == 409


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ({"players": []}, ["players"]),
        ({"players": [{"name": "Zoé Autre"}]}, ["players"]),
        ({**PAIR, "seeks_partner": True}, ["players"]),
        ({"players": [{"name": " "}, {"name": "Luc", "email": "luc", "phone": "?"}]}, None),
        ({**PAIR, "team_name": "Reds"}, ["team_name"]),
    ],
)
def test_a_wrong_registration_names_its_fields(
    client: Client, club: Club, token: str, body: dict[str, Any], names: list[str] | None
) -> None:
    answer = write(client, f"tournaments/{a_tournament(club).pk}/units", body, token)
    found = [error["name"] for error in answer.json()["errors"]]
    assert (answer.status_code, found) == (
        422,
        names or ["players.0.name", "players.1.email", "players.1.phone"],
    )
    assert not TournamentUnit.objects.exists()


def test_a_token_that_records_deals_registers_nobody(client: Client, club: Club) -> None:
    token = a_writing_token(a_member(club, Role.ADMIN), scopes=(Scope.RECORD,))
    assert write(client, f"tournaments/{a_tournament(club).pk}/units", PAIR, token).status_code == 403
