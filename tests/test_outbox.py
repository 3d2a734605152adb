"""What is recorded without a network waits in the browser, and is sent once: deals, totals, check-ins and fees."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from uuid import UUID

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from league.actions import deals
from league.models import Attendance, Evening, Table, table_codes
from league.models.rights import Role
from players.models import User
from tests.build import NOW, TAKE, a_deal, a_member, a_player
from tests.conftest import Console, add_session
from tests.grid_desk import facts_of, seated
from tests.service_worker import visited, wait_until
from tests.webserver import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Browser = Callable[..., BrowserContext]
NOTHING_WAITS = "async () => !(await outbox.list(document.getElementById('outbox').dataset.user)).length"
STEPS = ["record"] * 4 + ["cut"] * 2 + ["restore", "reload", "close", "second tab"]
UNREACHABLE = "Failed to load resource"


@pytest.fixture
def table() -> Table:
    return seated(["Ann", "Bob", "Cid", "Dee"], end_number=200)


@pytest.fixture
def page(table: Table, browser_of: Browser, server: WebServer, console: Console) -> Page:
    console.expect(UNREACHABLE)
    console.expect("htmx:")  # of a preview
    secretary = a_member(table.round.evening.season.club, Role.SECRETARY)
    return browser_of(secretary.user, server.url, service_workers="allow").new_page()


def form_address(table: Table) -> str:
    return f"/tables/{table.pk}/deals/record"


def record_deal(page: Page, taker: str, points: int) -> None:
    """Fill the form of a deal that is open, and send it."""
    page.get_by_role("group", name="Contract").get_by_role("radio", name="Take").check()
    page.get_by_role("group", name="Taker").get_by_role("radio", name=taker).check()
    page.get_by_role("group", name="Oudlers").get_by_role("radio", name="2").check()
    page.get_by_label("Points", exact=True).fill(str(points))
    page.get_by_role("button", name="Record, then the next").click()


def not_sent(page: Page, count: int) -> None:
    expect(page.locator("#outbox-title")).to_have_text(f"Not sent yet: {count}")


def all_sent(page: Page, server: WebServer) -> None:
    """Start the server, and wait until the page has sent everything by itself or at a click."""
    server.connect()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#outbox [role=status]")).to_contain_text("All entries are sent")
    expect(page.locator("#outbox [role=status]")).to_be_visible()


@pytest.mark.faults
def test_each_tab_shows_that_entries_were_sent(page: Page, table: Table, server: WebServer) -> None:
    """A stored page shows the server's state again, in every tab; not while something is typed on it."""
    visited(page, form_address(table))
    server.disconnect()
    record_deal(page, "Ann", 43)
    not_sent(page, 1)
    other = page.context.new_page()
    other.goto(form_address(table))
    not_sent(other, 1)
    other.get_by_label("Points", exact=True).fill("50")
    all_sent(page, server)
    expect(page.get_by_role("heading", name="Record deal 2")).to_be_visible()
    expect(other.locator("#outbox [role=status]")).to_have_text("All entries are sent (1).")
    expect(other.get_by_role("link", name="Show this page as it is now")).to_be_visible()
    expect(other.get_by_label("Points", exact=True)).to_have_value("50")
    assert len(facts_of(table)) == 1


@pytest.mark.faults
def test_closing_without_a_network_leads_to_the_offline_page(page: Page, table: Table, server: WebServer) -> None:
    """It cannot wait in the outbox; the browser's own error page would have no way back."""
    visited(page, f"/evenings/{table.round.evening_id}/close")
    server.disconnect()
    page.get_by_label("Close it although something is open").check()
    page.get_by_role("button", name="Close the evening").click()
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    expect(page.get_by_role("link", name="Close")).to_be_visible()


def test_deals_without_a_network_are_recorded_once_and_in_order(page: Page, table: Table, server: WebServer) -> None:
    """The network fails between the first deal and its answer: the server has the deal already when it comes again."""
    visited(page, form_address(table))
    page.get_by_label("Points", exact=True).wait_for()
    key = page.locator("[name=client_key]").input_value()
    server.disconnect()
    record_deal(page, "Ann", 43)
    not_sent(page, 1)
    record_deal(page, "Bob", 50)
    not_sent(page, 2)
    page.get_by_text("Show the entries").click()
    second = page.locator("#outbox li").nth(1)
    expect(second).to_contain_text("Table 1 · Contract: Take · Taker: Bob · Oudlers: 2 · Points: 50")
    expect(second).to_contain_text("points when sent")
    assert Axe().run(page).response["violations"] == []
    deals.record(table.pk, {**TAKE, "taker": 0, "oudlers": 2, "points": 43}, client_key=UUID(key), now=NOW)
    page.close()
    page = page.context.new_page()
    page.goto(f"/tables/{table.pk}/")
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    page.goto(form_address(table))
    all_sent(page, server)
    assert [(facts["taker"], facts["points"]) for facts in facts_of(table)] == [(0, 43), (1, 50)]


