"""An admin changes house rules in mid-season, from an evening on: seen before it is saved, and read by members."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from playwright.sync_api import BrowserContext, expect

from league.actions import evenings
from league.models.rights import Role
from tests.build import NOW, TODAY, a_club, a_deal, a_member, a_season, a_table, an_evening
from tests.webserver import WebServer

DISPUTE = {"taker": 0, "points": 71, "last_trick": "attack"}  # 81 to 81

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.faults
def test_a_dispute_is_held_from_the_next_evening_on(
    browser_of: Callable[..., BrowserContext], server: WebServer
) -> None:
    club = a_club()
    season = a_season(club, "belote", table_sizes=[4], end_number=2)
    tables = [a_table(an_evening(season, on=TODAY + timedelta(weeks=week))) for week in range(2)]
    for table in tables:
        for _deal in range(2):
            a_deal(table, DISPUTE)
        evenings.close(table.round.evening_id, now=NOW)
    page = browser_of(a_member(club, Role.ADMIN).user, server.url).new_page()
    page.goto(f"/seasons/{season.pk}/rules")
    page.get_by_role("radio", name="A dispute").check()
    page.get_by_label("Other house rules hold from").select_option(index=2)
    page.get_by_label("Reason for the change").fill("Voted at the annual meeting")
    page.get_by_role("button", name="See what would change").click()
    moves = page.get_by_role("region", name="What would change")
    expect(moves.get_by_role("row")).to_have_count(1 + 2)  # the takers of the second evening
    expect(moves).to_contain_text("Nothing is saved yet.")
    assert [seat.points for seat in tables[1].seats.all()] == [162, 162, 162, 162]

    expect(page.get_by_role("radio", name="A dispute")).to_be_checked()
    page.get_by_role("button", name="Change the rules").click()
    expect(page.get_by_text("The season's rules are changed.")).to_be_visible()
    assert [[seat.points for seat in table.seats.all()] for table in tables] == [[162] * 4, [0, 162, 0, 162]]

    member = browser_of(a_member(club).user, server.url).new_page()
    member.goto(tables[1].dealt.get(number=1).get_absolute_url())
    expect(member.get_by_text("81 to 81, a dispute")).to_be_visible()
    member.get_by_role("link", name="House rules of this season").click()
    expect(member.get_by_text("Voted at the annual meeting")).to_be_visible()
    expect(member.get_by_text("before: The contract is won")).to_be_visible()


def test_a_house_rule_of_six_players_is_asked_for_where_six_may_play(
    browser_of: Callable[..., BrowserContext], server: WebServer
) -> None:
    club = a_club()
    page = browser_of(a_member(club, Role.ADMIN).user, server.url).new_page()
    page.goto(f"/clubs/{club.slug}/seasons/found?game=tarot")
    rule = page.get_by_role("group", name="Six players")
    page.get_by_label("6 players").check()
    expect(rule).to_be_visible()
    page.get_by_label("6 players").uncheck()
    expect(rule).to_be_hidden()
