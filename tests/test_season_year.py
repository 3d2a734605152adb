"""A season's year in a browser: rules tried on the demo's past season, opened, played, corrected, closed, honoured."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from league.actions.evenings import open as open_evening
from league.demo import club as demo
from league.demo.people import LOGINS
from league.demo.seasons import season_plans
from league.models import Evening, Run, Season
from league.models.season import SeasonState
from league.operations.work.verification import verify
from league.recompute.work import runs
from players.models import User
from tests.build import NOW, a_deal, a_season, a_table
from tests.test_every_page import AXE, OVERFLOW, RUN, SCREENS
from tests.test_rules_vote import choose, keep
from tests.webserver import WebServer

pytestmark = [pytest.mark.faults, pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_season_goes_from_its_rules_to_its_champion(
    browser_of: Callable[..., BrowserContext], server: WebServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "season_plans", lambda: season_plans()[:1])
    monkeypatch.setattr(demo, "EVENING_COUNT", 0)
    Season.objects.filter(
        club=demo.make_demo_club(date(2026, 11, 21)), state=SeasonState.OPEN
    ).delete()  # the one that is over
    past = Season.objects.get()
    champion = past.standings.filter(rank=1).select_related("player")[0].player
    season = a_season(past.club, name="Next", state=SeasonState.DRAFT, end_number=2)
    admin = User.objects.get(email=next(email for email, number in LOGINS.items() if number == 1))
    page = browser_of(admin, server.url).new_page()

    # Drafted, and tried on last year's season: who wins by the sum of all points is told beside who won.
    page.goto(season.get_absolute_url())
    page.get_by_role("link", name="Standings rules").click()
    choose(page, "Which evenings count?", "The best")
    page.get_by_label("How many").fill("1")
    keep(page, "The best evening")
    expect(page.get_by_role("row", name=str(champion)).first).to_be_visible()
    page.get_by_role("link", name="Change or use it (The best evening)").click()
    page.get_by_role("button", name="Use these rules").click()
    expect(page.get_by_text("The best evening counts")).to_be_visible()

    # Opened and played: two deals, the second from its form; then closed.
    page.get_by_role("button", name="Open the season").click()
    expect(page.get_by_text("The season is open")).to_be_visible()
    page.get_by_role("link", name="Plan an evening").click()
    page.get_by_role("button", name="Plan the evening").click()
    expect(page.get_by_text("The evening is planned.")).to_be_visible()
    evening = Evening.objects.get(season=season)
    table = a_table(open_evening(evening.pk, now=NOW), [standing.player for standing in past.standings.all()[:4]])
    a_deal(table)
    names = [str(seat.player) for seat in table.seats.select_related("player")]
    page.goto(table.get_absolute_url())
    page.get_by_role("link", name="Record a deal").click()
    deal(page, "Guard", names[1], "50")
    page.get_by_role("button", name="Record the deal").click()
    expect(page.get_by_text("Complete", exact=True)).to_be_visible()
    page.goto(evening.get_absolute_url())
    for role in ("link", "button"):
        page.get_by_role(role, name="Close the evening").click()

    # Corrected: the second deal's taker was the third player.
    page.goto(table.dealt.get(number=2).get_absolute_url())
    page.get_by_role("link", name="Revise").first.click()
    deal(page, "Guard", names[2], "50")
    page.get_by_label("Reason").fill("The wrong taker")
    page.get_by_role("button", name="Revise the deal").click()

    # Closed: what is open is accepted, and the honours are there.
    page.goto(season.get_absolute_url())
    page.get_by_role("link", name="Close the season").click()
    expect(page.get_by_text("The results of 1 evening are provisional")).to_be_visible()
    looked_at(page)
    page.get_by_label("Close the season although something is open").check()
    page.get_by_role("button", name="Close the season").click()
    expect(page.get_by_text("Its standings stay as they are.")).to_be_visible()
    runs.run(Run.Trigger.CLOSING, now=timezone.now())  # which a worker does a moment later
    page.get_by_role("link", name="Honours").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Champion: {names[2]}")
    expect(page.get_by_role("region", name="Records of the season")).to_contain_text("Best deal")
    looked_at(page)
    page.get_by_role("link", name="Hall of fame").click()
    expect(page.get_by_role("region", name="Champions")).to_contain_text(str(champion))
    looked_at(page)
    assert [each for each in verify() if each.model in ("SeasonClosing", "Standing")] == []


def deal(page: Page, contract: str, taker: str, points: str) -> None:
    for group, name in (("Contract", contract), ("Taker", taker), ("Oudlers", "2")):
        page.get_by_role("group", name=group, exact=True).get_by_role("radio", name=name, exact=True).check()
    page.get_by_label("Points", exact=True).fill(points)


def looked_at(page: Page) -> None:
    """Look at a page as axe does, on a phone and at a desk."""
    page.evaluate(AXE)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(RUN, {}) == []
        assert page.evaluate(OVERFLOW) == 0
