"""A trial of other house rules predicts what a change does, and changes nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from league.actions import deals, evenings, seasons, totals
from league.models import Deal, Evening, Rest, Season, Seat, Table
from league.models.evening import EveningState
from league.seasons.queries.house_rules_trial import seat_points, try_house_rules
from league.seasons.queries.rules_consequences import rules_consequences
from league.seasons.queries.season_rankings import rank_season, rank_seasons
from league.sheets.queries.table_sums import PointsAndDeals
from league.standings.ranking import RankingRow
from scoring import registry
from scoring.games.belote.tests.test_house_rules import DISPUTE, WON
from scoring.rules.errors import IllegalDeal
from tests.build import NOW, TAKE, TODAY, a_club, a_deal, a_player, a_season, a_table, an_evening

pytestmark = pytest.mark.django_db
DISPUTE_HELD = {"dispute": "held", "rounding": 10}


def played(game: str, facts: list[dict[str, Any]], size: int = 4) -> Season:
    """Return a season of one closed evening, one table of these deals; of five at tarot one rests.

    One player sits the round out, and has its mean.
    """
    season = a_season(a_club(), game, table_sizes=[size], end_number=len(facts) - (size == 5))
    evening = an_evening(season)
    table = a_table(evening, size=size, one_rests=size == 5)
    Rest.objects.create(round=table.round, player=a_player(), score="mean")
    for deal_facts in facts:
        a_deal(table, deal_facts)
    evenings.close(evening.pk, now=NOW)
    return season


def stored(season: Season) -> dict[tuple[int, int], int]:
    rows = (model.objects.filter(round__evening__season=season) for model in (Seat, Rest))
    return {
        (sitting, player): points
        for of_model in rows
        for sitting, player, points in of_model.values_list("round", "player", "points")
    }


@pytest.mark.parametrize(
    ("season", "house_rules"),
    [
        (("tarot", [TAKE, {**TAKE, "points": 40.5}]), {"half_point_short": "void"}),
        (("tarot", [TAKE] * 5, 5), {}),
        (("belote", [DISPUTE, WON]), DISPUTE_HELD),
        (("belote", [DISPUTE, DISPUTE, WON, WON]), DISPUTE_HELD),
        (("belote", [WON, WON]), {"rounding": 10, "last_deal_exact": True}),
        (("belote", [DISPUTE, DISPUTE]), {**DISPUTE_HELD, "dispute_at_end": "shared"}),
    ],
)
def test_a_trial_says_what_other_house_rules_would_give(season: tuple[Any, ...], house_rules: dict[str, Any]) -> None:
    tried = played(*season)
    before = stored(tried), list(Deal.objects.values())
    points = seat_points(tried, house_rules)
    places = rank_seasons([tried], seat_points=points)
    assert (stored(tried), list(Deal.objects.values())) == before

    Season.objects.filter(pk=tried.pk).update(house_rules=house_rules)
    deals.rescore_season(Season.objects.get(pk=tried.pk), now=NOW)
    assert points == stored(tried)
    assert places == rank_seasons([tried])
    assert (points != before[0]) == bool(house_rules)


@pytest.mark.parametrize("game", registry.slugs())
def test_the_rules_that_hold_give_what_is_stored(game: str) -> None:
    rules, play = registry.rules(game), registry.play(game)
    seats = rules.seats.minimum
    sheet: list[Any] = []
    for number in range(20):
        earlier = rules.read_earlier(seats, sheet)
        sheet.append(dict(play(Random(number), seats, [0.0] * seats, {}, earlier).facts))
    season = played(game, sheet, seats)
    assert seat_points(season, season.house_rules) == stored(season)


def test_totals_without_deals_and_open_evenings_stay_as_they_are() -> None:
    season = a_season(a_club(), end_number=1)
    people = [a_player() for _ in range(4)]
    a_deal(a_table(an_evening(season), people))
    assert seat_points(season, {}) == {}
    assert rank_seasons([season], seat_points={})[season.pk] == []


def test_a_deal_that_other_house_rules_refuse_is_named() -> None:
    season = played("tarot", [TAKE])
    Deal.objects.update(facts={"contract": "dare"})
    with pytest.raises(IllegalDeal):
        seat_points(season, {})


def test_a_trial_asks_three_times_however_many_deals_there_are() -> None:
    few, many = played("tarot", [TAKE]), played("tarot", [TAKE] * 9)
    for season in (few, many):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            seat_points(season, {})
        assert len(queries) == 3


VOID = {"half_point_short": "void"}
HALF_SHORT = {**TAKE, "points": 40.5}


def varied() -> Season:
    """Return a season of three evenings, the last one open: tables with deals, with one too few, with totals alone.

    Of the second table's players one leaves early. A ninth player sits two rounds out, for 7 points each.
    """
    season = a_season(a_club(), end_number=2)
    people, resting = [a_player() for _ in range(8)], a_player()
    for week in range(3):
        evening = an_evening(season, on=TODAY + timedelta(weeks=week))
        for number in (1, 2):
            tables = [a_table(evening, group, round_number=number) for group in (people[:4], people[4:])]
            Rest.objects.create(round=tables[0].round, player=resting, score="fixed", written=7)
            for at, table in enumerate(tables):
                for dealt in range(2 - (number == 2 and at)):
                    a_deal(table, HALF_SHORT if dealt else TAKE)
        evening.attendances.filter(player=people[5]).update(to_round=1)
        sums = {seat: PointsAndDeals(points, 2) for seat, points in enumerate((30, -10, -10, -10))}
        sheet = a_table(evening, people[:4], round_number=3)
        totals.record(sheet.pk, sums, client_key=uuid4(), seen_version=0, now=NOW)
        if week < 2:
            evenings.close(evening.pk, now=NOW)
    return season


def rows(season: Season) -> list[object]:
    return standing_rows(rank_season(season))


def standing_rows(ranking: list[RankingRow]) -> list[object]:
    return [(row.player, row.rank, row.total) for row in ranking]


CHANGES: list[tuple[dict[str, Any], dict[str, Any], bool, int | str | None]] = [
    ({}, VOID, False, None),
    ({}, VOID, False, 1),
    ({}, VOID, True, 0),
    ({}, VOID, True, 2),
    ({}, VOID, True, "later"),
    ({"end_number": 1}, {}, False, None),
    ({"end_number": 3}, VOID, True, None),
    ({"leavers": "last"}, {}, False, None),
    ({}, {}, False, None),
]


@pytest.mark.faults
def test_a_change_does_what_its_trial_says(subtests: pytest.Subtests) -> None:
    season = varied()
    for fields, house_rules, kept, since in CHANGES:
        with subtests.test(fields=fields, house_rules=house_rules, kept=kept, since=since), transaction.atomic():
            check_change(season.pk, fields, house_rules, kept=kept, since=since)
            transaction.set_rollback(True)


def check_change(
    pk: int, fields: dict[str, Any], house_rules: dict[str, Any], *, kept: bool, since: int | str | None
) -> None:
    """Try the change and make it; with `kept`, the season's house rules were changed before."""
    rules = {"worth": {"by": "places", "points": [9, 7, 5, 3], "rest": 1}} if "leavers" in fields else {}
    Season.objects.filter(pk=pk).update(standings_rules=rules)
    evenings = list(Evening.objects.filter(season=pk).order_by("date"))
    if kept:
        won = {"half_point_short": "won"}
        seasons.change_rules(Season.objects.get(pk=pk), [], won, reason="voted", now=NOW, since=evenings[1])
    first = evenings[since] if isinstance(since, int) else None
    changed = Season.objects.get(pk=pk)
    for name, value in fields.items():
        setattr(changed, name, value)
    before = rows(Season.objects.get(pk=pk)), stored(changed), list(Evening.objects.values())
    with CaptureQueriesContext(connection) as queries:
        moved_rows = rules_consequences(changed, house_rules, first, since == "later")
        trial = try_house_rules(changed, Season.objects.get(pk=pk).house_rules, first, later_only=since == "later")
    assert all(query["sql"].startswith("SELECT") and " FOR " not in query["sql"] for query in queries)
    assert (rows(Season.objects.get(pk=pk)), stored(changed), list(Evening.objects.values())) == before

    seasons.change_rules(
        changed, list(fields), house_rules, reason="voted", now=NOW, since=first, later_only=since == "later"
    )
    now = Season.objects.get(pk=pk)
    assert trial.seat_points == stored(now)
    assert rows(now) == standing_rows(rank_seasons([changed], None, None, *trial)[pk])
    assert bool(moved_rows) == (rows(now) != before[0])


def test_a_deal_of_an_open_evening_is_read_as_well() -> None:
    season = varied()
    Deal.objects.filter(table__round__evening__state=EveningState.OPEN).update(facts={"contract": "dare"})
    with pytest.raises(IllegalDeal):
        rules_consequences(season, VOID)
    with pytest.raises(IllegalDeal):
        seasons.change_rules(season, [], VOID, reason="voted", now=NOW)


def test_looking_at_a_change_waits_for_no_lock(transactional_db: None) -> None:
    season = varied()
    with transaction.atomic():
        list(Season.objects.select_for_update().filter(pk=season.pk))
        list(Table.objects.select_for_update())
        with ThreadPoolExecutor(1) as executor:
            assert executor.submit(_looked, season).result(timeout=30)


def _looked(season: Season) -> bool:
    try:
        return bool(rules_consequences(season, VOID))
    finally:
        connection.close()
