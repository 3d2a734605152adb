"""The prizes of a tournament in a browser: the sum follows what is typed, and the papers fit A4."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.actions import prizes, tournament_play
from league.actions.prizes import PrizeLine
from league.models import Tournament
from league.models.rights import Role
from tests.build import a_club, a_drawn_round, a_member, a_running_tournament, some_prizes, written_totals
from tests.readers import user_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Open = Callable[[Tournament, str], Page]


@pytest.fixture
def opened(browser_of: Callable[..., BrowserContext], live_server: LiveServer) -> Open:
    def open_page(tournament: Tournament, name: str) -> Page:
        secretary = user_of(a_member(tournament.club, Role.SECRETARY))
        page = browser_of(secretary, live_server.url).new_page()
        page.goto(live_server.url + reverse(f"league:{name}", args=[tournament.pk]))
        return page

    return open_page


def test_the_sum_of_the_prizes_follows_the_fields(opened: Open) -> None:
    tournament = a_running_tournament(a_club(), units=2)
    some_prizes(tournament)  # 50 € and 20 € in money; three bottles of 8 € and leeks of 2 €
    page = opened(tournament, "tournament-prizes-edit")
    amount, worth = page.locator("#prize-amount"), page.locator("#prize-worth")
    expect(amount).to_have_text("€70.00")
    expect(worth).to_have_text("€26.00")
    new_line = page.get_by_role("group", name="Line 5")
    new_line.get_by_label("From rank").fill("5")
    new_line.get_by_label("To rank").fill("8")
    new_line.get_by_label("Amount").fill("2,50")
    expect(amount).to_have_text("€80.00")
    page.get_by_role("button", name="Save the prizes").click()
    expect(page.locator("#prize-amount")).to_have_text("€80.00")
    assert tournament.prizes.count() == 5


@pytest.mark.faults
def test_receipts_and_slips_fit_the_paper(opened: Open) -> None:
    tournament = a_running_tournament(a_club(), units=18, rounds=1)
    for number, table in enumerate(a_drawn_round(tournament).tables.all()):
        written_totals(table, [1_100 + number, 844 - number] * 2, deals=12)
    tournament_play.finish(tournament.pk, now=timezone.now())
    prizes.store_prizes(tournament.pk, [PrizeLine("", False, 1, 16, 500, "", 0)], ties="shared", seen_version=0)
    prizes.print_receipts(tournament.pk, now=timezone.now())
    page = opened(tournament, "tournament-prize-receipts")
    assert page.locator("tbody tr").count() == 16
    assert sheets(page) == [(595, 842)]
    page = opened(tournament, "tournament-prize-slips")
    assert sheets(page) == [(595, 842)] * 2


def sheets(page: Page) -> list[tuple[int, int]]:
    """Return width and height of the printed pages, in points."""
    printed = page.pdf(prefer_css_page_size=True, format="A4")
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)
    return [(round(float(width)), round(float(height))) for width, height in boxes]
