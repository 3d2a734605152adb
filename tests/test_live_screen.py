"""Watching in a real browser: the page and the projector follow a recorded deal, pages turn, and the end is shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.actions import evenings
from league.evenings.views.live import fragments
from league.models import Evening, Table
from tests.build import NOW, a_club, a_deal, a_player, a_season, a_table, an_evening
from tests.conftest import Console

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

POLL = 5_000  # milliseconds; a page requests its live part more often


@pytest.fixture
def table() -> Table:
    """Return a table of a public club's open evening, with a deal; twenty-four people in all are ranked."""
    evening = an_evening(a_season(a_club(public=True), end_number=2))
    for _ in range(4):
        a_deal(a_table(evening, size=5), {"contract": "take", "taker": 0, "points": 43, "oudlers": 2, "partner": 1})
    table = a_table(evening, [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")])
    a_deal(table)
    return table


@pytest.fixture
def page(page: Page) -> Page:
    """Return a page whose clock `wait_for_poll` moves forward."""
    page.clock.install()
    return page


def wait_for_poll(page: Page) -> None:
    """Let the pages of the context request their live parts."""
    page.clock.fast_forward(POLL)


def screen_of(evening: Evening) -> str:
    return f"/live/{fragments.sign_live_token(fragments.LiveTokenContent(evening.pk, 'en-gb'))}"


def test_page_and_projector_follow_a_deal_and_show_the_end(page: Page, live_server: LiveServer, table: Table) -> None:
    evening = table.round.evening
    projector = page.context.new_page()
    page.goto(live_server.url + evening.get_absolute_url())
    projector.goto(live_server.url + screen_of(evening))
    expect(page.get_by_role("row").filter(has_text="Ann").get_by_text("81", exact=True)).to_be_visible()
    a_deal(table)
    wait_for_poll(page)
    for view in (page, projector):
        row = view.get_by_role("row").filter(has_text="Ann")
        expect(row.get_by_text("162", exact=True)).to_be_visible()
    evenings.close(evening.pk, now=NOW)
    wait_for_poll(page)
    expect(page.get_by_role("heading", name="Ranking", exact=True)).to_be_visible()
    expect(projector.get_by_text("The evening is closed")).to_be_visible()
    requests: list[str] = []
    for view in (page, projector):
        view.on("request", lambda request: requests.append(request.url))
    wait_for_poll(page)
    for view in (page, projector):
        view.evaluate("fetch(location.href)")  # a request of the page itself would come before this one
    assert requests == [page.url, projector.url]


@pytest.mark.faults
def test_a_link_keeps_the_focus_over_a_change(page: Page, live_server: LiveServer, table: Table) -> None:
    page.goto(live_server.url + table.round.evening.get_absolute_url())
    page.get_by_role("link", name="Ann").focus()
    a_deal(table)
    wait_for_poll(page)
    expect(page.get_by_role("row").filter(has_text="Ann").get_by_text("162", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="Ann")).to_be_focused()


@pytest.mark.faults
def test_pages_turn_by_keys_and_a_new_round_is_shown_at_once(
    page: Page, live_server: LiveServer, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = table.round.evening
    page.goto(live_server.url + screen_of(evening))
    expect(page.get_by_text("Page 1 of 2")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Page 2 of 2")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("Page 1 of 2")).to_be_visible()
    a_table(evening, [a_player("Eva", ""), a_player(), a_player()], round_number=2)
    monkeypatch.setattr(
        fragments, "MAX_FRAGMENT_AGE_SECONDS", 0
    )  # no message names the change: the stored part has become too old
    wait_for_poll(page)
    expect(page.get_by_role("heading", name="Round 2")).to_be_visible()
    expect(page.get_by_text("Eva")).to_be_visible()
    expect(page.get_by_text("Ann", exact=True)).to_be_hidden()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_have_attribute("aria-pressed", "true")


@pytest.mark.faults
def test_nothing_turns_by_itself_for_who_wants_no_motion(
    new_context: Callable[..., BrowserContext], live_server: LiveServer, table: Table
) -> None:
    page = new_context(reduced_motion="reduce").new_page()
    page.goto(live_server.url + screen_of(table.round.evening))
    expect(page.get_by_role("button", name="Pause")).to_have_attribute("aria-pressed", "true")


@pytest.mark.faults
def test_a_lost_connection_is_said_and_its_return(
    page: Page, live_server: LiveServer, table: Table, console: Console
) -> None:
    console.expect("net::ERR_FAILED")
    console.expect("htmx")
    page.goto(live_server.url + screen_of(table.round.evening))
    page.route("**/screen.html", lambda route: route.abort())
    wait_for_poll(page)
    expect(page.get_by_text("No connection")).to_be_visible()
    page.unroute("**/screen.html")
    wait_for_poll(page)
    expect(page.get_by_text("No connection")).to_be_hidden()


@pytest.mark.faults
def test_a_slam_is_announced_once_with_its_players(page: Page, live_server: LiveServer, table: Table) -> None:
    """Catches an announcement that each poll repeats while the deal is recent."""
    page.goto(live_server.url + screen_of(table.round.evening))
    announcement = page.locator("#slam")
    expect(announcement).to_be_hidden()
    a_deal(table, {"contract": "guard", "taker": 1, "points": 91, "oudlers": 3, "slam": "attack"})
    wait_for_poll(page)
    expect(announcement).to_have_text("Slam of Bob")
    page.clock.fast_forward(10_000)
    expect(announcement).to_be_hidden()
    a_deal(table)
    wait_for_poll(page)
    expect(page.get_by_role("row").filter(has_text="Ann")).to_be_visible()
    expect(announcement).to_be_hidden()
