"""A repeated write with its client key, and a different write with the same key."""

from __future__ import annotations

from uuid import uuid4

import pytest

from league.actions import deals, rounds, seating
from league.actions import totals as totals_actions
from league.actions.deals import ClientKeyReused
from league.actions.refusals import StaleVersion
from league.models import Deal, Table
from league.sheets.queries.table_sums import PointsAndDeals
from tests.build import NOW, TAKE, a_club, a_deal, a_player, a_season, a_table, an_evening

pytestmark = pytest.mark.django_db

LOST = {**TAKE, "oudlers": 1}


@pytest.fixture
def table() -> Table:
    return a_table(an_evening(a_season(a_club())))


def test_the_same_key_records_once(table: Table) -> None:
    key = uuid4()
    first = deals.record(table.pk, TAKE, client_key=key, now=NOW)
    deals.revise(first.pk, LOST, client_key=uuid4(), seen_version=1, now=NOW)
    repeated = deals.record(table.pk, TAKE, client_key=key, now=NOW)

    assert repeated == first
    assert repeated.facts == LOST
    assert Deal.objects.filter(table=table).count() == 1


def test_another_deal_by_the_same_key_is_told_apart(table: Table) -> None:
    """The user goes back to the sent form and fills it in for the next deal."""
    key = uuid4()
    first = deals.record(table.pk, TAKE, client_key=key, now=NOW)
    with pytest.raises(ClientKeyReused, match="is deal 1; this is not the same"):
        deals.record(table.pk, LOST, client_key=key, now=NOW)
    deals.void(first.pk, client_key=uuid4(), seen_version=1, now=NOW)
    with pytest.raises(ClientKeyReused, match="voided since"):
        deals.record(table.pk, LOST, client_key=key, now=NOW)


def test_the_same_facts_with_another_at_rest_are_another_deal() -> None:
    table = a_table(an_evening(a_season(a_club(), table_sizes=[5])), [a_player() for _ in range(5)], one_rests=True)
    key = uuid4()
    for _time in range(2):
        deals.record(table.pk, TAKE, client_key=key, now=NOW, rests=[0])
    with pytest.raises(ClientKeyReused):
        deals.record(table.pk, TAKE, client_key=key, now=NOW, rests=[1])
    assert Deal.objects.get().rests == [0]


def test_a_revision_sent_twice_is_one(table: Table) -> None:
    deal, key = a_deal(table), uuid4()
    for _time in range(2):
        deals.revise(deal.pk, LOST, client_key=key, seen_version=1, now=NOW)

    assert Deal.objects.get().version == 2


def test_another_revision_by_the_same_key_has_not_seen_the_first(table: Table) -> None:
    deal, key = a_deal(table), uuid4()
    deals.revise(deal.pk, LOST, client_key=key, seen_version=1, now=NOW)
    with pytest.raises(StaleVersion):
        deals.revise(deal.pk, {**LOST, "points": 40}, client_key=key, seen_version=1, now=NOW)
    assert Deal.objects.get().facts == LOST


def test_other_totals_by_the_same_key_have_not_seen_the_first(table: Table) -> None:
    key, first = uuid4(), {seat: PointsAndDeals(points, 4) for seat, points in enumerate((30, -10, -10, -10))}
    for _time in range(2):
        totals_actions.record(table.pk, first, client_key=key, seen_version=0, now=NOW)
    with pytest.raises(StaleVersion):
        totals_actions.record(
            table.pk,
            {**first, 0: PointsAndDeals(20, 4), 1: PointsAndDeals(0, 4)},
            client_key=key,
            seen_version=0,
            now=NOW,
        )
    assert [seat.points for seat in table.seats.all()] == [30, -10, -10, -10]


@pytest.mark.parametrize("action", ["change_seats", "swap_players", "swap_players_of_tables"])
def test_totals_typed_before_a_change_of_players_are_refused(action: str) -> None:
    """The page named the former player of each total: without a refusal another player would get the points."""
    evening = an_evening(a_season(a_club()))
    table = a_table(evening)
    other = a_table(evening)
    first, second, *others = table.seats.values_list("player", flat=True)
    match action:
        case "change_seats":
            seating.change_seats(table.pk, [second, first, *others], now=NOW)
        case "swap_players":
            rounds.swap_players(table.round_id, first, second, now=NOW)
        case _:
            rounds.swap_players_of_tables(table.pk, other.pk, now=NOW)
    totals = {seat: PointsAndDeals(points, 4) for seat, points in enumerate((30, -10, -10, -10))}
    with pytest.raises(StaleVersion):
        totals_actions.record(table.pk, totals, client_key=uuid4(), seen_version=0, now=NOW)
    assert set(table.seats.values_list("written", flat=True)) == {None}


def test_totals_beside_deals_leave_the_deals_what_counts(table: Table) -> None:
    """One user sends the totals while another begins to record the deals."""
    a_deal(table)
    totals = {seat: PointsAndDeals(points, 4) for seat, points in enumerate((30, -10, -10, -10))}
    totals_actions.record(table.pk, totals, client_key=uuid4(), seen_version=0, now=NOW)
    assert (Table.objects.get(pk=table.pk).recorded, Table.objects.get(pk=table.pk).deals) == (1, 1)
    assert [seat.points for seat in table.seats.all()] == [81, -27, -27, -27]
    a_deal(table)
    assert Table.objects.get(pk=table.pk).recorded == 2