@pytest.mark.faults
def test_check_ins_and_fees_are_sent_later(page: Page, table: Table, server: WebServer) -> None:
    evening = table.round.evening
    club = evening.season.club
    club.fee_member = 300
    club.save()
    late = a_player("Eve", "")
    club.memberships.create(player=late)
    people = f"/evenings/{evening.pk}/players"
    visited(page, f"{people}?show=all")
    server.disconnect()
    page.locator(f"#mark-{late.pk}").click()
    not_sent(page, 1)
    expect(page.locator(f"#person-{late.pk} small[data-unsent]")).to_have_text("not sent yet")
    page.locator(f"#mark-{late.pk}").click()
    page.get_by_role("button", name="To pay: €3.00, Eve").click()
    expect(page.get_by_role("button", name="✓ Paid: €3.00, Eve")).to_be_focused()
    assert Axe().run(page).response["violations"] == []
    page.get_by_role("textbox", name="Name of a guest").fill("Zoé Guest")
    page.get_by_role("button", name="Check in as a guest").click()
    not_sent(page, 2)
    page.get_by_text("Show the entries").click()
    expect(page.locator("#outbox li").first).to_contain_text("Eve is there and has paid.")
    all_sent(page, server)
    there = Attendance.objects.filter(evening=evening).values_list("player__given_name", flat=True)
    assert sorted(name for name in there if name in {"Eve", "Zoé"}) == ["Eve", "Zoé"]
    assert Attendance.objects.get(evening=evening, player=late).paid == 300


@pytest.mark.faults
def test_a_refused_guest_keeps_nobody_else_waiting(page: Page, table: Table) -> None:
    """All check-ins of an evening have one address: the desk must not stand still for one name."""
    evening = table.round.evening
    late = a_player("Eve", "")
    evening.season.club.memberships.create(player=late)
    address = f"/evenings/{evening.pk}/players"
    visited(page, address)
    refused = {"address": f"{address}/add", "body": "name=Ann", "page": page.url, "errors": ["Ann exists."]}
    page.evaluate(
        "(entry) => outbox.add({...entry, user: document.getElementById('outbox').dataset.user, stored: Date.now()})",
        refused,
    )
    page.goto(address)
    page.get_by_role("button", name="Eve").click()
    expect(page.locator(f"#person-{late.pk}.is-there")).to_be_visible()
    not_sent(page, 1)


@pytest.mark.faults
def test_two_tabs_send_an_entry_once(page: Page, table: Table, server: WebServer) -> None:
    visited(page, form_address(table))
    server.disconnect()
    record_deal(page, "Ann", 43)
    record_deal(page, "Bob", 50)
    not_sent(page, 2)
    other = page.context.new_page()
    other.goto(form_address(table))
    not_sent(other, 2)
    server.connect()
    for tab in (page, other):
        tab.evaluate("dispatchEvent(new Event('online'))")
    wait_until(page, NOTHING_WAITS)
    page.goto(form_address(table))
    expect(page.get_by_role("heading", level=1)).to_have_text("Record deal 3")
    assert len(facts_of(table)) == 2


@pytest.mark.faults
def test_a_refused_entry_keeps_its_table_waiting_until_it_is_corrected(
    page: Page, table: Table, server: WebServer
) -> None:
    """Somebody recorded the same deal meanwhile: the form asks whether this is another one."""
    visited(page, form_address(table))
    server.disconnect()
    record_deal(page, "Ann", 43)
    record_deal(page, "Bob", 50)
    not_sent(page, 2)
    a_deal(table, {**TAKE, "taker": 0, "oudlers": 2, "points": 43})
    server.connect()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#outbox [role=status]")).to_contain_text("Some were not accepted")
    expect(page.locator("#outbox li").first).to_contain_text("Deal 1 is the same. Is this another one?")
    assert len(facts_of(table)) == 1
    page.get_by_role("link", name="Open in the form").click()
    expect(page.get_by_label("Points", exact=True)).to_have_value("43")
    page.get_by_label("Points", exact=True).fill("44")
    page.get_by_role("button", name="Record the deal").click()
    page.wait_for_url(server.url + form_address(table))
    wait_until(page, NOTHING_WAITS)
    assert [facts["points"] for facts in facts_of(table)] == [43, 44, 50]


