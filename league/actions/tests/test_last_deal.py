"""A table's last deal is scored by rules of its own, also after later deals are inserted, voided and corrected."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.actions import seasons
from league.actions.tests.test_held_points import points, revised, voided
from league.models import Deal, Season, Table
from league.operations.work.verification import verify
from league.sheets.queries.held_points import held_points
from league.sheets.queries.missing_deals import missing_text
from league.sheets.queries.score_sheet import explanation
from scoring import registry
from scoring.games.belote.tests.test_house_rules import DISPUTE, LOST, PASSED, WON, any_deal
from scoring.rules.errors import IllegalDeal
from tests.build import NOW, a_club, a_deal, a_season, a_table, an_evening
from tests.examples import examples

EXACT = {"rounding": 10, "last_deal_exact": True}
SHARED = {"dispute": "held", "dispute_at_end": "shared"}
REPLAYED = {**EXACT, "dispute": "replayed"}
# 100 and 62; rounded 100 and 60.
ROUNDED, LAST = [60, 100, 60, 100], [62, 100, 62, 100]

pytestmark = pytest.mark.django_db


def a_belote_table(house_rules: dict[str, Any], *sheet: dict[str, Any], deals: int = 3, **season: Any) -> Table:
    rules = {"table_sizes": [4], "end_number": deals, "house_rules": house_rules, **season}
    table = a_table(an_evening(a_season(a_club(), "belote", **rules)))
    for facts in sheet:
        a_deal(table, facts)
    return table


def stored(table: Table) -> Table:
    return Table.objects.with_club().get(pk=table.pk)


def test_the_deal_with_the_number_that_ends_the_table_is_exact() -> None:
    table = a_belote_table(EXACT, WON, WON, WON, WON)
    assert points(table) == [ROUNDED, ROUNDED, LAST, ROUNDED]
    assert list(verify()) == []


def test_inserting_a_deal_rounds_the_former_last_deal() -> None:
    table = a_belote_table(EXACT, WON, WON, WON)
    a_deal(table, LOST, number=1)
    assert points(table) == [[0, 160, 0, 160], ROUNDED, LAST, ROUNDED]
    assert [seat.points for seat in table.seats.all()] == [182, 460, 182, 460]
    assert list(verify()) == []


def test_voiding_a_deal_makes_the_next_one_the_last() -> None:
    table = a_belote_table(EXACT, LOST, WON, WON, WON)
    voided(table.dealt.get(number=1))
    assert points(table) == [ROUNDED, ROUNDED, LAST]
    voided(table.dealt.get(number=3))
    assert points(table) == [ROUNDED, ROUNDED]
    assert list(verify()) == []


def test_revising_the_last_deal_leaves_it_exact() -> None:
    table = a_belote_table(EXACT, WON, WON, LOST)
    revised(table.dealt.get(number=3), WON)
    assert points(table) == [ROUNDED, ROUNDED, LAST]
    assert list(verify()) == []


def test_another_number_of_deals_scores_both_last_deals() -> None:
    table = a_belote_table(EXACT, WON, WON, WON)
    season = Season.objects.get()
    season.end_number = 2
    seasons.change_rules(season, ["end_number"], EXACT, reason="as voted", now=NOW)
    assert points(table) == [ROUNDED, LAST, ROUNDED]
    assert list(verify()) == []


@pytest.mark.parametrize("end", [{"end": "target", "end_number": 3}, {"end": "hand", "end_number": None}])
def test_a_table_that_ends_otherwise_has_no_last_deal(end: dict[str, Any]) -> None:
    table = a_belote_table(EXACT, WON, WON, WON, **end)
    assert points(table) == [ROUNDED] * 3
    assert list(verify()) == []


def test_a_dispute_in_the_last_deal_is_shared_and_holds_nothing() -> None:
    table = a_belote_table(SHARED, WON, DISPUTE, DISPUTE)
    assert points(table) == [[62, 100, 62, 100], [0, 81, 0, 81], [81, 81, 81, 81]]
    assert held_points(stored(table), [WON, DISPUTE, DISPUTE]) == 81
    assert held_points(stored(table), [WON, WON, DISPUTE]) == 0
    a_deal(table, LOST, number=3)
    assert points(table)[1:] == [[0, 81, 0, 81], [0, 243, 0, 243], [0, 81, 0, 81]]
    assert list(verify()) == []


def test_the_explanation_is_that_of_the_last_deal() -> None:
    table = a_belote_table(EXACT, WON, WON, WON)
    seats = list(table.seats.select_related("player"))
    for deal, expected in zip(Deal.objects.order_by("number"), (ROUNDED, ROUNDED, LAST), strict=True):
        deal.table = stored(table)
        explained = explanation(deal, seats)
        assert explained is not None
        assert [seat.points for seat in explained.seats] == expected


def test_passed_deals_are_dealt_again_by_the_seasons_setting() -> None:
    table = a_belote_table(EXACT, WON, PASSED, WON, count_passed=False)
    assert not stored(table).complete
    assert missing_text(stored(table), Season.objects.get()) == "1 deal is missing"
    assert points(table) == [ROUNDED, [0, 0, 0, 0], ROUNDED]
    a_deal(table, WON)
    assert stored(table).complete
    assert points(table) == [ROUNDED, [0, 0, 0, 0], ROUNDED, LAST]
    assert list(verify()) == []


def test_replayed_deals_are_dealt_again_too_and_a_correction_changes_the_end() -> None:
    table = a_belote_table(REPLAYED, DISPUTE, WON, WON, WON, count_passed=False)
    assert points(table) == [[0, 0, 0, 0], ROUNDED, ROUNDED, LAST]
    revised(table.dealt.get(number=1), WON)
    assert points(table) == [ROUNDED, ROUNDED, LAST, ROUNDED]
    assert list(verify()) == []


def test_passed_deals_count_by_default() -> None:
    table = a_belote_table(EXACT, WON, PASSED, WON)
    assert stored(table).complete
    assert points(table)[2] == LAST


def test_a_change_of_the_setting_scores_and_completes_again() -> None:
    table = a_belote_table(EXACT, WON, PASSED, WON)
    season = Season.objects.get()
    season.count_passed = False
    seasons.change_rules(season, ["count_passed"], EXACT, reason="as voted", now=NOW)
    assert not stored(table).complete
    assert points(table)[2] == ROUNDED
    assert list(verify()) == []


def test_tarot_deals_a_passed_deal_again_too() -> None:
    season = a_season(a_club(), "tarot", end_number=2, count_passed=False)
    table = a_table(an_evening(season))
    a_deal(table, {"contract": "passed"})
    a_deal(table, {"contract": "take", "taker": 0, "points": 50, "oudlers": 1})
    assert not stored(table).complete
    a_deal(table, {"contract": "take", "taker": 0, "points": 50, "oudlers": 1})
    assert stored(table).complete
    assert list(verify()) == []


def from_nothing(
    sheet: Sequence[dict[str, Any]], house_rules: dict[str, Any], *, deals: int, count_passed: bool
) -> list[list[int]]:
    """Each deal's points when the sheet is scored in one go."""
    rules = registry.rules("belote")
    played = rules.play_table(
        [(4, facts) for facts in sheet],
        rules.read_options(house_rules),
        remaining=deals,
        count_passed=count_passed,
    )
    return [list(deal.points) for deal in played if not isinstance(deal, IllegalDeal)]


step = st.tuples(st.sampled_from(("record", "record", "insert", "revise", "void")), st.integers(0, 7), any_deal)


@settings(max_examples=examples(15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(step, max_size=9), st.sampled_from((EXACT, {**SHARED, **EXACT}, REPLAYED)), st.booleans())
def test_the_scores_are_always_those_of_the_final_list(
    steps: list[tuple[str, int, dict[str, Any]]], house_rules: dict[str, Any], count_passed: bool
) -> None:
    table = a_belote_table(house_rules, count_passed=count_passed)
    sheet: list[dict[str, Any]] = []
    standing: list[Deal] = []
    for event, index, facts in steps:
        place = index % len(sheet) if sheet else 0
        if event == "record" or not sheet:
            sheet.append(facts)
            standing.append(a_deal(table, facts))
        elif event == "insert":
            sheet.insert(place, facts)
            standing.insert(place, a_deal(table, facts, number=place + 1))
        elif event == "revise":
            sheet[place] = facts
            revised(standing[place], facts)
        else:
            sheet.pop(place)
            voided(standing.pop(place))
    assert points(table) == from_nothing(sheet, house_rules, deals=3, count_passed=count_passed)
    assert list(verify()) == []
