"""A deal that the rules no longer take, after a repair by hand or a change of rules: in sight, and corrected."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import deals
from league.models import Contest, Deal, Season, Table
from league.models.rights import Role
from league.operations.work.verification import verify
from league.sheets.queries.sheet_overview import sheet_overview
from scoring import registry
from scoring.games.belote.tests.test_house_rules import DISPUTE
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_season, a_table, an_evening, sign_in

ODD = {**TAKE, "points": 42.5}  # a half at four seats: legal, and nearly always a slip
NONSENSE: list[Any] = [{"contract": "dare", "taker": 0}, {**TAKE, "points": 92}, {**TAKE, "taker": "x"}, {}, [], "x", 7]


@pytest.fixture
def table(db: None) -> Table:
    table = a_table(an_evening(a_season(a_club(table_entry=True))))
    for _deal in range(2):
        a_deal(table)
    return table


@pytest.fixture
def desk(client: Client, table: Table) -> Client:
    return sign_in(client, a_member(table.round.evening.season.club, Role.SECRETARY))


def broken(table: Table, facts: Any) -> Deal:
    deal: Deal = table.dealt.get(number=1)
    Deal.objects.filter(pk=deal.pk).update(facts=facts)
    return deal


@pytest.mark.parametrize("facts", NONSENSE, ids=str)
def test_every_page_of_it_stands(desk: Client, table: Table, facts: Any) -> None:
    deal = broken(table, facts)
    contest = Contest.objects.create(
        deal=deal, player=a_member(table.round.evening.season.club), reason="x", raised_at=NOW
    )
    addresses = [reverse(f"league:{name}", args=[table.pk]) for name in ("table", "grid")]
    addresses += [reverse(f"league:{name}", args=[deal.pk]) for name in ("deal", "deal-revise", "deal-void")]
    addresses += [reverse("league:deal-consequences", args=[deal.pk]), addresses[1] + f"?deal={deal.pk}"]
    addresses += [reverse("league:sheets", args=[table.round.evening_id]), addresses[1] + "?written_0=5"]
    addresses += [reverse("league:contest-answer", args=[contest.pk])]
    for address in addresses:
        assert desk.get(address).status_code == 200, address
    assert "can’t be read any more" in desk.get(addresses[0]).content.decode()
    page = desk.get(deal.get_absolute_url()).content.decode()
    assert "The rules that stand now refuse what was recorded here" in page
    assert reverse("league:deal-revise", args=[deal.pk]) in page


def test_it_is_corrected_by_entering_it_again(desk: Client, table: Table) -> None:
    deal = broken(table, {"contract": "dare"})
    typed = {"contract": "take", "taker": "0", "points": "43", "oudlers": "1", "client_key": str(uuid4())}
    answer = desk.post(reverse("league:deal-revise", args=[deal.pk]), {**typed, "seen_version": "1"})
    assert answer.status_code == 302
    assert [seat.points for seat in table.seats.all()] == [81 - 99, -27 + 33, -27 + 33, -27 + 33]


def test_the_list_of_sheets_counts_it(desk: Client, table: Table) -> None:
    address = reverse("league:sheets", args=[table.round.evening_id])
    assert "unreadable" not in desk.get(address).content.decode()
    voided = a_deal(table)
    deals.void(voided.pk, client_key=uuid4(), seen_version=1, now=NOW)
    Deal.objects.filter(pk=voided.pk).update(facts={})
    broken(table, {"contract": "dare"})
    assert "1 unreadable deal<" in desk.get(address).content.decode()


def test_the_list_of_sheets_scores_nothing(desk: Client, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    a_deal(table, ODD)

    def refuse(_slug: str) -> Any:
        raise AssertionError

    with monkeypatch.context() as no_rules:
        no_rules.setattr(registry, "rules", refuse)
        [pile] = sheet_overview(table.round.evening)
    assert [item.doubtful_deals for item in pile.sheets] == [1]


def test_what_is_stored_of_a_doubt_is_verified(table: Table) -> None:
    deal = a_deal(table, ODD)
    assert deal.doubted
    assert list(verify()) == []
    Deal.objects.filter(pk=deal.pk).update(doubted=False)
    assert [(difference.field, difference.stored, difference.derived) for difference in verify()] == [
        ("doubted", False, True)
    ]


def test_a_deal_that_depends_on_it_says_so(client: Client, db: None) -> None:
    season = a_season(a_club(), "belote", table_sizes=[4], house_rules={"dispute": "held"})
    table = a_table(an_evening(season))
    for _deal in range(2):
        a_deal(table, {"taker": 0, "points": 90, "last_trick": "attack"})
    desk = sign_in(client, a_member(season.club, Role.SECRETARY))
    first, second = table.dealt.order_by("number")
    Deal.objects.filter(pk=first.pk).update(facts={"taker": 9})
    page = desk.get(second.get_absolute_url()).content.decode()
    assert "until that one is corrected or voided" in page
    assert first.get_absolute_url() in page
    typed = {"taker": "0", "points": "90", "last_trick": "attack", "client_key": str(uuid4())}
    refused = desk.post(reverse("league:deal-record", args=[table.pk]), typed)
    assert refused.status_code == 422
    assert "Deal 1, before this one, can’t be read any more." in refused.content.decode()
    desk.post(reverse("league:deal-revise", args=[first.pk]), {**typed, "seen_version": "1"})
    assert "until that one" not in desk.get(second.get_absolute_url()).content.decode()
    assert list(verify()) == []


@pytest.mark.parametrize("is_rule_unknown", [False, True], ids=["unknown deal", "unknown house rule"])
def test_pages_that_show_held_points_stand(client: Client, db: None, is_rule_unknown: bool) -> None:
    """The sheet adds up the points that a dispute in belote holds, and the closing page lists those that are lost."""
    house_rules = {"dispute": "held", "rounding": 10}
    season = a_season(a_club(), "belote", table_sizes=[4], end_number=2, house_rules=house_rules)
    table = a_table(an_evening(season))
    a_deal(table, DISPUTE)
    a_deal(table, DISPUTE)
    desk = sign_in(client, a_member(season.club, Role.SECRETARY))
    addresses = [table.get_absolute_url(), reverse("league:evening-close", args=[table.round.evening_id])]
    assert all("held" in desk.get(address).content.decode() for address in addresses)
    if is_rule_unknown:
        Season.objects.update(house_rules={"dispute": "unknown"})
    else:
        broken(table, {"taker": 9})
    for address in addresses:
        assert desk.get(address).status_code == 200, address
