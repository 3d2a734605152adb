"""The desk's view of an evening: what its sheets lack, what is doubted, what was corrected after it was closed."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import deals, evenings, totals
from league.closing.errata import errata
from league.entry.sheet_overview import next_missing, overview
from league.models import Club, Contest, Deal, Evening, Table
from league.models.deal import Source
from league.models.rights import Role
from league.results.table_sums import Sums
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_season, a_table, an_evening, sign_in

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
    first, second = overview(evening)
    assert [item.sheet.missing for item in first.items] == ["", "3 deals are missing"]
    assert [item.sheet.missing for item in second.items] == ["nothing recorded yet"]
    assert not any(item.doubted for pile in (first, second) for item in pile.items)
    sign_in(client, a_member(club, Role.SECRETARY))
    page = client.get(reverse("league:sheets", args=[evening.pk])).content.decode()
    assert [page.count(f">{word}</span>") for word in ("complete", "started", "missing")] == [1, 1, 1]


def test_each_doubt_is_counted_at_its_table(club: Club, evening: Evening) -> None:
    doubted, other = a_table(evening), a_table(evening)
    deal = a_deal(doubted, ODD)
    Deal.objects.filter(pk=deal.pk).update(source=Source.TABLE, checked=False)
    Contest.objects.create(deal=deal, player=a_member(club, login=False), reason="it was 43", raised_at=NOW)
    doubted.seats.filter(number=0).update(written=999, written_deals=1)
    a_deal(other)
    [pile] = overview(evening)
    assert [(item.warnings, item.unchecked, item.contested, item.differs) for item in pile.items] == [
        (1, 1, 1, 1),
        (0, 0, 0, 0),
    ]


def test_deals_after_the_end_are_counted(evening: Evening) -> None:
    table = complete(a_table(evening))
    a_table(evening)
    a_deal(table)
    [pile] = overview(evening)
    assert [(item.beyond, item.doubted) for item in pile.items] == [(1, True), (0, False)]


def test_the_next_sheet_is_the_one_after_this_then_from_the_start(evening: Evening) -> None:
    first, second, later = a_table(evening), complete(a_table(evening)), a_table(evening, round_number=2)
    assert next_missing(evening, second) == later
    complete(later)
    assert next_missing(evening, later) == first
    complete(first)
    assert next_missing(evening, first) is None


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
        {seat: Sums(0, 4) for seat in range(4)},
        client_key=uuid4(),
        seen_version=0,
        now=NOW,
        reason="found on paper",
    )
    Deal.objects.filter(pk=first.pk).update(source=Source.TABLE, checked=False)  # history sees it, and it is no erratum
    assert [each.reason for each in errata(evening)] == ["found on paper", "never played", "read wrongly"]
    club = evening.season.club
    club.public = True
    club.save()
    page = client.get(reverse("league:errata", args=[evening.pk])).content.decode()
    assert "Deal 2 was revised." in page
    assert "read wrongly" in page
