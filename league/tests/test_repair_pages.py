"""Every repair page of this app opens; what is derived can't be changed there."""

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from league.apps import LeagueConfig
from league.models import Standing
from league.models.rights import Role
from players.models import User
from tests.build import PASSWORD, a_club, a_deal, a_player, a_season, a_table, an_evening
from tests.logins import a_login
from tests.readers import give_password

MODELS = [model for model in admin.site._registry if model._meta.app_label == LeagueConfig.name]

pytestmark = pytest.mark.django_db


@pytest.fixture
def root(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root@club.example", PASSWORD))
    return client


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.model_name)
def test_lists_and_rows_open(root: Client, model: type) -> None:
    table = a_table(an_evening(a_season(a_club())))
    a_deal(table)
    Standing.objects.create(
        season=table.round.evening.season,
        player=table.seats.all()[0].player,
        numerator=1,
        evenings=1,
        deals=1,
        arithmetic=1,
    )
    name = f"admin:league_{model._meta.model_name}"  # type: ignore[attr-defined]
    assert root.get(reverse(f"{name}_changelist")).status_code == 200
    row = model._default_manager.first()  # type: ignore[attr-defined]
    if row is not None:
        assert root.get(reverse(f"{name}_change", args=[row.pk])).status_code == 200


def test_standings_are_only_shown(root: Client) -> None:
    assert root.get(reverse("admin:league_standing_add")).status_code == 403


def test_a_clubs_admin_does_not_enter(client: Client) -> None:
    client.force_login(a_login(a_club(), Role.ADMIN))
    answer = client.get(reverse("admin:league_club_changelist"), follow=True)
    assert (answer.status_code, answer.request["PATH_INFO"]) == (403, reverse("admin:login"))


MADE_UP = (
    "_facets=1",
    "q=a",
    "q=%00",
    "p=x",
    "p=9999",
    "o=x",
    "o=99",
    "_to_field=x",
    "id=x",
    "date__year=99999",
    "e=1",
)


@pytest.mark.parametrize("query", MADE_UP)
def test_no_address_made_by_hand_fails(root: Client, query: str) -> None:
    wrong = {}
    for model in admin.site._registry:
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        status = root.get(f"{address}?{query}").status_code
        if status not in (200, 302, 400):
            wrong[address] = status
    assert wrong == {}


def test_sessions_are_found_by_address(root: Client) -> None:
    assert root.get(reverse("admin:usersessions_usersession_changelist"), {"q": "root"}).status_code == 200


@pytest.mark.parametrize("typed", ["x", "\x00", "9999-12-31", '{"a": 1}'])
def test_a_choice_that_is_no_number_is_refused(root: Client, typed: str) -> None:
    """No browser sends it: Django looks the choice up to show the form again, and fails there."""
    person = a_player()
    give_password(root)
    form = {"given_name": "Ann", "family_name": "", "display_name": "Ann", "user": typed}
    for address in (
        reverse("admin:players_player_add"),
        reverse("admin:players_player_change", args=[person.pk]),
    ):
        assert root.post(address, form).status_code == 400
