"""The points that belote's disputes hold go to the winner of the next deal, also after corrections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.actions import deals, evenings, seasons
from league.models import Deal, Evening, Season, Table
from league.operations.work.verification import verify
from league.sheets.queries.consequences import compute_correction_effects
from scoring import registry
from scoring.games.belote.tests.test_house_rules import DISPUTE, LOST, PASSED, WON, any_deal
from scoring.rules.errors import IllegalDeal
from tests.build import NOW, a_club, a_deal, a_season, a_table, an_evening
from tests.examples import examples

HOLDING = {"dispute": "held", "rounding": 10}
ROUNDED = {"rounding": 10}
BROKEN = {"taker": 9}

pytestmark = pytest.mark.django_db


def a_belote_table(house_rules: dict[str, Any] = HOLDING, *sheet: dict[str, Any]) -> Table:
    table = a_table(an_evening(a_season(a_club(), "belote", table_sizes=[4], end_number=12, house_rules=house_rules)))
    for facts in sheet:
        a_deal(table, facts)
    return table


def points(table: Table) -> list[list[int]]:
    """Each deal's points, seat by seat, as they are stored."""
    deals = Deal.objects.filter(table=table).not_voided().order_by("number")
    return [list(deal.scores.order_by("seat__number").values_list("points", flat=True)) for deal in deals]


def from_nothing(sheet: Sequence[dict[str, Any]], house_rules: dict[str, Any]) -> list[list[int]]:
    """Each deal's points when the sheet is scored in one go."""
    rules = registry.rules("belote")
    options, earlier = rules.read_options(house_rules), rules.read_earlier(4, list(sheet))
    return [list(rules.play(4, facts, options, earlier[:index]).points) for index, facts in enumerate(sheet)]


def revised(deal: Deal, facts: dict[str, Any], **options: Any) -> Deal:
    version = Deal.objects.get(pk=deal.pk).version
    return deals.revise(deal.pk, facts, client_key=uuid4(), seen_version=version, now=NOW, **options)


def voided(deal: Deal, **more: Any) -> Deal:
    version = Deal.objects.get(pk=deal.pk).version
    return deals.void(deal.pk, client_key=uuid4(), seen_version=version, now=NOW, **more)


def test_a_dispute_inserted_above_gives_its_points_to_the_deal_below() -> None:
    table = a_belote_table(HOLDING, WON)
    assert points(table) == [[60, 100, 60, 100]]
    a_deal(table, DISPUTE, number=1)
    assert points(table) == [[0, 80, 0, 80], [60, 180, 60, 180]]
    assert [seat.points for seat in table.seats.all()] == [60, 260, 60, 260]


def test_revising_a_dispute_takes_its_points_back() -> None:
    table = a_belote_table(HOLDING, DISPUTE, PASSED, WON, WON)
    assert points(table)[2:] == [[60, 180, 60, 180], [60, 100, 60, 100]]
    revised(table.dealt.get(number=1), LOST)
    assert points(table)[2:] == [[60, 100, 60, 100], [60, 100, 60, 100]]


def test_voiding_a_dispute_takes_its_points_back() -> None:
    table = a_belote_table(HOLDING, DISPUTE, WON)
    voided(table.dealt.get(number=1))
    assert points(table) == [[60, 100, 60, 100]]
    assert list(verify()) == []


def test_voiding_who_won_held_points_hands_them_on() -> None:
    table = a_belote_table(HOLDING, DISPUTE, WON, LOST)
    voided(table.dealt.get(number=2))
    assert points(table) == [[0, 80, 0, 80], [0, 240, 0, 240]]


def test_a_later_deal_keeps_its_version_and_history() -> None:
    """Its facts are unchanged: an open form may still revise it."""
    table = a_belote_table(HOLDING, DISPUTE, WON)
    later = table.dealt.get(number=2)
    revised(table.dealt.get(number=1), LOST)
    assert Deal.objects.get(pk=later.pk).version == later.version
    assert later.events.count() == 1
    deals.revise(later.pk, LOST, client_key=uuid4(), seen_version=later.version, now=NOW)


def test_a_table_that_ends_at_a_target_reopens_when_held_points_go_elsewhere() -> None:
    season = a_season(a_club(), "belote", table_sizes=[4], end="target", end_number=150, house_rules=HOLDING)
    table = a_table(an_evening(season))
    dispute, _won = a_deal(table, DISPUTE), a_deal(table, WON)
    assert Table.objects.get().complete
    revised(dispute, PASSED)
    assert not Table.objects.get().complete


def test_by_the_document_no_later_deal_is_read(django_assert_max_num_queries: Any) -> None:
    holding, rounding = a_belote_table(HOLDING, DISPUTE, WON, WON), a_belote_table(ROUNDED, DISPUTE, WON, WON)
    counts = []
    for table in (rounding, holding):
        with django_assert_max_num_queries(60) as queries:
            revised(table.dealt.get(number=1), LOST)
        counts.append(len(queries))
    assert counts[0] < counts[1]


