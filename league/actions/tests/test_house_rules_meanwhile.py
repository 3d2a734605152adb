"""House rules that change from an evening on: earlier evenings keep theirs, also for later corrections."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from league.actions import deals, evenings, season_closing, seasons
from league.actions.refusals import WrongState
from league.models import Deal, Evening, HouseRulesChange, Season, Table
from league.models.evening import EveningState
from league.operations.work.verification import verify
from tests.build import NOW, TAKE, TODAY, a_club, a_deal, a_season, a_table, an_evening

HALF_SHORT = {**TAKE, "points": 40.5}  # lost by 1 under the printed rules, void under the club's
LOST, VOID, WON = [-78, 26, 26, 26], [0, 0, 0, 0], [75, -25, -25, -25]
BY_VOID, BY_WON = {"half_point_short": "void"}, {"half_point_short": "won"}

pytestmark = pytest.mark.django_db


def points(table: Table) -> list[int]:
    return [seat.points for seat in table.seats.all()]


def change_house_rules(
    house_rules: dict[str, Any], since: Evening | None = None, reason: str | None = "as voted"
) -> None:
    seasons.change_rules(Season.objects.get(), [], house_rules, reason=reason, now=NOW, since=since)


@pytest.fixture
def tables() -> list[Table]:
    """Return the tables of three evenings, a week from one another, each with a deal half a point short."""
    season = a_season(a_club())
    days = [TODAY + timedelta(weeks=week) for week in range(3)]
    new_tables = [a_table(an_evening(season, on=day)) for day in days]
    for table in new_tables:
        a_deal(table, HALF_SHORT)
    return new_tables


def evening_of(table: Table) -> Evening:
    return Evening.objects.get(pk=table.round.evening_id)


def test_evenings_before_keep_their_rules(tables: list[Table]) -> None:
    change_house_rules(BY_VOID, evening_of(tables[1]))
    assert [points(table) for table in tables] == [LOST, VOID, VOID]
    assert evening_of(tables[0]).kept_house_rules == {}
    assert evening_of(tables[1]).kept_house_rules is None
    assert list(verify()) == []


def test_a_later_correction_goes_by_the_rules_of_its_evening(tables: list[Table]) -> None:
    change_house_rules(BY_VOID, evening_of(tables[1]))
    evenings.close(evening_of(tables[0]).pk, now=NOW)
    deal = tables[0].dealt.get()
    deals.revise(deal.pk, TAKE, client_key=uuid4(), seen_version=1, now=NOW, reason="read wrongly")
    deals.revise(deal.pk, HALF_SHORT, client_key=uuid4(), seen_version=2, now=NOW, reason="it was right")
    a_deal(tables[0], HALF_SHORT, reason="forgotten")
    assert points(tables[0]) == [2 * lost for lost in LOST]
    assert list(verify()) == []


def test_each_evening_keeps_the_version_that_it_was_played_by(tables: list[Table]) -> None:
    change_house_rules(BY_VOID, evening_of(tables[1]))
    change_house_rules(BY_WON, evening_of(tables[2]))
    assert [points(table) for table in tables] == [LOST, VOID, WON]
    assert [evening_of(table).house_rules for table in tables] == [{}, BY_VOID, BY_WON]
    noted = HouseRulesChange.objects.order_by("pk").values_list("since__date", "before", "after", "reason")
    assert list(noted) == [
        (evening_of(tables[1]).date, {}, BY_VOID, "as voted"),
        (evening_of(tables[2]).date, BY_VOID, BY_WON, "as voted"),
    ]
    assert list(verify()) == []


def test_a_change_for_the_whole_season_takes_all_evenings(tables: list[Table]) -> None:
    change_house_rules(BY_VOID, evening_of(tables[1]))
    change_house_rules(BY_WON)
    assert [points(table) for table in tables] == [WON, WON, WON]
    assert not Evening.objects.filter(kept_house_rules__isnull=False).exists()


def test_a_change_from_an_earlier_evening_on_takes_those_after_it(tables: list[Table]) -> None:
    change_house_rules(BY_VOID, evening_of(tables[2]))
    change_house_rules(BY_WON, evening_of(tables[1]))
    assert [points(table) for table in tables] == [LOST, WON, WON]


def test_of_two_evenings_on_one_day_the_one_planned_first_is_before(tables: list[Table]) -> None:
    second = a_table(an_evening(Season.objects.get(), on=evening_of(tables[0]).date))
    a_deal(second, HALF_SHORT)
    change_house_rules(BY_VOID, evening_of(second))
    assert [points(table) for table in (tables[0], second)] == [LOST, VOID]


def test_what_is_planned_and_not_played_keeps_them_too(tables: list[Table]) -> None:
    planned_evening = an_evening(Season.objects.get(), EveningState.PLANNED, on=TODAY + timedelta(days=1))
    change_house_rules(BY_VOID, evening_of(tables[1]))
    table = a_table(evenings.open(planned_evening.pk, now=NOW))
    a_deal(table, HALF_SHORT)
    assert points(table) == LOST


def test_other_changes_of_the_season_leave_each_evening_its_rules(tables: list[Table]) -> None:
    change_house_rules(BY_VOID, evening_of(tables[1]))
    season = Season.objects.get()
    season.end_number = 1
    seasons.change_rules(season, ["end_number"], BY_VOID, reason="shorter", now=NOW)
    assert [points(table) for table in tables] == [LOST, VOID, VOID]
    assert HouseRulesChange.objects.count() == 1
    assert not Table.objects.filter(complete=False).exists()


def test_before_anything_is_recorded_nothing_is_noted() -> None:
    a_season(a_club())
    change_house_rules(BY_VOID, reason=None)
    assert not HouseRulesChange.objects.exists()
    assert Season.objects.get().house_rules == BY_VOID


def test_a_closed_season_keeps_its_rules(tables: list[Table]) -> None:
    for table in tables:
        evenings.close(evening_of(table).pk, now=NOW)
    season_closing.close(Season.objects.get().pk, now=NOW)
    with pytest.raises(WrongState):
        change_house_rules(BY_VOID, evening_of(tables[1]))
    assert [points(table) for table in tables] == [LOST, LOST, LOST]


@pytest.mark.django_db(transaction=True)
def test_rules_change_while_deals_are_recorded_and_evenings_close(tables: list[Table]) -> None:
    """Nobody waits for another in a circle, and each deal is scored by its evening's rules."""
    first, last = evening_of(tables[0]), evening_of(tables[2])
    acts = [
        lambda: change_house_rules(BY_VOID, last),
        lambda: a_deal(tables[0], HALF_SHORT),
        lambda: a_deal(tables[2], HALF_SHORT),
        lambda: evenings.close(evening_of(tables[1]).pk, now=NOW),
        lambda: evenings.change(first, ["name"]),
    ]
    start = Barrier(len(acts))

    def perform(act: Any) -> None:
        start.wait()
        try:
            act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        list(pool.map(perform, acts))
    assert Deal.objects.count() == 5
    assert [points(table) for table in tables] == [[2 * each for each in LOST], LOST, VOID]
    assert list(verify()) == []
