"""The house rules of a tournament: a preset of the game and exceptions, kept by presets, fixed once it has started."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import tournament_presets
from league.models import Club, Season, Tournament
from league.models.rights import Role
from league.models.tournament_preset import are_preset_values
from league.tournaments.forms.tournaments import TournamentForm
from scoring import registry
from tests.build import a_club, a_member, a_running_tournament, a_tournament, sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def secretary(client: Client, club: Club) -> Client:
    return sign_in(client, a_member(club, Role.SECRETARY))


def options_of(tournament: Tournament) -> Any:
    tournament.refresh_from_db()
    return registry.rules(tournament.game).read_options(tournament.house_rules)


def filled(form: TournamentForm) -> dict[str, Any]:
    """Return the fields of a shown form with their values."""
    values = {field.html_name: field.value() for part in (form, *form.rules_forms.values()) for field in part}
    return {name: value for name, value in values.items() if value is not None and value is not False}


def save(client: Client, tournament: Tournament, **house_rules: str) -> Any:
    """Send the form of change with other house rules of belote."""
    address = reverse("league:tournament-edit", args=[tournament.pk])
    data = filled(client.get(address).context["form"])
    return client.post(address, data | {f"house-belote-{name}": value for name, value in house_rules.items()})


def test_a_preset_with_an_exception_is_stored_and_shown_and_plays(secretary: Client, club: Club) -> None:
    tournament = a_tournament(club, game="belote", deals=12)
    assert save(secretary, tournament, preset="village", slam="0").status_code == 302
    options = options_of(tournament)
    assert (options.dispute, options.slam) == ("held", 0)
    sentence = "Like Village tournament, except: Every trick won by the taker&#x27;s side: Nothing more, 162 in all."
    assert sentence in secretary.get(tournament.get_absolute_url()).content.decode()
    form = secretary.get(reverse("league:tournament-edit", args=[tournament.pk])).context["form"].rules_forms["belote"]
    assert (form["preset"].value(), form["dispute"].value(), form["slam"].value()) == ("village", "", "0")


def test_an_exception_is_taken_back_by_the_presets_value(secretary: Client, club: Club) -> None:
    """An empty choice is a change, unlike the empty value of a season's rule."""
    tournament = a_tournament(club, game="belote", house_rules={"dispute": "held", "slam": 0})
    save(secretary, tournament, slam="")
    assert (options_of(tournament).dispute, options_of(tournament).slam) == ("held", 90)


def test_another_game_does_not_keep_the_rules(secretary: Client, club: Club) -> None:
    """Rules of one game are unreadable in another: the tournament could not start."""
    tournament = a_tournament(club, game="belote", house_rules={"dispute": "held"})
    address = reverse("league:tournament-edit", args=[tournament.pk])
    assert secretary.post(address, filled(secretary.get(address).context["form"]) | {"game": ""}).status_code == 302
    tournament.refresh_from_db()
    assert (tournament.game, tournament.house_rules) == ("", {})


def test_the_rules_of_a_started_tournament_stay(secretary: Client, club: Club) -> None:
    tournament = a_running_tournament(club, house_rules={"dispute": "lost"})
    save(secretary, tournament, preset="village")
    assert options_of(tournament).dispute == "lost"
    assert Season.objects.get(tournament=tournament).house_rules == {"dispute": "lost"}
    page = secretary.get(reverse("league:tournament-edit", args=[tournament.pk])).content.decode()
    assert "its house rules stay" in page
    assert "house-belote" not in page


def test_a_preset_of_the_club_and_an_earlier_tournament_pass_the_rules_on(secretary: Client, club: Club) -> None:
    tournament = a_tournament(club, game="belote", house_rules={"dispute": "held", "slam": 90})
    preset = tournament_presets.save_preset(tournament, "Like last year")
    address = reverse("league:tournament-create", args=[club.slug])
    for query, name in (({"own": preset.pk}, "Own"), ({"like": tournament.pk}, "Like")):
        data = filled(secretary.get(address, query).context["form"]) | {"name": name}
        assert secretary.post(address, data).status_code == 302
        assert options_of(Tournament.objects.get(name=name)).dispute == "held"


@pytest.mark.parametrize("house_rules", [[], {"dispute": "never"}, {"oudlers": 3}])
def test_a_preset_with_rules_that_the_game_does_not_have_is_refused(house_rules: Any) -> None:
    assert not are_preset_values({"game": "belote", "house_rules": house_rules})


def test_rules_that_the_game_does_not_allow_together_are_refused_on_their_field(secretary: Client, club: Club) -> None:
    """Stored, they would refuse each doubled deal of the day."""
    tournament = a_tournament(club, game="contree", deals=12)
    address = reverse("league:tournament-edit", args=[tournament.pk])
    values = filled(secretary.get(address).context["form"])
    rules = {"house-contree-scoring": "points", "house-contree-doubled_base": "none"}
    answer = secretary.post(address, values | rules)
    assert answer.status_code == 422
    assert "The house rules below have an error." in answer.content.decode()
    assert list(answer.context["form"].rules_forms["contree"].errors) == ["doubled_base"]
    tournament.refresh_from_db()
    assert tournament.house_rules == {}
