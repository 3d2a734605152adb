"""No user reaches another club's data by an id in a form or an address."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from league.models import Club, Evening, Membership, Season, Table
from league.models.evening import EveningState
from league.models.rights import Role
from league.people.queries.invitation_links import Invitation, sign_invitation
from players.models import Player
from tests.build import a_club, a_deal, a_member, a_player, a_season, a_table, an_evening, sign_in

Rows = dict[str, list[tuple[object, ...]]]


@dataclass(frozen=True)
class Place:
    """A private club with one of everything, and its admin."""

    club: Club
    admin: Player
    season: Season
    evening: Evening
    table: Table
    outsider: Player  # of the club, at home tonight, without a login

    @property
    def membership(self) -> Membership:
        return self.club.memberships.get(player=self.outsider)


def a_place() -> Place:
    club = a_club()
    season = a_season(club)
    evening = an_evening(season)
    table = a_table(evening)
    a_deal(table)
    an_evening(season, EveningState.PLANNED)
    return Place(club, a_member(club, Role.ADMIN), season, evening, table, a_member(club, login=False))


@pytest.fixture
def home(db: None) -> Place:
    return a_place()


@pytest.fixture
def foreign(db: None) -> Place:
    return a_place()


@pytest.fixture
def admin(client: Client, home: Place) -> Client:
    return sign_in(client, home.admin)


def everything() -> Rows:
    """Return every row of our apps, history included."""
    models = [model for app in ("league", "scoring", "players") for model in apps.get_app_config(app).get_models()]
    return {
        model._meta.label: sorted(model._default_manager.values_list(), key=repr)
        for model in models
        if model._meta.model_name != "user"  # signing in is noted there
    }


def seats(*players: Player) -> dict[str, object]:
    return {f"seat_{number}": player.pk for number, player in enumerate(players)}


Sent = tuple[str, list[object], dict[str, Any], int]
FOREIGN: dict[str, Callable[[Place, Place], Sent]] = {
    "check in the other club's player": lambda home, foreign: (
        "league:attendance-add", [home.evening.pk], {"players": [foreign.outsider.pk]}, 302
    ),
    "check in one's own and the other club's player": lambda home, foreign: (
        "league:attendance-add", [home.evening.pk], {"players": [home.outsider.pk, foreign.outsider.pk]}, 302
    ),
    "seat the other club's player at a new table": lambda home, foreign: (
        "league:table-add", [home.evening.pk], seats(home.outsider, home.admin, foreign.outsider), 422
    ),
    "seat the other club's player at a table": lambda home, foreign: (
        "league:table-seats",
        [home.table.pk],
        {
            **seats(home.outsider, home.admin, *[a_member(home.club, login=False)], foreign.outsider),
            "reason": "mixed up",
        },
        422,
    ),
    "give a role by one's own club's address": lambda home, foreign: (
        "league:member-role", [home.club.slug, foreign.membership.pk], {"role": "admin"}, 404
    ),
    "give oneself a role in the other club": lambda home, foreign: (
        "league:member-role", [foreign.club.slug, home.membership.pk], {"role": "admin"}, 404
    ),
    "plan an evening of the other's season": lambda home, foreign: (
        "league:evening-plan", [foreign.season.pk], {"date": "2026-11-06", "weight": 1}, 404
    ),
    "record the other's totals": lambda home, foreign: (
        "league:table-totals", [foreign.table.pk], {"key": uuid4(), "seat_0": 1}, 404
    ),
    "take over the other club's player by an own link": lambda home, foreign: (
        "league:join",
        [
            sign_invitation(
                Invitation(
                    club=home.club.pk, key=home.club.invite_key, invited_by=home.admin.pk, player=foreign.outsider.pk
                )
            )
        ],
        {},
        410,
    ),
    "join the other club by an own key": lambda home, foreign: (
        "league:join",
        [sign_invitation(Invitation(club=foreign.club.pk, key=home.club.invite_key, invited_by=home.admin.pk))],
        {},
        410,
    ),
}  # fmt: skip


@pytest.mark.parametrize("deed", FOREIGN)
def test_a_foreign_id_changes_nothing(admin: Client, home: Place, foreign: Place, deed: str) -> None:
    name, ids, data, status = FOREIGN[deed](home, foreign)
    before = everything()
    assert admin.post(reverse(name, args=ids), data).status_code == status
    assert everything() == before


@pytest.mark.parametrize("deed", list(FOREIGN)[:4])
def test_the_same_form_is_accepted_once_the_player_belongs_to_the_club(
    admin: Client, home: Place, foreign: Place, deed: str
) -> None:
    """So that it was the id that was refused above."""
    name, ids, data, _ = FOREIGN[deed](home, foreign)
    home.club.memberships.create(player=foreign.outsider)
    before = everything()
    assert admin.post(reverse(name, args=ids), data).status_code == 302
    assert everything() != before


def counts_of(place: Place) -> Rows:
    """Return what can be counted of one club."""
    club = place.club.pk
    ways = {
        "league.Club": {"pk": club},
        "league.Membership": {"club": club},
        "league.Season": {"club": club},
        "league.Evening": {"season__club": club},
        "league.Attendance": {"evening__season__club": club},
        "league.Table": {"round__evening__season__club": club},
        "league.Seat": {"round__evening__season__club": club},
        "league.Deal": {"table__round__evening__season__club": club},
        "players.Player": {"memberships__club": club},
    }
    return {
        label: sorted(apps.get_model(label)._default_manager.filter(**path).values_list(), key=repr)
        for label, path in ways.items()
    }


EXTRA: dict[str, Callable[[Place, Place], Sent]] = {
    "plan": lambda home, foreign: (
        "league:evening-plan",
        [home.season.pk],
        {"date": "2026-11-06", "weight": 1, "season": foreign.season.pk, "season_id": foreign.season.pk},
        302,
    ),
    "edit": lambda home, foreign: (
        "league:evening-edit",
        [home.season.evenings.planned().get().pk],
        {"date": "2026-11-06", "weight": 1, "season": foreign.season.pk},
        302,
    ),
    "settings": lambda home, foreign: (
        "league:club-settings",
        [home.club.slug],
        {
            "name": "Ours", "time_zone": "Europe/Paris", "language": "en-gb", "currency": "EUR", "fee_member": "0",
            "fee_guest": "0", "slug": foreign.club.slug, "id": foreign.club.pk, "pk": foreign.club.pk,
        },
        302,
    ),
    "add": lambda home, foreign: (
        "league:member-add",
        [home.club.slug],
        {"given_name": "New", "role": "member", "club": foreign.club.pk, "player": foreign.outsider.pk},
        302,
    ),
    "guest of the same name": lambda home, foreign: (
        "league:attendance-add", [home.evening.pk], {"name": str(foreign.outsider), "another": "on"}, 302
    ),
}  # fmt: skip


@pytest.mark.parametrize("deed", EXTRA)
def test_a_foreign_id_beside_a_rightful_form_is_not_read(admin: Client, home: Place, foreign: Place, deed: str) -> None:
    name, ids, data, status = EXTRA[deed](home, foreign)
    theirs, ours = counts_of(foreign), counts_of(home)
    assert admin.post(reverse(name, args=ids), data).status_code == status
    assert counts_of(foreign) == theirs
    assert counts_of(home) != ours


def test_the_search_for_players_finds_no_foreign_ones(admin: Client, home: Place, foreign: Place) -> None:
    address = reverse("league:attendance", args=[home.evening.pk])
    for query in ({"players": foreign.outsider.pk}, {"q": foreign.outsider.given_name}):
        assert str(foreign.outsider) not in admin.get(address, query).content.decode()


def test_a_players_page_can_not_be_asked_for_a_foreign_season(client: Client, home: Place, foreign: Place) -> None:
    """A player of both clubs, read by a member of one."""
    both = home.table.seats.get(number=0).player
    a_table(foreign.evening, [both, a_player(), a_player(), a_player()], round_number=2)
    page = (
        sign_in(client, a_member(home.club))
        .get(reverse("league:player", args=[both.pk]), {"season": foreign.season.pk})
        .content.decode()
    )
    assert str(home.season) in page
    assert str(foreign.season) not in page
    assert str(foreign.club) not in page
