"""How a player is named."""

import pytest
from django.test import Client
from django.urls import reverse

from league.models.rights import Role
from players.models import User
from tests.build import PASSWORD, a_club, a_member, a_user
from tests.readers import signed_in

pytestmark = pytest.mark.django_db

PAGE = reverse("league:privacy")


def test_each_choice_is_shown_by_the_readers_own_name(client: Client) -> None:
    player = a_member(a_club())
    page = signed_in(client, player).get(PAGE).content.decode()
    assert f"Full name: {player.display_name}" in page
    assert f"First name and initial: {player.given_name} M." in page
    assert f"As my clubs say: {player.display_name}" in page


def test_own_choice_changes_nobody_else(client: Client) -> None:
    club = a_club()
    player, second_player = a_member(club), a_member(club)
    sent = {"public": "pseudonym", "members": "initial", "pseudonym": "Reine mère", "player": second_player.pk}
    answer = signed_in(client, player).post(PAGE, sent, follow=True)
    assert "Your choice is kept" in answer.content.decode()
    player.refresh_from_db()
    second_player.refresh_from_db()
    assert (player.names.public, player.names.members) == ("Reine mère", f"{player.given_name} M.")
    assert second_player.names.public == second_player.display_name


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        ({"public": "short"}, "Select a valid choice"),
        ({"members": "pseudonym"}, "Type the pseudonym"),
        ({"public": "pseudonym", "pseudonym": "x" * 41}, "at most 40"),
        ({"public": "pseudonym", "pseudonym": "the boss"}, "known by this name already"),
    ],
)
def test_what_cannot_be_is_refused_at_its_field(client: Client, sent: dict[str, str], message: str) -> None:
    club = a_club()
    boss = a_member(club)
    boss.display_name = "The Boss"
    boss.update_names()
    boss.save()
    player = a_member(club)
    answer = signed_in(client, player).post(PAGE, sent)
    assert answer.status_code == 422
    assert message in answer.content.decode()
    player.refresh_from_db()
    assert player.names.public == player.display_name


def test_login_without_a_player_has_no_name_to_choose(client: Client) -> None:
    client.force_login(User.objects.create_user("nobody@club.example", PASSWORD))
    assert "no player of any club" in client.get(PAGE).content.decode()
    assert client.post(PAGE, {"public": "initial"}).status_code == 200


def test_admin_sets_what_the_club_says(client: Client) -> None:
    club = a_club(founder=a_user().player)
    admin = a_member(club, Role.ADMIN)
    settings = reverse("league:club-settings", args=[club.slug])
    signed_in(client, admin)
    fields = {
        "name": club.name,
        "language": "en-gb",
        "time_zone": "Europe/Paris",
        "currency": "EUR",
        "fee_member": "0",
        "fee_guest": "0",
    }
    answer = client.post(settings, {**fields, "public_names": "full", "member_names": "initial"})
    assert "Everyone would read more than members." in answer.content.decode()
    assert client.post(settings, {**fields, "public_names": "initial", "member_names": "full"}).status_code == 302
    club.refresh_from_db()
    assert (club.public_names, club.member_names) == ("initial", "full")
    assert client.post(settings, fields).status_code == 302
    club.refresh_from_db()
    assert club.public_names == "initial", "what isn't sent stays"
    admin.refresh_from_db()
    assert admin.names.public == f"{admin.given_name} M."
