"""The actions that write points: deal, scores, seats and table always agree."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from league.actions import deals as deals_actions
from league.actions import evenings, tables, totals
from league.actions.refusals import StaleVersion, WrongState
from league.models import Deal, PendingRecompute, Score, Table
from league.models.evening import EveningState
from league.models.season import TableEnd
from league.sheets.queries.table_sums import PointsAndDeals
from scoring.rules.errors import IllegalDeal
from tests.build import NOW, TAKE, a_club, a_deal, a_season, a_table, an_evening

LOST = {**TAKE, "oudlers": 1}  # 001's second example: -99, 33, 33, 33


def seat_points(table: Table) -> list[int]:
    return [seat.points for seat in Table.objects.get(pk=table.pk).seats.all()]


@pytest.fixture
def table(db: None) -> Table:
    return a_table(an_evening(a_season(a_club())))


def test_recording_gives_each_seat_its_points(table: Table) -> None:
    deal = a_deal(table)

    assert [(score.role, score.points) for score in deal.scores.all()] == [
        ("taker", 81),
        ("defender", -27),
        ("defender", -27),
        ("defender", -27),
    ]
    a_deal(table, LOST)
    assert seat_points(table) == [-18, 6, 6, 6]


def test_an_illegal_deal_leaves_nothing(table: Table) -> None:
    with pytest.raises(IllegalDeal) as refused:
        a_deal(table, {**TAKE, "points": 92})

    assert refused.value.field == "points"
    assert not Deal.objects.exists()
    assert not Score.objects.exists()


def test_a_forgotten_deal_goes_between_two(table: Table) -> None:
    first, last = a_deal(table), a_deal(table)
    forgotten = a_deal(table, LOST, number=2)

    numbers = dict(Deal.objects.values_list("pk", "number"))
    assert numbers == {first.pk: 1, forgotten.pk: 2, last.pk: 3}


def test_revising_replaces_the_points(table: Table) -> None:
    deal = a_deal(table)
    deals_actions.revise(deal.pk, LOST, client_key=uuid4(), seen_version=1, now=NOW)

    assert seat_points(table) == [-99, 33, 33, 33]
    assert Deal.objects.get().version == 2


def test_a_revision_of_what_someone_else_changed_is_refused(table: Table) -> None:
    deal = a_deal(table)
    deals_actions.revise(deal.pk, LOST, client_key=uuid4(), seen_version=1, now=NOW)

    with pytest.raises(StaleVersion):
        deals_actions.revise(deal.pk, TAKE, client_key=uuid4(), seen_version=1, now=NOW)
    assert seat_points(table) == [-99, 33, 33, 33]


def test_voiding_takes_the_points_and_the_number(table: Table) -> None:
    first, second = a_deal(table), a_deal(table, LOST)
    deals_actions.void(first.pk, client_key=uuid4(), seen_version=1, now=NOW)

    assert seat_points(table) == [-99, 33, 33, 33]
    assert Deal.objects.get(pk=second.pk).number == 1
    voided = Deal.objects.get(pk=first.pk)
    assert (voided.number, voided.facts, voided.scores.count()) == (None, TAKE, 0)
    with pytest.raises(StaleVersion):
        deals_actions.revise(first.pk, TAKE, client_key=uuid4(), seen_version=2, now=NOW)


def test_who_deals_rests_in_turn(db: None) -> None:
    table = a_table(an_evening(a_season(a_club())), size=5, one_rests=True)
    for _deal in range(5):
        a_deal(table)

    # The taker is the first active player: seat 1 in the first deal, seat 0 in the others.
    assert seat_points(table) == [4 * 81, 81 - 3 * 27, -27 * 4, -27 * 4, -27 * 4]
    assert [seat.deals for seat in Table.objects.get().seats.all()] == [4] * 5
    assert Table.objects.get().complete


def test_nobody_or_somebody_else_can_not_rest(db: None) -> None:
    table = a_table(an_evening(a_season(a_club())), size=5, one_rests=True)
    for rests in ([], [5], [0, 1]):
        with pytest.raises(IllegalDeal, match="rests"):
            a_deal(table, rests=rests)


def test_a_table_is_complete_after_its_deals_and_not_before(table: Table) -> None:
    deals = [a_deal(table) for _deal in range(4)]
    assert Table.objects.get().complete

    deals_actions.void(deals[0].pk, client_key=uuid4(), seen_version=1, now=NOW)
    assert not Table.objects.get().complete


def test_a_revision_that_undoes_the_end_reopens_the_table(db: None) -> None:
    season = a_season(a_club(), "two-way-street", table_sizes=[2], end=TableEnd.TARGET, end_number=12)
    table = a_table(an_evening(season), size=2)
    deal = a_deal(table, {"direction": "high", "dealer": 0, "tricks": [9, 1]})
    assert Table.objects.get().complete

    facts = {"direction": "high", "dealer": 0, "tricks": [7, 3]}
    deals_actions.revise(deal.pk, facts, client_key=uuid4(), seen_version=1, now=NOW)
    assert not Table.objects.get().complete


def test_an_empty_table_can_not_be_said_to_be_complete(table: Table) -> None:
    with pytest.raises(WrongState, match="Nothing is recorded"):
        tables.finish(table.pk, finished=True, now=NOW)

    deal = a_deal(table)
    tables.finish(table.pk, finished=True, now=NOW)
    assert Table.objects.get().complete
    deals_actions.void(deal.pk, client_key=uuid4(), seen_version=1, now=NOW)
    assert not Table.objects.get().complete


def test_totals_stand_until_the_first_deal(table: Table) -> None:
    totals_by_seat = {
        0: PointsAndDeals(120, 4),
        1: PointsAndDeals(-40, 4),
        2: PointsAndDeals(-40, 4),
        3: PointsAndDeals(-40, 4),
    }
    totals.record(table.pk, totals_by_seat, client_key=uuid4(), seen_version=0, now=NOW)
    stored = Table.objects.get()
    assert (seat_points(table), stored.deals, stored.recorded, stored.complete) == ([120, -40, -40, -40], 4, 0, True)

    deal = a_deal(table)
    assert (seat_points(table), Table.objects.get().complete) == ([81, -27, -27, -27], False)
    deals_actions.void(deal.pk, client_key=uuid4(), seen_version=1, now=NOW)
    assert (seat_points(table), Table.objects.get().complete) == ([120, -40, -40, -40], True)


def test_totals_of_someone_elses_seats_are_refused(table: Table) -> None:
    with pytest.raises(ValueError, match="every seat"):
        totals.record(table.pk, {0: PointsAndDeals(0, 4)}, client_key=uuid4(), seen_version=0, now=NOW)


def test_a_closed_evening_wants_a_reason_and_is_due(table: Table) -> None:
    evenings.close(table.round.evening_id, now=NOW)
    PendingRecompute.objects.all().delete()
    with pytest.raises(WrongState):
        a_deal(table)

    a_deal(table, reason="a late sheet")
    assert {(due.game, due.season_id is None) for due in PendingRecompute.objects.all()} == {
        ("tarot", True),
        ("", False),
    }
    assert all(due.not_before > NOW for due in PendingRecompute.objects.all())


def test_nothing_is_recorded_on_a_planned_evening(db: None) -> None:
    table = a_table(an_evening(a_season(a_club()), EveningState.PLANNED))
    with pytest.raises(WrongState):
        a_deal(table, reason="really")


def test_history_keeps_what_was_and_why(table: Table) -> None:
    deal = a_deal(table)
    deals_actions.revise(deal.pk, LOST, client_key=uuid4(), seen_version=1, now=NOW, reason="misread")

    events = deal.events.order_by("pgh_id").select_related("pgh_context")
    assert [(event.pgh_label, event.facts) for event in events] == [("insert", TAKE), ("update", LOST)]
    assert events[1].pgh_context.metadata["reason"] == "misread"


def test_changed_rules_score_every_deal_again(table: Table) -> None:
    half_short = {**TAKE, "points": 40.5}
    a_deal(table, half_short)
    assert seat_points(table) == [-78, 26, 26, 26]  # lost by 1: -(25 + 1) × 3

    season = table.round.evening.season
    season.house_rules = {"half_point_short": "void"}
    season.save()
    deals_actions.rescore_season(season, now=NOW)
    assert seat_points(table) == [0, 0, 0, 0]


@pytest.mark.django_db(transaction=True)
def test_two_at_once_take_turns() -> None:
    table = a_table(an_evening(a_season(a_club())))
    together(8, lambda _: a_deal(table))

    assert list(Deal.objects.order_by("number").values_list("number", flat=True)) == list(range(1, 9))
    assert seat_points(table) == [8 * 81, -8 * 27, -8 * 27, -8 * 27]


@pytest.mark.django_db(transaction=True)
def test_the_same_form_sent_at_once_records_once() -> None:
    table, key = a_table(an_evening(a_season(a_club()))), uuid4()
    together(6, lambda _: deals_actions.record(table.pk, TAKE, client_key=key, now=NOW))

    assert seat_points(table) == [81, -27, -27, -27]


@pytest.mark.django_db(transaction=True)
def test_of_two_revisions_at_once_one_is_told() -> None:
    table = a_table(an_evening(a_season(a_club())))
    deal = a_deal(table)

    def revise(turn: int) -> str:
        facts = {**TAKE, "points": 44 + turn}
        try:
            deals_actions.revise(deal.pk, facts, client_key=uuid4(), seen_version=1, now=NOW)
        except StaleVersion:
            return "told"
        return "done"

    assert sorted(together(4, revise)) == ["done", "told", "told", "told"]


def together(count: int, act: Callable[[int], Any]) -> list[Any]:
    """Let `count` threads do it at the same moment, each with its own connection."""
    start = Barrier(count)

    def record_turn(turn: int) -> Any:
        start.wait()
        try:
            return act(turn)
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(record_turn, range(count)))
