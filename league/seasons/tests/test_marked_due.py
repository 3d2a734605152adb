"""Standings follow every change of a season's rules, also where no deal was recorded: they are due, or right as is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from league.actions import adjustments, evenings, seasons
from league.models import PendingRecompute, Rest, Round, Run, Season
from league.operations.work.verification import verify
from league.recompute.work import runs
from league.standings.presets import PRESETS
from league.standings.rules import StandingsRules
from tests.build import NOW, a_club, a_player, a_season, an_evening, settle

pytestmark = pytest.mark.django_db

CHANGES = {
    "leavers": "last",
    "exempt_points": 40,
    "rest_score": "mean",
    "end_number": 9,
    "rounds": 7,
    "contest_hours": 1,
    "draw": "ranking",
    "partners": "evening",
    "fifth_rests": True,
    "table_sizes": [4, 5],
}


def with_adjustment() -> Season:
    """Return a season whose only row comes from an adjustment."""
    season = a_season(a_club())
    adjustments.add_adjustment(season.pk, a_player().pk, 50, reason="Founder", now=NOW)
    return season


def with_exempt_rounds() -> Season:
    """Return a season with an evening of exempt rounds alone; one of two players left before the second."""
    season = a_season(a_club(), standings_rules={"worth": {"by": "places", "points": [5, 3]}})
    evening = an_evening(season)
    leaver, stayed = a_player(), a_player()
    for number, player in enumerate((leaver, stayed), start=1):
        sitting = Round.objects.create(evening=evening, number=number)
        Rest.objects.create(round=sitting, player=player, kind="exempt", points=60 // number)
    evening.attendances.create(player=leaver, to_round=1)
    evening.attendances.create(player=stayed)
    evenings.close(evening.pk, now=NOW)
    return season


SEASONS = (with_adjustment, with_exempt_rounds)


@pytest.fixture(scope="module", params=SEASONS, ids=lambda build: build.__name__)
def computed_season(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[int]:
    """Return the id of a season whose standings are computed, built once; every test undoes its changes."""
    build: Callable[[], Season] = request.param
    with django_db_blocker.unblock(), transaction.atomic():
        season = build()
        runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
        PendingRecompute.objects.all().delete()
        assert season.standings.exists()
        assert list(verify()) == []
        settle()
        yield season.pk
        transaction.set_rollback(True)


@pytest.fixture
def season(computed_season: int, db: None) -> Season:
    return Season.objects.get(pk=computed_season)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_standings_follow_other_standings_rules(season: Season, preset: object) -> None:
    rules = StandingsRules.from_json(preset.rules)  # type: ignore[attr-defined]
    seasons.change_standings_rules(
        season.pk,
        rules,
        planned_evenings=None,
        seen_version=seasons.standings_rules_version(season),
        reason="We voted",
        now=NOW,
    )
    assert list(verify()) == []
    runs.run(Run.Trigger.NIGHT, now=NOW)
    assert list(verify()) == []
    assert not PendingRecompute.objects.exists()


@pytest.mark.parametrize("field", CHANGES)
def test_standings_follow_other_rules_of_the_season(season: Season, field: str) -> None:
    setattr(season, field, CHANGES[field])
    seasons.change_rules(season, [field], season.house_rules, reason=None, now=NOW)
    assert list(verify()) == []
    runs.run(Run.Trigger.NIGHT, now=NOW)
    assert list(verify()) == []
