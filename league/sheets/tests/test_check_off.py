"""Checking off: what came from phones is looked at by the secretary, one deal or a whole table at once."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import deals, evenings, season_closing
from league.actions.refusals import WrongState
from league.models import Deal, Table
from league.models.deal import DealSource
from league.models.rights import Role
from league.sheets.queries.deal_history import ChangeKind, deal_history
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_season, a_table, an_evening, sign_in


@pytest.fixture
def table(db: None) -> Table:
    return a_table(an_evening(a_season(a_club(table_entry=True))))


def at_the_table(table: Table) -> Deal:
    return a_deal(table, source=DealSource.TABLE)


def desk(table: Table) -> Client:
    return sign_in(Client(), a_member(table.round.evening.season.club, Role.SECRETARY))


def page(secretary: Client, address: str) -> str:
    return secretary.get(address).content.decode()


def check_off(secretary: Client, name: str, pk: int, versions: list[str]) -> str:
    """Return the table's page after the button was pressed."""
    return secretary.post(reverse(name, args=[pk]), {"seen": versions}, follow=True).content.decode()


def test_the_sheet_the_grid_and_the_deal_say_where_it_comes_from(table: Table) -> None:
    deal = at_the_table(table)
    secretary = desk(table)
    for address in (table.get_absolute_url(), reverse("league:grid", args=[table.pk]), deal.get_absolute_url()):
        assert "entered at the table, not checked" in page(secretary, address)
    assert "1 deal to check" in page(secretary, reverse("league:sheets", args=[table.round.evening_id]))


def test_one_deal_is_checked_off(table: Table) -> None:
    deal, unchecked_deal = at_the_table(table), at_the_table(table)
    html = check_off(desk(table), "league:deal-check", deal.pk, [f"{deal.pk}:1"])

    assert "1 deal is checked." in html
    assert list(Deal.objects.filter(checked=False)) == [unchecked_deal]
    [checked, recorded] = deal_history(deal, list(deal.table.seats.all()))
    assert (checked.kind, recorded.kind) == (ChangeKind.CHECKED, ChangeKind.RECORDED)
    assert checked.author


def test_one_deals_button_checks_no_other(table: Table) -> None:
    deal, other = at_the_table(table), at_the_table(table)
    check_off(desk(table), "league:deal-check", deal.pk, [f"{other.pk}:1"])
    assert Deal.objects.filter(checked=False).count() == 2


def test_all_of_a_table_are_checked_off_as_they_were_seen(table: Table) -> None:
    first, second = at_the_table(table), at_the_table(table)
    versions = [f"{first.pk}:1", f"{second.pk}:1"]
    lost = {**TAKE, "oudlers": 1}
    deals.revise(second.pk, lost, client_key=uuid4(), seen_version=1, now=NOW, source=DealSource.TABLE)
    later = at_the_table(table)
    secretary = desk(table)
    said = check_off(secretary, "league:table-check", table.pk, versions)

    assert "1 deal is checked." in said
    assert "changed or checked meanwhile" in said
    assert list(Deal.objects.filter(checked=False).order_by("pk")) == [second, later]
    later_versions = [f"{second.pk}:2", f"{later.pk}:1"]
    assert "2 deals are checked." in check_off(secretary, "league:table-check", table.pk, later_versions)


def test_another_tables_deal_is_not_checked_on_this_one(table: Table) -> None:
    foreign_deal = at_the_table(a_table(an_evening(a_season(a_club(table_entry=True)))))
    secretary = desk(table)
    for seen in ([f"{foreign_deal.pk}:1"], ["x", "1", "1:x", "9" * 30 + ":1"], []):
        assert "Not everything is checked" in check_off(secretary, "league:table-check", table.pk, seen)
    assert not Deal.objects.get(pk=foreign_deal.pk).checked


def test_what_the_secretary_revises_is_checked(table: Table) -> None:
    deal = at_the_table(table)
    deals.revise(deal.pk, TAKE, client_key=uuid4(), seen_version=1, now=NOW)
    deal.refresh_from_db()
    assert (deal.source, deal.checked) == (DealSource.TABLE, True)


def test_a_closed_season_keeps_what_was_not_checked(table: Table) -> None:
    deal = at_the_table(table)
    season = table.round.evening.season
    evenings.close(table.round.evening_id, now=NOW)
    season_closing.close(season.pk, now=NOW)
    with pytest.raises(WrongState):
        deals.check_off(table.pk, {deal.pk: 1})


def test_the_buttons_of_a_closed_season_say_why_nothing_is_checked(table: Table) -> None:
    deal = at_the_table(table)
    Table.objects.filter(pk=table.pk).update(totals_checked=False)
    secretary = desk(table)
    evenings.close(table.round.evening_id, now=NOW)
    season_closing.close(table.round.evening.season_id, now=NOW)
    address = reverse("league:table-check", args=[table.pk])
    for sent in ({"seen": [f"{deal.pk}:1"]}, {"seen_totals": "1"}):
        html = secretary.post(address, sent, follow=True).content.decode()
        assert "The season is closed" in html
        assert "checked meanwhile" not in html
    assert not Deal.objects.get().checked
    assert not Table.objects.get(pk=table.pk).totals_checked
