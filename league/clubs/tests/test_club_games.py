"""A club's own games by totals: defined, changed and deleted by its admin alone."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from league.actions import club_games
from league.actions.refusals import WrongState
from league.models import AuditEntry, Club, ClubGame
from league.models.audit_entry import AuditEvent
from league.models.rights import Role
from tests.build import a_club, a_club_game, a_player, a_season, a_table, an_evening, written_totals
from tests.logins import a_login

pytestmark = pytest.mark.django_db

JASS = {
    "name": "Jass",
    "min_seats": 4,
    "max_seats": 4,
    "two_sides": "True",
    "low_wins": "False",
    "check_kind": "deal",
    "check_sum": 157,
}


def post(client: Client, club: Club, **fields: Any) -> Any:
    return client.post(reverse("league:club-games", args=[club.slug]), {**JASS, **fields})


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def admin(client: Client, club: Club) -> Client:
    client.force_login(a_login(club, Role.ADMIN))
    return client


def test_an_admin_defines_a_game(admin: Client, club: Club) -> None:
    assert post(admin, club).status_code == 302
    game = club.games.get()
    assert (game.name, game.sizes, game.two_sides, game.low_wins) == ("Jass", (4,), True, False)
    assert (game.check_sum, game.check_per_deal) == (157, True)
    assert AuditEntry.objects.filter(club=club, event=AuditEvent.GAME_DEFINED).count() == 1


def test_the_same_form_sent_twice_defines_one_game(admin: Client, club: Club) -> None:
    assert [post(admin, club).status_code for _ in range(2)] == [302, 302]
    assert club.games.count() == 1


def test_a_name_is_unique_without_case_in_its_club_only(admin: Client, club: Club) -> None:
    other_club = a_club_game(name="Jass").club
    post(admin, club)
    assert post(admin, club, name="JASS", check_sum=0).status_code == 422
    with pytest.raises(IntegrityError), transaction.atomic():
        ClubGame.objects.create(club=club, name="jass", min_seats=4, max_seats=4)
    assert other_club.games.count() == 1


def test_a_preset_fills_in_the_form(admin: Client, club: Club) -> None:
    page = admin.get(reverse("league:club-games", args=[club.slug]), {"preset": "jass"})
    form = page.context["form"]
    names = ("name", "min_seats", "max_seats", "check_kind", "check_sum")
    assert [form[name].value() for name in names] == ["Jass", 4, 4, "deal", 157]


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"min_seats": 1}, "min_seats"),
        ({"max_seats": 13}, "max_seats"),
        ({"min_seats": 6}, "max_seats"),
        ({"max_seats": 5}, "max_seats"),  # two sides
        ({"check_sum": ""}, "check_sum"),
        ({"name": " "}, "name"),
    ],
)
def test_a_wrong_definition_is_refused_on_its_field(
    admin: Client, club: Club, fields: dict[str, Any], wrong: str
) -> None:
    page = post(admin, club, **fields)
    assert page.status_code == 422
    assert wrong in page.context["form"].errors
    assert not club.games.exists()


def test_an_unused_game_is_changed_and_deleted(admin: Client, club: Club) -> None:
    game = a_club_game(club)
    address = game.get_absolute_url()
    changed = {**JASS, "name": "Golf", "two_sides": "False", "low_wins": "True", "check_kind": "none"}
    assert admin.post(address, changed).status_code == 302
    game.refresh_from_db()
    assert (game.name, game.low_wins, game.check_sum, game.check_per_deal) == ("Golf", True, None, False)
    assert admin.post(reverse("league:club-game-delete", args=[game.pk])).status_code == 302
    assert not club.games.exists()


def test_a_season_follows_a_changed_game_until_results_exist(admin: Client, club: Club) -> None:
    game = a_club_game(club)
    season = a_season(club, "totals", club_game=game)
    address = game.get_absolute_url()
    admin.post(address, {**JASS, "check_sum": 158})
    season.refresh_from_db()
    assert season.house_rules["check_sum"] == 158

    table = a_table(an_evening(season), [a_player() for _ in range(4)])
    written_totals(table, [100, 57, 100, 57], deals=1)
    page = admin.get(address)
    fixed = [name for name, field in page.context["form"].fields.items() if field.disabled]
    assert fixed == ["min_seats", "max_seats", "two_sides", "low_wins", "check_kind", "check_sum"]
    assert "Fixed: results of this game are recorded." in page.content.decode()
    admin.post(address, {**JASS, "name": "Schieber", "check_sum": 1})
    game.refresh_from_db()
    assert (game.name, game.check_sum) == ("Schieber", 158)


def test_a_used_game_is_not_deleted(admin: Client, club: Club) -> None:
    game = a_club_game(club)
    a_season(club, "totals", club_game=game)
    admin.post(reverse("league:club-game-delete", args=[game.pk]))
    assert club.games.get() == game


def test_another_club_does_not_see_it(admin: Client) -> None:
    game = a_club_game()
    addresses = [game.get_absolute_url(), reverse("league:club-game-delete", args=[game.pk])]
    assert [admin.get(addresses[0]).status_code, *(admin.post(address).status_code for address in addresses)] == [
        404
    ] * 3


def test_a_definition_changed_at_the_same_time_as_a_result_is_refused(club: Club) -> None:
    game = a_club_game(club)
    table = a_table(an_evening(a_season(club, "totals", club_game=game)), [a_player() for _ in range(4)])
    written_totals(table, [100, 57, 100, 57], deals=1)
    game.check_sum = 0
    with pytest.raises(WrongState):
        club_games.change_game(game, ["check_sum"])


def test_a_game_is_not_renamed_to_another_games_name(admin: Client, club: Club) -> None:
    a_club_game(club)
    game = a_club_game(club, name="Golf")
    page = admin.post(game.get_absolute_url(), {**JASS, "name": "jass"})
    assert page.status_code == 422
    assert "The club has a game of that name already." in page.content.decode()
    assert ClubGame.objects.get(pk=game.pk).name == "Golf"


def test_a_seasons_table_sizes_must_be_sizes_of_its_changed_game(admin: Client, club: Club) -> None:
    """Else the season could seat no table, or score tables that the game does not know."""
    game = a_club_game(club)
    season = a_season(club, "totals", club_game=game)
    page = admin.post(game.get_absolute_url(), {**JASS, "min_seats": 2, "max_seats": 2})
    assert page.status_code == 422
    assert "A season of this game has other table sizes. Change the season first." in page.content.decode()
    assert ClubGame.objects.get(pk=game.pk).sizes == (4,)
    season.refresh_from_db()
    assert season.house_rules == game.options


def test_a_club_has_a_largest_number_of_games(admin: Client, club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club_games, "MAX_GAMES", 1)
    a_club_game(club)
    page = post(admin, club, name="Golf")
    assert page.status_code == 422
    assert "The club has the largest possible number of games: 1." in page.content.decode()
    assert club.games.count() == 1
