"""A season by other house rules: what it would be is what it is once they hold, and trying changes nothing."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.actions import deals, evenings
from league.models import Deal, Season, Seat
from league.results.house_rules_trial import seat_points
from league.results.season_places import places_of
from scoring import registry
from scoring.games.belote.tests.test_house_rules import DISPUTE, WON
from scoring.rules.errors import IllegalDeal
from tests.build import NOW, TAKE, a_club, a_deal, a_player, a_season, a_table, an_evening

pytestmark = pytest.mark.django_db
HELD = {"dispute": "held", "rounding": 10}


def played(game: str, facts: list[dict[str, Any]], size: int = 4) -> Season:
    """Return a season of one closed evening, one table of these deals; of five at tarot one rests."""
    season = a_season(a_club(), game, table_sizes=[size], end_number=len(facts) - (size == 5))
    evening = an_evening(season)
    table = a_table(evening, size=size, one_rests=size == 5)
    for each in facts:
        a_deal(table, each)
    evenings.close(evening.pk, now=NOW)
    return season


def stored(season: Season) -> dict[tuple[int, int], int]:
    seats = Seat.objects.filter(round__evening__season=season)
    return {(sitting, player): points for sitting, player, points in seats.values_list("round", "player", "points")}


@pytest.mark.parametrize(
    ("season", "house_rules"),
    [
        (("tarot", [TAKE, {**TAKE, "points": 40.5}]), {"half_point_short": "void"}),
        (("tarot", [TAKE] * 5, 5), {}),
        (("belote", [DISPUTE, WON]), HELD),
        (("belote", [DISPUTE, DISPUTE, WON, WON]), HELD),
    ],
)
def test_a_trial_says_what_other_house_rules_would_give(season: tuple[Any, ...], house_rules: dict[str, Any]) -> None:
    tried = played(*season)
    before = stored(tried), list(Deal.objects.values())
    points = seat_points(tried, house_rules)
    places = places_of([tried], seat_points=points)
    assert (stored(tried), list(Deal.objects.values())) == before

    Season.objects.filter(pk=tried.pk).update(house_rules=house_rules)
    deals.rescore(Season.objects.get(pk=tried.pk), now=NOW)
    assert points == stored(tried)
    assert places == places_of([tried])
    assert (points != before[0]) == bool(house_rules)


@pytest.mark.parametrize("game", registry.slugs())
def test_the_rules_that_hold_give_what_is_stored(game: str) -> None:
    seats = registry.rules(game).seats.least
    dealt: list[Any] = []
    for _ in range(20):
        dealt.append(registry.play(game)(Random(len(dealt)), seats, [0.0] * seats, {}, dealt))
    season = played(game, [dict(each.facts) for each in dealt], seats)
    assert seat_points(season, season.house_rules) == stored(season)


def test_totals_without_deals_and_open_evenings_stay_as_they_are() -> None:
    season = a_season(a_club(), end_number=1)
    people = [a_player() for _ in range(4)]
    a_deal(a_table(an_evening(season), people))
    assert seat_points(season, {}) == {}
    assert places_of([season], seat_points={})[season.pk] == []


def test_a_deal_that_other_house_rules_refuse_is_named() -> None:
    season = played("tarot", [TAKE])
    Deal.objects.update(facts={"contract": "dare"})
    with pytest.raises(IllegalDeal):
        seat_points(season, {})


def test_a_trial_asks_twice_however_many_deals_there_are() -> None:
    few, many = played("tarot", [TAKE]), played("tarot", [TAKE] * 9)
    for season in (few, many):
        with CaptureQueriesContext(
            connection,
        ) as asked:
            seat_points(season, {})
        assert len(asked) == 2