@pytest.mark.faults
def test_entries_belong_to_the_user_who_made_them(page: Page, table: Table, server: WebServer) -> None:
    """The next user neither sees nor sends them; after signing in again, their owner sends them."""
    visited(page, form_address(table))
    server.disconnect()
    record_deal(page, "Ann", 43)
    not_sent(page, 1)
    session = next(cookie for cookie in page.context.cookies() if cookie["name"] == settings.SESSION_COOKIE_NAME)
    page.context.clear_cookies()
    server.connect()
    page.get_by_text("Show the entries").click()
    page.get_by_role("button", name="Send now").click()
    expect(page.locator("#outbox [role=status]")).to_contain_text("You are signed out here")
    next_user = a_member(table.round.evening.season.club, Role.SECRETARY)
    assert next_user.user is not None
    add_session(page.context, next_user.user, server.url)
    page.get_by_role("button", name="Send now").click()
    expect(page.locator("#outbox [role=status]")).to_contain_text("You are signed out here")
    page.goto(form_address(table))
    expect(page.locator("#outbox")).to_be_hidden()
    assert facts_of(table) == []
    page.context.clear_cookies()
    page.context.add_cookies([{"name": session["name"], "value": session["value"], "url": server.url}])
    page.goto(form_address(table))
    expect(page.locator("#outbox [role=status]")).to_contain_text("All entries are sent")
    assert len(facts_of(table)) == 1


@pytest.mark.faults
def test_signing_out_asks_about_entries_that_are_not_sent(page: Page, table: Table, server: WebServer) -> None:
    """They can be saved as a file that only their owner can load, or be discarded."""
    visited(page, form_address(table))
    server.disconnect()
    record_deal(page, "Ann", 43)
    not_sent(page, 1)
    page.get_by_text("Show the entries").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a file").click()
    content = json.loads(download.value.path().read_text())
    page.evaluate("() => void navigator.locks.request('outbox', () => new Promise(() => {}))")  # nothing is sent now
    server.connect()
    other = page.context.new_page()
    other.goto("/account/logout/")
    other.get_by_role("button", name="Sign out", exact=True).click()
    not_sent(other, 1)
    expect(other.get_by_role("heading", name="Not sent yet")).to_be_focused()
    assert Axe().run(other).response["violations"] == []
    other.get_by_role("button", name="Discard them and sign out").click()
    expect(other.get_by_role("link", name="Sign in").first).to_be_visible()
    page.close()
    secretary = User.objects.get(pk=content["user"])
    add_session(other.context, secretary, server.url)
    other.goto(f"/evenings/{table.round.evening_id}/sheets")
    foreign = {**content, "user": "1"}
    elsewhere = {**content, "entries": [{**content["entries"][0], "address": "/account/delete/"}]}
    wrong: object
    for wrong in (foreign, elsewhere, [], "x"):
        load_file(other, json.dumps(wrong))
        expect(other.locator("#outbox-file-state")).to_contain_text("not a file of entries that you saved yourself")
    load_file(other, json.dumps(content))
    expect(other.locator("#outbox [role=status]")).to_contain_text("All entries are sent")
    assert len(facts_of(table)) == 1


def load_file(page: Page, content: str) -> None:
    page.get_by_label("Load entries").set_input_files(
        {"name": "outbox.json", "mimeType": "application/json", "buffer": content.encode()}
    )


@pytest.mark.faults
def test_a_phone_at_the_table_stores_its_deals(
    table: Table, browser_of: Browser, server: WebServer, console: Console
) -> None:
    console.expect(UNREACHABLE)
    console.expect("htmx:")
    club = table.round.evening.season.club
    club.table_entry = True
    club.save()
    Evening.objects.update(opened_at=timezone.now())
    page = browser_of(None, server.url, service_workers="allow").new_page()
    address = f"/at/{table_codes.code_of_table(table)}"
    visited(page, address)
    server.disconnect()
    page.get_by_role("group", name="Contract").get_by_role("radio", name="Take").check()
    page.get_by_role("group", name="Taker").get_by_role("radio", name="Ann").check()
    page.get_by_role("group", name="Oudlers").get_by_role("radio", name="2").check()
    page.get_by_label("Points", exact=True).fill("43")
    page.get_by_role("button", name="Record the deal").click()
    not_sent(page, 1)
    all_sent(page, server)
    assert len(facts_of(table)) == 1


@pytest.mark.faults
@pytest.mark.parametrize("seed", range(10))
def test_random_interruptions_lose_nothing_and_repeat_nothing(page: Page, table: Table, seed: int) -> None:
    """Ten sequences for each seed: deals between cuts of the network, closed tabs and second tabs."""
    random = Random(seed)
    context = page.context
    visited(page, form_address(table))
    recorded: list[int] = []
    for step in (step for _sequence in range(10) for step in random.choices(STEPS, k=6)):
        if step == "record":
            recorded.append(len(recorded) + 10)
            record_deal(page, random.choice(["Ann", "Bob", "Cid", "Dee"]), recorded[-1])
            page.wait_for_load_state()
        elif step in {"cut", "restore"}:
            context.set_offline(step == "cut")
        elif step == "reload":
            page.goto(form_address(table))
        else:
            old, page = page, context.new_page()
            page.goto(form_address(table))
            if step == "close":
                old.close()
    context.set_offline(False)
    page.goto(form_address(table))
    wait_until(page, NOTHING_WAITS)
    assert [facts["points"] for facts in facts_of(table)] == recorded