def test_what_a_correction_moves_is_foreseen_in_later_deals_too() -> None:
    table = a_belote_table(HOLDING, DISPUTE, WON)
    evenings.close(table.round.evening_id, now=NOW)
    first, evening = table.dealt.get(number=1), Evening.objects.get()
    before = points(table)
    expected = compute_correction_effects(evening, [table.pk], lambda: revised(first, PASSED, reason="read wrongly"))
    assert points(table) == before
    changes = {
        move.player.pk: (move.before and move.before.points_or_rating, move.after and move.after.points_or_rating)
        for move in expected.tables
    }
    winners = [seat.player_id for seat in table.seats.filter(number__in=(1, 3))]
    assert changes == dict.fromkeys(winners, (260, 100))
    revised(first, PASSED, reason="read wrongly")
    assert points(table) == [[0, 0, 0, 0], [60, 100, 60, 100]]


def test_a_change_of_house_rules_scores_every_table_in_order() -> None:
    table = a_belote_table(ROUNDED, DISPUTE, PASSED, WON)
    assert points(table) == [[80, 80, 80, 80], [0, 0, 0, 0], [60, 100, 60, 100]]
    season = Season.objects.get()
    seasons.change_rules(season, [], HOLDING, reason="as voted", now=NOW)
    assert points(table) == [[0, 80, 0, 80], [0, 0, 0, 0], [60, 180, 60, 180]]
    assert list(verify()) == []


class TestUnreadableBefore:
    """A deal that was broken by hand: those after it wait, and can still be corrected."""

    @pytest.fixture
    def table(self) -> Table:
        table = a_belote_table(HOLDING, DISPUTE, DISPUTE, WON, WON)
        Deal.objects.filter(number__in=(1, 2)).update(facts=BROKEN)
        return table

    def test_nothing_is_recorded_after_it(self, table: Table) -> None:
        with pytest.raises(IllegalDeal) as refusal:
            a_deal(table, WON)
        assert refusal.value.field == "earlier.0.taker"

    def test_those_after_it_keep_their_points_until_all_can_be_read(self, table: Table) -> None:
        before = points(table)
        voided(table.dealt.get(number=2))
        assert points(table) == [before[0], *before[2:]]
        revised(table.dealt.get(number=1), DISPUTE)
        assert points(table) == from_nothing([DISPUTE, WON, WON], HOLDING)
        assert list(verify()) == []

    def test_verify_names_them(self, table: Table) -> None:
        voided(table.dealt.get(number=2))
        fields = [difference.field for difference in verify()]
        assert fields == ["facts (taker)", "facts (earlier.0.taker)", "facts (earlier.0.taker)"]


step = st.tuples(st.sampled_from(("record", "record", "insert", "revise", "void")), st.integers(0, 7), any_deal)


@settings(max_examples=examples(40), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(step, max_size=10), st.sampled_from((HOLDING, {"dispute": "held", "failed_belote": "holder"}, ROUNDED)))
def test_whatever_was_done_the_scores_are_those_of_the_final_list(
    steps: list[tuple[str, int, dict[str, Any]]], house_rules: dict[str, Any]
) -> None:
    table = a_belote_table(house_rules)
    sheet: list[dict[str, Any]] = []
    standing: list[Deal] = []
    for act, index, facts in steps:
        place = index % len(sheet) if sheet else 0
        if act == "record" or not sheet:
            sheet.append(facts)
            standing.append(a_deal(table, facts))
        elif act == "insert":
            sheet.insert(place, facts)
            standing.insert(place, a_deal(table, facts, number=place + 1))
        elif act == "revise":
            sheet[place] = facts
            revised(standing[place], facts)
        else:
            sheet.pop(place)
            voided(standing.pop(place))
    expected = from_nothing(sheet, house_rules)
    assert points(table) == expected
    totals = [sum(each[seat] for each in expected) for seat in range(4)]
    assert [seat.points for seat in table.seats.all()] == totals


@pytest.mark.django_db(transaction=True)
def test_two_desks_at_one_table_leave_what_the_final_list_gives() -> None:
    table = a_belote_table(HOLDING, DISPUTE, WON, WON)
    first, last = table.dealt.get(number=1), table.dealt.get(number=3)
    acts: list[Callable[[], object]] = [
        lambda: revised(first, PASSED),
        lambda: a_deal(table, DISPUTE, number=2),
        lambda: a_deal(table, LOST),
        lambda: voided(last),
    ]
    start = Barrier(len(acts))

    def perform(act: Callable[[], object]) -> None:
        start.wait()
        try:
            act()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        list(pool.map(perform, acts))
    sheet = list(Deal.objects.filter(table=table).not_voided().order_by("number").values_list("facts", flat=True))
    assert len(sheet) == 4
    assert points(table) == from_nothing(sheet, HOLDING)
    assert list(verify()) == []
