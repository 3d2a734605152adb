"""Closing an evening: open points are listed with links, and must be accepted."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from league.actions import contests as contests_actions
from league.actions import evenings, paper_totals
from league.actions import totals as totals_actions
from league.celery import app
from league.evenings.queries.closing_checklist import MAX_UNPAID_FEES_LISTED, ChecklistItem, checklist
from league.models import Evening, Round, Table
from league.models.deal import DealSource
from league.models.evening import AttendanceRole, EveningState
from league.models.rights import Role
from league.models.round import RoundState
from league.sheets.queries.table_sums import PointsAndDeals
from tests.build import NOW, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening, sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening() -> Evening:
    """Return an open evening of a season whose tables end after one deal, with one table complete."""
    evening = an_evening(a_season(a_club(), end_number=1))
    a_deal(a_table(evening))
    return evening


@pytest.fixture
def secretary(client: Client, evening: Evening) -> Client:
    return sign_in(client, a_member(evening.season.club, Role.SECRETARY))


def address(evening: Evening) -> str:
    return reverse("league:evening-close", args=[evening.pk])


def still_open(evening: Evening) -> list[ChecklistItem]:
    return [check for check in checklist(Evening.objects.with_season().get(pk=evening.pk)) if not check.is_done]


def state(evening: Evening) -> str:
    return str(Evening.objects.get(pk=evening.pk).state)


def handed_in(table: Table, totals: list[int]) -> None:
    totals_by_seat = {seat: PointsAndDeals(points, 1) for seat, points in enumerate(totals)}
    totals_actions.record(table.pk, totals_by_seat, client_key=uuid4(), seen_version=table.version, now=NOW)


def test_table_that_ended_with_points_held_is_open_and_leads_to_one_more_deal(client: Client) -> None:
    dispute = {"taker": 1, "points": 61, "last_trick": "attack", "belote": "attack"}
    season = a_season(a_club(), "belote", table_sizes=[4], house_rules={"dispute": "held"}, end_number=1)
    evening = an_evening(season)
    table = a_table(evening)
    a_deal(table, dispute)
    a_deal(a_table(evening), {"taker": 1, "points": 90, "last_trick": "attack"})
    (check,) = still_open(evening)
    assert check.text.startswith("1 complete table ended with points held")
    assert [(task.words, task.address) for task in check.tasks] == [
        (
            "Round 1, Table 1: 91 held, and nobody gets them. Was another deal played? Then record it.",
            reverse("league:deal-record", args=[table.pk]),
        )
    ]
    desk = sign_in(client, a_member(season.club, Role.SECRETARY))
    assert desk.get(check.tasks[0].address).status_code == 200
    a_deal(Table.objects.get(pk=table.pk), {"taker": 1, "points": 90, "last_trick": "attack"})
    assert still_open(evening) == []
    plain = an_evening(a_season(a_club(), "belote", table_sizes=[4], end_number=1))
    a_deal(a_table(plain), dispute)
    assert not any("held" in check.text for check in checklist(Evening.objects.with_season().get(pk=plain.pk)))


def test_with_all_done_it_is_closed_at_once_and_a_run_is_asked_for(
    secretary: Client, evening: Evening, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    page = secretary.get(address(evening)).content.decode()
    assert "only sheet is in" in page
    assert "although" not in page
    with app.connection_for_read() as connection, connection.SimpleQueue("celery") as queue:
        queue.clear()
        with django_capture_on_commit_callbacks(execute=True):
            answer = secretary.post(address(evening), follow=True)
        assert queue.get(timeout=5).headers["task"] == "league.operations.tasks.jobs.tick"
        queue.clear()
    assert "The evening is closed." in answer.content.decode()
    assert state(evening) == EveningState.CLOSED


def test_what_is_open_must_be_accepted(secretary: Client, evening: Evening) -> None:
    missing = a_table(evening)
    page = secretary.get(address(evening)).content.decode()
    assert "1 table is incomplete and will not count" in page
    assert missing.get_absolute_url() in page
    refused = secretary.post(address(evening))
    assert refused.status_code == 422
    assert refused.context["form"].errors.keys() == {"accepted"}
    assert state(evening) == EveningState.OPEN
    secretary.post(address(evening), {"accepted": "on"})
    assert state(evening) == EveningState.CLOSED


def test_closing_twice_says_so_and_asks_for_no_second_run(
    secretary: Client, evening: Evening, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    evenings.close(evening.pk, now=datetime.now(UTC))
    with django_capture_on_commit_callbacks() as callbacks:
        answer = secretary.post(address(evening), follow=True)
    assert "The evening is closed: this can&#x27;t be done now." in answer.content.decode()
    assert callbacks == []
    assert secretary.get(address(evening)).status_code == 302


def test_an_evening_without_a_table_is_better_cancelled(evening: Evening) -> None:
    empty = an_evening(evening.season)
    [check] = still_open(empty)
    assert "cancel it instead" in check.text
    assert check.tasks[0].address == reverse("league:evening-cancel", args=[empty.pk])


def test_totals_that_the_game_rules_out_are_named(evening: Evening) -> None:
    table = a_table(evening)
    handed_in(table, [90, -30, -30, -29])  # 1 too many: a table's points add up to 0
    [check] = still_open(evening)
    assert check.text == "Some sums are not right."
    assert check.tasks[0].address == table.get_absolute_url()


def test_paper_that_says_something_else_than_the_deals_is_named(evening: Evening) -> None:
    table = a_table(evening, [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")])
    handed_in(table, [54, -18, -18, -18])
    a_deal(table)
    [check] = still_open(evening)
    assert "Ann has 54 on paper, and 81 by the deals." in check.tasks[0].words
    assert len(check.tasks) == 4


def test_accepted_difference_is_named_though_nothing_is_open(evening: Evening) -> None:
    table = a_table(evening)
    handed_in(table, [54, -18, -18, -18])
    a_deal(table)
    differences = [(seat.sheet_total, seat.points) for seat in table.seats.all()]
    paper_totals.accept(table.pk, differences, reason="Added up wrongly")
    assert still_open(evening) == []
    texts = [check.text for check in checklist(Evening.objects.with_season().get(pk=evening.pk))]
    assert "The sums are right but for a difference from the paper that was accepted: Round 1, Table 2." in texts
    assert "The sums are right." not in texts


def test_deals_from_the_table_and_contested_ones_are_named(evening: Evening) -> None:
    deal = evening.rounds.get().tables.get().dealt.get()
    type(deal).objects.filter(pk=deal.pk).update(source=DealSource.TABLE, checked=False)
    member = a_member(evening.season.club)
    contest = contests_actions.record_contest(deal.pk, player_id=member.pk, reason="It was 34", now=NOW)
    unchecked, contested = still_open(evening)
    assert unchecked.text == "1 deal was entered at a table and is not checked yet."
    assert unchecked.tasks[0].address == deal.get_absolute_url()
    assert contested.tasks[0].address == reverse("league:contest-answer", args=[contest.pk])


def test_guests_without_a_name_and_fees_are_named_with_their_sum(evening: Evening) -> None:
    first, second, third, _fourth = evening.attendances.all()
    for row, (fee, paid) in {first: (500, 500), second: (500, 0), third: (800, 300)}.items():
        evening.attendances.filter(pk=row.pk).update(fee=fee, paid=paid)
    guest = a_player("Gil", "")
    evening.attendances.create(player=guest, standing=AttendanceRole.GUEST)
    guests, fees = still_open(evening)
    assert guests.tasks[0].words == "Gil"
    assert fees.text == "2 players have still to pay, €10.00 in all."


def test_many_who_owe_are_left_to_the_check_in(evening: Evening) -> None:
    for _table in range(2):
        a_deal(a_table(evening))
    evening.attendances.update(fee=300)
    [fees] = still_open(evening)
    assert fees.text == "12 players have still to pay, €36.00 in all."
    assert (len(fees.tasks), fees.tasks[-1].words) == (MAX_UNPAID_FEES_LISTED + 1, "and 6 more, at check-in")


def test_planned_rounds_are_named_and_go(evening: Evening) -> None:
    Round.objects.create(evening=evening, number=2, state=RoundState.PLANNED)
    [check] = still_open(evening)
    assert check.text == "1 planned round was not played: closing takes it away."
    assert [task.words for task in check.tasks] == ["Round 2"]


def test_the_list_costs_the_same_for_a_large_evening(
    evening: Evening, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    evening = Evening.objects.with_season().get(pk=evening.pk)
    for _ in range(2):
        a_table(evening)
        # rounds, tables, seats, rests, attendances, unchecked deals, contests, planned rounds
        with django_assert_num_queries(8):
            checklist(evening)


def test_a_member_does_not_close(client: Client, evening: Evening) -> None:
    sign_in(client, a_member(evening.season.club))
    assert client.post(address(evening), {"accepted": "on"}).status_code == 403
    assert state(evening) == EveningState.OPEN
