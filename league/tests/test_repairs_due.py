"""What is repaired by hand is due, so that the night's numbers follow."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import evenings
from league.models import Adjustment, Due, Evening, Run, Season, Standing
from league.night import runs
from league.night.verification import verify
from players.models import User
from tests.build import NOW, PASSWORD, TAKE, a_club, a_deal, a_player, a_season, a_table, an_evening
from tests.readers import give_password

pytestmark = pytest.mark.django_db


@pytest.fixture
def root(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root@club.example", PASSWORD))
    give_password(client)
    return client


@pytest.fixture
def evening() -> Evening:
    """Played, closed and computed."""
    table = a_table(an_evening(a_season(a_club())), [a_player() for _ in range(4)])
    for _deal in range(4):
        a_deal(table, TAKE)
    evening = evenings.close(table.round.evening_id, now=NOW)
    runs.run(Run.Trigger.NIGHT, now=NOW)
    assert not Due.objects.exists()
    return evening


def night() -> None:
    last = Due.objects.latest("not_before").not_before
    runs.run(Run.Trigger.NIGHT, now=last)


def test_an_adjustment_counts_from_the_next_run_on(root: Client, evening: Evening) -> None:
    player = Standing.objects.get(rank=1).player
    form = {"season": evening.season_id, "player": player.pk, "points": "-50", "reason": "late"}
    assert root.post(reverse("admin:league_adjustment_add"), form).status_code == 302
    assert runs.what_asks(Due.objects.latest("pk").not_before) == Run.Trigger.CHANGE
    night()
    assert Standing.objects.get(player=player).total == 324 - 50
    given = Adjustment.objects.get()
    assert root.post(reverse("admin:league_adjustment_delete", args=[given.pk]), {"post": "yes"}).status_code == 302
    night()
    assert Standing.objects.get(player=player).total == 324
    assert list(verify()) == []


def test_an_evening_moved_to_another_day_is_rated_there(root: Client, evening: Evening) -> None:
    form = {"season": evening.season_id, "date": "2026-01-03", "name": "", "weight": "2"}
    address = reverse("admin:league_evening_change", args=[evening.pk])
    assert root.post(address, form).status_code == 302
    night()
    assert list(verify()) == []
    assert Standing.objects.get(rank=1).total == 2 * 324


def test_evenings_chosen_from_the_list_and_deleted_are_gone_from_the_numbers(root: Client, evening: Evening) -> None:
    empty = an_evening(evening.season)
    Evening.objects.filter(pk=empty.pk).update(date="2026-01-02")
    Due.objects.all().delete()
    form = {"action": "delete_selected", "_selected_action": [empty.pk], "post": "yes"}
    assert root.post(reverse("admin:league_evening_changelist"), form).status_code == 302
    assert not Evening.objects.filter(pk=empty.pk).exists()
    assert Due.objects.filter(why=Due.Why.REPAIRED, season=evening.season).exists()


def test_a_seasons_rules_are_not_repaired_past_its_deals(root: Client, evening: Evening) -> None:
    form = {"name": "Renamed", "house_rules": '{"nonsense": 1}', "game": "belote"}
    assert root.post(reverse("admin:league_season_change", args=[evening.season_id]), form).status_code == 302
    season = Season.objects.get()
    assert (season.name, season.house_rules, season.game) == ("Renamed", {}, "tarot")
