"""An admin drafts rules by keyboard, tries them on last season, shows them to members, and the season takes one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from league.models import Season
from league.models.rights import Role
from league.seasons.tests.three_evenings import three_evenings
from tests.build import a_club, a_member, a_season
from tests.test_every_page import AXE, OVERFLOW, RUN, SCREENS
from tests.webserver import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.faults
def test_rules_are_drafted_tried_shown_and_taken(browser_of: Callable[..., BrowserContext], server: WebServer) -> None:
    club = a_club()
    last, season = a_season(club, name="Last"), a_season(club, name="Next")
    three_evenings(last)
    page = browser_of(a_member(club, Role.ADMIN).user, server.url).new_page()
    page.goto(season.get_absolute_url())
    page.get_by_role("link", name="Standings rules").click()

    # Only what belongs to the choices made is there, and the sentence follows what is typed.
    sentence = page.locator(".sentence")
    expect(sentence).to_have_text("All evenings count; an evening is worth its points; equal totals share their rank.")
    expect(page.get_by_label("Points of the first places")).to_be_hidden()
    choose(page, "What is an evening worth?", "Points by place")
    page.get_by_label("Points of the first places").fill("3 2 1")
    page.get_by_label("Evenings of the season").fill("2")
    choose(page, "Which evenings count?", "The best")
    page.get_by_label("How many").fill("")
    expect(page.get_by_text("How many: This is needed.")).to_be_visible()
    page.get_by_label("How many").fill("2")
    expect(page.get_by_text("The best 2 in a season of 2 evenings: nothing would ever be dropped.")).to_be_visible()
    page.get_by_label("Evenings of the season").fill("4")
    page.get_by_label("Tie-break 1").select_option("Evenings won")
    expect(sentence).to_have_text(
        "The best 2 of 4 evenings count; places give 3-2-1 and 1 to everyone else; ties: evenings won."
    )
    keep(page, "Best two by place")
    page.get_by_role("link", name="Change or use it (Best two by place)").click()
    choose(page, "Which evenings count?", "Their mean")
    keep(page, "Mean")

    # Beside each other, on last season: both by place have Ann first.
    row = page.get_by_role("row", name="Ann Durand")
    expect(row.get_by_role("cell")).to_have_text(["2 72", "1 ▲up 1 6", "1 ▲up 1 2.67"])
    row.get_by_role("link").click()
    evenings = page.get_by_role("region", name="Ann Durand").get_by_role("row")
    expect(evenings).to_have_count(4)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(AXE)
        assert page.evaluate(RUN, {}) == []
        assert page.evaluate(OVERFLOW) == 0

    page.get_by_role("button", name="Show to members (Best two by place)").click()
    member = browser_of(a_member(club).user, server.url).new_page()
    member.goto(season.get_absolute_url())
    member.get_by_role("link", name="Drafts of other rules").click()
    expect(member.get_by_role("heading", name="Best two by place")).to_be_visible()
    expect(member.get_by_role("heading", name="Mean")).to_have_count(0)

    page.get_by_role("link", name="Change or use it (Best two by place)").click()
    page.get_by_role("button", name="Use these rules").click()
    expect(page.get_by_text("The season's standings follow these rules now.")).to_be_visible()
    expect(page.get_by_text("The best 2 evenings count; places give 3-2-1")).to_be_visible()
    assert Season.objects.get(name="Next").standings_rules["counts"] == {"which": "best", "n": 2}


def choose(page: Page, question: str, answer: str) -> None:
    """Choose by keyboard, as the radios are under their labels."""
    radio = page.get_by_role("group", name=question).get_by_role("radio", name=answer, exact=True)
    radio.focus()
    page.keyboard.press("Space")
    expect(radio).to_be_checked()


def keep(page: Page, name: str) -> None:
    """Keep what the form says as a draft, and come to the drafts; from there, back to other rules by the link."""
    if not page.get_by_label("Name of the draft").is_visible():
        page.get_by_text("Try them first").click()
    page.get_by_label("Name of the draft").fill(name)
    page.get_by_role("button", name="Keep as a draft").click()
    expect(page.get_by_role("article").get_by_role("heading", name=name)).to_be_visible()
