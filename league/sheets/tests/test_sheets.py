"""The sheets of an evening at the desk: incomplete, doubted, and corrected after the closing."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import deals, evenings, seating, totals
from league.evenings.queries.errata import errata
from league.models import Club, Contest, Deal, Evening, Table
from league.models.deal import DealSource
from league.models.rights import Role
from league.sheets.queries.sheet_overview import next_incomplete_table, sheet_overview
from league.sheets.queries.table_sums import PointsAndDeals
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening, sign_in

pytestmark = pytest.mark.django_db

ODD = {**TAKE, "points": 42.5}  # a half at four seats: legal, and nearly always a slip


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def evening(club: Club) -> Evening:
    return an_evening(a_season(club))


def complete(table: Table) -> Table:
    for _deal in range(4):
        a_deal(table)
    return table


def test_sheets_are_missing_started_or_complete(client: Client, club: Club, evening: Evening) -> None:
    complete(a_table(evening))
    a_deal(a_table(evening))
    a_table(evening, round_number=2)
    first, second = sheet_overview(evening)
    assert [item.table_with_seats.missing_text for item in first.sheets] == ["", "3 deals are missing"]
    assert [item.table_with_seats.missing_text for item in second.sheets] == ["nothing recorded yet"]
    assert not any(item.has_warnings for pile in (first, second) for item in pile.sheets)
    sign_in(client, a_member(club, Role.SECRETARY))
    page = client.get(reverse("league:sheets", args=[evening.pk])).content.decode()
    assert [page.count(f">{word}</span>") for word in ("complete", "started", "missing")] == [1, 1, 1]


def test_each_doubt_is_counted_at_its_table(club: Club, evening: Evening) -> None:
    doubted, second_table = a_table(evening), a_table(evening)
    deal = a_deal(doubted, ODD)
    Deal.objects.filter(pk=deal.pk).update(source=DealSource.TABLE, checked=False)
    Contest.objects.create(deal=deal, player=a_member(club, login=False), reason="it was 43", raised_at=NOW)
    doubted.seats.filter(number=0).update(written=999, written_deals=1)
    a_deal(second_table)
    [pile] = sheet_overview(evening)
    assert [
        (item.doubtful_deals, item.unchecked_deals, item.open_contests, item.differing_seats) for item in pile.sheets
    ] == [
        (1, 1, 1, 1),
        (0, 0, 0, 0),
    ]


def test_deals_after_the_end_are_counted(evening: Evening) -> None:
    table = complete(a_table(evening))
    a_table(evening)
    a_deal(table)
    [pile] = sheet_overview(evening)
    assert [(item.surplus_deals, item.has_warnings) for item in pile.sheets] == [(1, True), (0, False)]


def test_a_deal_that_is_dealt_again_is_not_after_the_end(club: Club) -> None:
    """Passed deals do not count in this season, so the third deal is the second that counts."""
    evening = an_evening(a_season(club, "belote", table_sizes=[4], end_number=2, count_passed=False))
    table = a_table(evening)
    taken = {"taker": 0, "points": 75, "last_trick": "attack"}
    for facts in ({"taker": None}, taken, taken):
        a_deal(table, facts)
    [pile] = sheet_overview(evening)
    assert [(sheet.table_with_seats.table.complete, sheet.surplus_deals) for sheet in pile.sheets] == [(True, 0)]
    a_deal(table, taken)
    [pile] = sheet_overview(evening)
    assert [sheet.surplus_deals for sheet in pile.sheets] == [1]


def test_the_next_sheet_is_the_one_after_this_then_from_the_start(evening: Evening) -> None:
    first, second, later = a_table(evening), complete(a_table(evening)), a_table(evening, round_number=2)
    assert next_incomplete_table(evening, second) == later
    complete(later)
    assert next_incomplete_table(evening, later) == first
    complete(first)
    assert next_incomplete_table(evening, first) is None


@pytest.mark.django_db(transaction=True)  # history tells times of transactions
def test_errata_tell_what_was_changed_once_results_were_public(client: Client, evening: Evening) -> None:
    table = complete(a_table(evening))
    first, second, third, _fourth = table.dealt.all()
    deals.revise(first.pk, TAKE, client_key=uuid4(), seen_version=1, now=NOW)
    evenings.close(evening.pk, now=NOW)
    assert errata(evening) == []
    deals.revise(second.pk, ODD, client_key=uuid4(), seen_version=1, now=NOW, reason="read wrongly")
    deals.void(third.pk, client_key=uuid4(), seen_version=1, now=NOW, reason="never played")
    totals.record(
        table.pk,
        {seat: PointsAndDeals(0, 4) for seat in range(4)},
        client_key=uuid4(),
        seen_version=0,
        now=NOW,
        reason="found on paper",
    )
    Deal.objects.filter(pk=first.pk).update(
        source=DealSource.TABLE, checked=False
    )  # history sees it, and it is no erratum
    assert [erratum.reason for erratum in errata(evening)] == ["found on paper", "never played", "read wrongly"]
    club = evening.season.club
    club.public = True
    club.save()
    page = client.get(reverse("league:errata", args=[evening.pk])).content.decode()
    assert "Deal 2 was revised." in page
    assert "read wrongly" in page
    assert second.get_absolute_url() in page


@pytest.mark.django_db(transaction=True)
def test_errata_and_history_say_from_what_to_what(client: Client, evening: Evening) -> None:
    """A take won by 2 gives 27 from each; a guard against counts six times."""
    names = ("Ann", "Bob", "Cid", "Dee")
    table = a_table(evening, [a_player(name, "") for name in names])
    late, other = a_member(evening.season.club, login=False), a_table(evening)
    totals.record(
        other.pk, {seat: PointsAndDeals(0, 1) for seat in range(4)}, client_key=uuid4(), seen_version=0, now=NOW
    )
    deal, gone = a_deal(table), a_deal(table)
    evenings.close(evening.pk, now=NOW)
    against = {**TAKE, "contract": "guard_against"}
    deals.revise(deal.pk, against, client_key=uuid4(), seen_version=1, now=NOW, reason="misread")
    deals.void(gone.pk, client_key=uuid4(), seen_version=1, now=NOW, reason="never played")
    seated = [late.pk, *table.seats.order_by("number").values_list("player", flat=True)[1:]]
    seating.change_seats(table.pk, seated, now=NOW, reason="somebody else")
    totals_by_seat = {
        0: PointsAndDeals(90, 1),
        1: PointsAndDeals(-90, 1),
        2: PointsAndDeals(0, 1),
        3: PointsAndDeals(0, 1),
    }
    totals.record(other.pk, totals_by_seat, client_key=uuid4(), seen_version=1, now=NOW, reason="a slip")

    slip, swap, void, revised = errata(evening)
    assert revised.change is not None
    assert (revised.change.before, revised.change.after) == (
        f"Take, {late}: 43 with 2 oudlers",
        f"Guard against, {late}: 43 with 2 oudlers",
    )
    assert [(str(seat.player), seat.before, seat.after) for seat in revised.change.seats] == [
        (str(late), 81, 486), ("Bob", -27, -162), ("Cid", -27, -162), ("Dee", -27, -162),
    ]  # fmt: skip
    assert void.change is not None
    assert (void.change.before, void.change.after) == (f"Take, {late}: 43 with 2 oudlers", "")
    assert void.change.seats[0] == (late, 81, None)
    assert swap.details == [f"Ann → {late}"]
    first, second = (seat.player for seat in other.seats.select_related("player").order_by("number")[:2])
    assert slip.details == [f"{first}: 0 → 90", f"{second}: 0 → −90"]

    club = evening.season.club
    club.public = True
    club.save()
    for address in (reverse("league:errata", args=[evening.pk]), deal.get_absolute_url()):
        page = " ".join(re.sub("<[^>]*>", "", client.get(address).content.decode()).split())
        assert f"Take, {late}: 43 with 2 oudlers → Guard against, {late}: 43 with 2 oudlers" in page
        assert f"{late} +81 → +486" in page
