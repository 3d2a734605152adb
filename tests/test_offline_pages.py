"""Pages of an open evening's desk without a network: who may read which copy, and until when."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect

from league.actions import evenings
from league.models import Table
from league.models.rights import Role
from tests.build import NOW, a_deal, a_member
from tests.conftest import Console, add_session
from tests.grid_desk import seated
from tests.service_worker import visited, wait_until
from tests.webserver import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Browser = Callable[..., BrowserContext]
NO_DESK = "async () => !(await caches.keys()).some((name) => name.startsWith('desk:'))"
AGE = """
async (path) => {
  const name = (await caches.keys()).find((each) => each.startsWith('desk:'));
  const desk = await caches.open(name);
  const answer = await desk.match(path);
  const headers = new Headers(answer.headers);
  headers.set('X-Stored', Date.now() - 25 * 3600 * 1000);
  await desk.put(path, new Response(await answer.text(), {headers}));
}
"""


@pytest.fixture
def table() -> Table:
    table = seated(["Ann", "Bob", "Cid", "Dee"])
    a_deal(table)
    return table


@pytest.fixture
def page(table: Table, browser_of: Browser, server: WebServer) -> Page:
    secretary = a_member(table.round.evening.season.club, Role.SECRETARY)
    return browser_of(secretary.user, server.url, service_workers="allow").new_page()


@pytest.mark.faults
def test_the_desk_of_an_open_evening_can_be_read_without_the_server(
    page: Page, table: Table, server: WebServer, console: Console
) -> None:
    console.expect("Failed to load resource")
    sheets, check_in = f"/evenings/{table.round.evening_id}/sheets", f"/evenings/{table.round.evening_id}/players"
    sheet, form = f"/tables/{table.pk}/", f"/tables/{table.pk}/deals/record"
    visited(page, sheets, check_in, sheet, form, f"/tables/{table.pk}/grid")
    server.disconnect()
    for path, heading in ((sheets, "Sheets"), (check_in, "Check-in"), (sheet, "Table 1"), (form, "Record deal 2")):
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_contain_text(heading)
        expect(page.locator("#stored")).to_contain_text("No network since")
    assert Axe().run(page).response["violations"] == []
    page.goto("/")
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    page.get_by_role("link", name="Check-in").click()
    expect(page.get_by_role("heading", name="Check-in")).to_be_visible()
    server.connect()
    page.get_by_role("link", name="Try again").click()
    expect(page.locator("#stored")).to_be_hidden()


def test_nothing_is_readable_after_signing_out(page: Page, table: Table, server: WebServer, console: Console) -> None:
    console.expect("Failed to load resource")
    sheet = f"/tables/{table.pk}/"
    visited(page, sheet)
    page.goto("/account/logout/")
    page.get_by_role("button", name="Sign out").click()
    wait_until(page, NO_DESK)
    server.disconnect()
    page.goto(sheet)
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    expect(page.get_by_text("Ann")).to_have_count(0)
    server.connect()


@pytest.mark.faults
def test_signing_out_without_a_network_removes_the_copies(
    page: Page, table: Table, server: WebServer, console: Console
) -> None:
    """The session lasts, but the next user of the device reads nothing."""
    console.expect("Failed to load resource")
    sheet = f"/tables/{table.pk}/"
    visited(page, sheet)
    page.goto("/account/logout/")
    server.disconnect()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    page.goto(sheet)
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    server.connect()


@pytest.mark.faults
def test_another_user_reads_no_copy(page: Page, table: Table, server: WebServer, console: Console) -> None:
    """The first session ended elsewhere, so that nobody signed out in this browser."""
    console.expect("Failed to load resource")
    sheet = f"/tables/{table.pk}/"
    visited(page, sheet)
    next_user = a_member(table.round.evening.season.club, Role.MEMBER)
    assert next_user.user is not None
    page.context.clear_cookies()
    add_session(page.context, next_user.user, server.url)
    page.goto("/")
    wait_until(page, NO_DESK)
    server.disconnect()
    page.goto(sheet)
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    server.connect()


@pytest.mark.faults
def test_a_copy_ends_with_the_evening_and_after_a_day(
    page: Page, table: Table, server: WebServer, console: Console
) -> None:
    console.expect("Failed to load resource")
    sheet, grid = f"/tables/{table.pk}/", f"/tables/{table.pk}/grid"
    visited(page, sheet, grid)
    page.evaluate(AGE, grid)
    evenings.close(table.round.evening_id, now=NOW)
    page.goto(sheet)
    wait_until(page, NO_DESK)
    server.disconnect()
    for path in (sheet, grid):
        page.goto(path)
        expect(page.get_by_role("heading", name="No network")).to_be_visible()
    server.connect()


@pytest.mark.faults
def test_a_member_without_a_role_stores_nothing(table: Table, browser_of: Browser, server: WebServer) -> None:
    """A page that everyone of the club may read isn't a page of the desk."""
    member = a_member(table.round.evening.season.club)
    page = browser_of(member.user, server.url, service_workers="allow").new_page()
    visited(page)
    page.goto(f"/tables/{table.pk}/")
    expect(page.locator("#stored")).to_have_count(0)
    page.goto("/")
    assert page.evaluate(NO_DESK)
