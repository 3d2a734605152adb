"""The grid away from its server, beside another tab, or refused: nothing that was typed is lost."""

from __future__ import annotations

import pytest
from django.conf import settings
from playwright.sync_api import expect

from league.actions import evenings
from tests.build import NOW, a_deal
from tests.conftest import Console
from tests.grid_desk import Desk, facts_of, press, seated
from tests.webserver import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.faults
def test_nothing_is_lost_while_the_server_is_away(desk: Desk, server: WebServer, console: Console) -> None:
    """Half a row survives a closed page, whole rows wait for the server, and each is recorded once."""
    console.expect("Failed to load resource")
    table = seated(["Ann", "Bob", "Cid", "Dee"])
    page = desk(table)
    press(page, "1t2")
    page.reload()
    expect(page.get_by_label("Oudlers", exact=True)).to_have_value("2")
    page.clock.install()
    server.disconnect()
    press(page, "Tab Tab Tab 43 Enter")
    press(page, "2t150 Enter")
    press(page, "4g1")
    expect(page.locator("#grid-unsent")).to_contain_text("2 rows wait to be sent")
    expect(page.locator("#grid-waiting tr")).to_have_count(2)
    # Else the page may try again before the button is clicked. A minute on: the clock must not have got there already.
    page.clock.pause_at(page.evaluate("Date.now()") + 60_000)
    server.connect()
    page.get_by_role("button", name="Send now").click()
    expect(page.locator("#grid-recorded tr")).to_have_count(2)
    expect(page.locator("#grid-unsent")).to_be_hidden()
    expect(page.get_by_label("Oudlers", exact=True)).to_have_value("1")
    assert [facts["taker"] for facts in facts_of(table)] == [0, 1]
    page.get_by_label("Points", exact=True).focus()
    press(page, "60 Enter")
    expect(page.locator("#grid-recorded tr")).to_have_count(3)
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('grid:'))") == []


@pytest.mark.faults
def test_points_of_a_waiting_row_have_the_signs_of_all_others(desk: Desk, server: WebServer, console: Console) -> None:
    console.expect("Failed to load resource")
    page = desk(seated(["Ann", "Bob", "Cid", "Dee"]))
    press(page, "1t243")
    expect(page.locator("[data-points='0']")).to_have_text("+81")
    server.disconnect()
    press(page, "Enter")
    expect(page.locator("#grid-waiting .num")).to_have_text(["+81", "−27", "−27", "−27"])
    server.connect()
    expect(page.locator("#grid-recorded tr")).to_have_count(1)


@pytest.mark.faults
def test_a_second_tab_of_the_table_throws_nothing_away(desk: Desk, server: WebServer, console: Console) -> None:
    """Both are closed while the server is away, first the one that has a row to send and half of the next."""
    console.expect("Failed to load resource")
    table = seated(["Ann", "Bob", "Cid", "Dee"])
    page = desk(table)
    other = page.context.new_page()
    other.goto(page.url)
    server.disconnect()
    press(page, "1t243 Enter")
    press(page, "4g1")
    expect(page.locator("#grid-unsent")).to_contain_text("1 row waits to be sent")
    address = page.url
    page.close(run_before_unload=True)
    other.goto("about:blank")
    server.connect()
    other.goto(address)
    expect(other.locator("#grid-recorded tr")).to_have_count(1)
    expect(other.get_by_label("Oudlers", exact=True)).to_have_value("1")


def test_a_row_that_is_refused_comes_back(desk: Desk, console: Console) -> None:
    """Someone closes the evening meanwhile: a change then wants a reason."""
    console.expect("422")
    table = seated(["Ann", "Bob", "Cid", "Dee"])
    a_deal(table)
    page = desk(table)
    press(page, "1t244")
    expect(page.locator("[data-points='0']")).to_have_text("+84")
    evenings.close(table.round.evening_id, now=NOW)
    press(page, "Enter")
    expect(page.locator("#grid-status")).to_contain_text("This row was not recorded")
    expect(page.get_by_label("Points", exact=True)).to_have_value("44")
    assert len(facts_of(table)) == 1


@pytest.mark.faults
def test_who_was_signed_out_keeps_the_rows(desk: Desk, console: Console) -> None:
    console.expect("403 (Forbidden)")
    table = seated(["Ann", "Bob", "Cid", "Dee"])
    page = desk(table)
    session = next(cookie for cookie in page.context.cookies() if cookie["name"] == settings.SESSION_COOKIE_NAME)
    page.context.clear_cookies()
    press(page, "1t243 Enter")
    expect(page.locator("#grid-unsent")).to_contain_text("You are signed out")
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    page.context.add_cookies([{"name": session["name"], "value": session["value"], "url": page.url}])
    page.reload()
    expect(page.locator("#grid-recorded tr")).to_have_count(1)


@pytest.mark.faults
def test_an_answer_that_is_not_the_grids_own_keeps_the_row(desk: Desk, console: Console) -> None:
    """Something on the way, as a proxy, refuses the request with a page of its own."""
    console.expect("400")
    table = seated(["Ann", "Bob", "Cid", "Dee"])
    page = desk(table)
    page.route("**/grid/row", lambda route: route.fulfill(status=400, content_type="text/html", body="<h1>No</h1>"))
    press(page, "1t243 Enter")
    expect(page.locator("#grid-unsent")).to_contain_text("1 row waits")
    page.unroute("**/grid/row")
    expect(page.locator("#grid-recorded tr")).to_have_count(1)
    assert len(facts_of(table)) == 1
