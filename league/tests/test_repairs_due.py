"""What is repaired by hand is due, so that the night's numbers follow."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib import admin
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from league.actions import evenings, season_closing
from league.admin import SeasonRowAdmin
from league.models import Adjustment, Evening, PendingRecompute, Rest, Run, Season, SeasonClosing, Standing, Table
from league.models.season import SeasonState
from league.operations.work.verification import verify
from league.recompute.work import runs
from players.models import User
from tests.build import NOW, PASSWORD, TAKE, a_club, a_deal, a_player, a_season, a_table, an_evening
from tests.readers import give_password

pytestmark = pytest.mark.django_db

OTHER_RULES = {"half_point_short": "void"}


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
    assert not PendingRecompute.objects.exists()
    return evening


def night() -> None:
    last = PendingRecompute.objects.latest("not_before").not_before
    runs.run(Run.Trigger.NIGHT, now=last)


def test_an_adjustment_counts_from_the_next_run_on(root: Client, evening: Evening) -> None:
    player = Standing.objects.get(rank=1).player
    form = {"season": evening.season_id, "player": player.pk, "points": "-50", "reason": "late"}
    assert root.post(reverse("admin:league_adjustment_add"), form).status_code == 302
    assert runs.pending_trigger(PendingRecompute.objects.latest("pk").not_before) == Run.Trigger.CHANGE
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
    PendingRecompute.objects.all().delete()
    form = {"action": "delete_selected", "_selected_action": [empty.pk], "post": "yes"}
    assert root.post(reverse("admin:league_evening_changelist"), form).status_code == 302
    assert not Evening.objects.filter(pk=empty.pk).exists()
    assert PendingRecompute.objects.filter(why=PendingRecompute.Reason.REPAIRED, season=evening.season).exists()


def test_a_seasons_rules_are_not_repaired_past_its_deals(root: Client, evening: Evening) -> None:
    form = {"name": "Renamed", "house_rules": '{"nonsense": 1}', "game": "belote"}
    assert root.post(reverse("admin:league_season_change", args=[evening.season_id]), form).status_code == 302
    season = Season.objects.get()
    assert (season.name, season.house_rules, season.game) == ("Renamed", {}, "tarot")


FACTS = sorted(
    (model for model, page in admin.site._registry.items() if isinstance(page, SeasonRowAdmin)),
    key=lambda model: model.__name__,
)


def of_each_kind(evening: Evening) -> dict[type[Model], Model]:
    """Return a row of the evening, or its season, of each kind that can be repaired."""
    sitting = evening.rounds.get()
    resting = a_player()
    adjustment = Adjustment.objects.create(season=evening.season, player=resting, points=5, reason="x")
    rest = Rest.objects.create(round=sitting, player=resting, kind="exempt", points=5)
    PendingRecompute.objects.create(season=evening.season, not_before=NOW, why=PendingRecompute.Reason.REPAIRED)
    runs.run(Run.Trigger.NIGHT, now=NOW)
    attendance = evening.attendances.all()[0]
    rows: tuple[Model, ...] = (evening, sitting, sitting.tables.get(), rest, adjustment, attendance)
    return {type(row): row for row in rows}


@pytest.mark.parametrize("model", FACTS, ids=lambda model: model.__name__)
def test_nothing_of_a_closed_season_is_repaired(root: Client, evening: Evening, model: type[Model]) -> None:
    row = of_each_kind(evening)[model]
    name = f"admin:league_{model._meta.model_name}"
    form = {field.attname.removesuffix("_id"): getattr(row, field.attname) for field in model._meta.concrete_fields}
    form = {field: "" if value is None else value for field, value in form.items()} | {"points": 77, "number": 77}
    inlines = {"seats-TOTAL_FORMS": "0", "seats-INITIAL_FORMS": "0"}
    season_closing.close(evening.season_id, now=NOW)
    before = list(model._default_manager.values())
    assert root.get(reverse(f"{name}_change", args=[row.pk])).status_code == 200
    assert root.post(reverse(f"{name}_change", args=[row.pk]), form | inlines).status_code == 403
    assert root.post(reverse(f"{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    root.post(reverse(f"{name}_changelist"), chosen)
    if model is not Table:
        another = form | {"season": evening.season_id, "player": a_player().pk, "date": "2026-01-09"}
        answer = root.post(reverse(f"{name}_add"), another)
        assert "open the season again on its own page first" in answer.content.decode()
    assert list(model._default_manager.values()) == before
    assert list(verify()) == []


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"house_rules": {"misere": "none"}}, "scored by other rules"),
        ({"end_number": 5}, "scored by other rules"),
        ({"game": "belote", "table_sizes": [4]}, "scored by other rules"),
        ({"state": SeasonState.CLOSED}, "open the season again"),
        ({}, ""),
    ],
)
def test_evening_is_moved_only_where_its_results_stay_as_they_are(
    root: Client, evening: Evening, fields: dict[str, Any], refusal: str
) -> None:
    if "house_rules" in fields:
        fields = {"house_rules": OTHER_RULES}
    other = a_season(evening.season.club, **fields)
    if refusal == "open the season again":
        SeasonClosing.objects.create(season=other, closed_at=NOW, digest="x")
    form = {"season": other.pk, "date": str(evening.date), "name": "", "weight": "1"}
    answer = root.post(reverse("admin:league_evening_change", args=[evening.pk]), form)
    evening.refresh_from_db()
    assert (evening.season_id == other.pk) == (not refusal)
    if refusal:
        assert refusal in answer.content.decode()
        SeasonClosing.objects.all().delete()
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    assert list(verify()) == []


def test_evening_is_not_moved_to_another_club(root: Client, evening: Evening) -> None:
    other = a_season(a_club())
    form = {"season": other.pk, "date": str(evening.date), "name": "", "weight": "1"}
    answer = root.post(reverse("admin:league_evening_change", args=[evening.pk]), form)
    assert "cannot be moved to another club" in answer.content.decode()


def test_round_is_moved_only_where_its_results_stay_as_they_are(root: Client, evening: Evening) -> None:
    other = an_evening(evening.season)
    Evening.objects.filter(pk=other.pk).update(kept_house_rules=OTHER_RULES)
    sitting = evening.rounds.get()
    form = {"evening": other.pk, "number": "1", "seed": "0"}
    answer = root.post(reverse("admin:league_round_change", args=[sitting.pk]), form)
    assert "scored by other rules" in answer.content.decode()
