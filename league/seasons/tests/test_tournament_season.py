"""The season that stores the rounds of a tournament is no season of the club: its pages change nothing in it.

A deal of the tournament leads to the season's house rules, and from there by hand to the other pages. No other test
opens them for a tournament.
"""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import adjustments, season_closing, seasons, teams
from league.actions.refusals import WrongState
from league.models import Adjustment, Club, Evening, Season, Team
from league.models.rights import Role
from league.models.season import SeasonState
from league.standings.rules import StandingsRules
from tests.build import NOW, a_club, a_member, a_running_tournament, sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def season(club: Club) -> Season:
    return Season.objects.get(tournament=a_running_tournament(club))


@pytest.fixture
def admin(client: Client, club: Club) -> Client:
    return sign_in(client, a_member(club, Role.ADMIN))


def test_its_house_rules_are_shown_and_not_changed(admin: Client, season: Season) -> None:
    address = reverse("league:season-rules", args=[season.pk])
    page = admin.get(address)
    assert page.status_code == 200
    assert "form" not in page.context
    assert admin.post(address, {"name": "Other"}).status_code == 403
    with pytest.raises(WrongState):
        seasons.change_rules(season, ["name"], {}, reason="voted", now=NOW)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("season-copy", {"name": "Next year"}),
        ("evening-plan", {"date": "2026-12-01", "weight": "1"}),
        ("standings-rules", {"worth": "points", "counts": "all", "minimum": "none", "attendance": "5"}),
    ],
)
def test_other_forms_say_that_it_belongs_to_a_tournament(
    admin: Client, season: Season, name: str, data: dict[str, str]
) -> None:
    address = reverse(f"league:{name}", args=[season.pk])
    seen = seasons.standings_rules_version(season)
    answer = admin.post(address, {**data, "seen": seen})
    assert answer.status_code == 422
    assert "belongs to a tournament" in answer.content.decode()
    assert Season.objects.get().standings_rules == {}
    assert Evening.objects.count() == 1


def test_it_is_not_closed_and_has_no_teams_and_no_adjustments(season: Season) -> None:
    player = a_member(season.club)
    season.evenings.update(state="closed", closed_at=NOW, final_at=NOW)
    for refused in (
        lambda: season_closing.close(season.pk, now=NOW),
        lambda: adjustments.add_adjustment(season.pk, player.pk, 5, reason="Fair play", now=NOW),
        lambda: teams.store_team(season.pk, "Reds", [player.pk, a_member(season.club).pk]),
        lambda: seasons.change_standings_rules(
            season.pk, StandingsRules(partners=2), planned_evenings=None, seen_version="", reason="voted", now=NOW
        ),
    ):
        with pytest.raises(WrongState, match="tournament"):
            refused()
    season.refresh_from_db()
    assert season.state == SeasonState.OPEN
    assert not Adjustment.objects.exists()
    assert not Team.objects.exists()
