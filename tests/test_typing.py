"""The live preview in a real browser: whoever types fast loses no key, and the form follows."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.conftest import Console

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def opened(page: Page, server: LiveServer, slug: str, seats: int) -> None:
    page.goto(f"{server.url}{reverse('league:calculator', args=[slug])}?seats={seats}")


@pytest.mark.faults
def test_no_key_is_lost_while_answers_come_in(page: Page, live_server: LiveServer) -> None:
    opened(page, live_server, "two-way-street", 10)
    for seat in range(1, 11):
        page.get_by_role("radio", name=f"Player {seat}: {'high' if seat % 2 else 'low'}", exact=True).check()
    answers: list[str] = []
    page.on("response", lambda response: answers.append(response.url))
    page.get_by_label("Player 1: tricks").focus()
    # A little slower than the preview waits: a request goes out after nearly every key, and its answer comes later.
    for typed in ("1", "0", "12", "3", "104", "0", "9", "21", "0", "7"):
        page.keyboard.type(typed, delay=230)
        page.keyboard.press("Tab")
        page.keyboard.press("Tab")  # over the next player's call, to "forced"
        page.keyboard.press("Tab")
    found = [page.get_by_label(f"Player {seat}: tricks", exact=True).input_value() for seat in range(1, 11)]
    assert found == ["1", "0", "12", "3", "104", "0", "9", "21", "0", "7"]
    assert len(answers) > 3


def test_caret_stays_where_it_is(page: Page, live_server: LiveServer) -> None:
    opened(page, live_server, "tarot", 4)
    page.get_by_role("radio", name="Take", exact=True).check()
    page.get_by_role("group", name="Taker").get_by_role("radio", name="Player 1").check()
    page.get_by_role("group", name="Oudlers").get_by_role("radio", name="2").check()
    field = page.get_by_label("Points", exact=True)
    field.type("4", delay=30)
    expect(page.get_by_text("4 points are not possible")).to_be_visible()
    expect(field).to_have_attribute("aria-invalid", "true")
    field.press("Home")
    page.keyboard.type("3")
    expect(page.get_by_role("status")).to_contain_text("Player 1 −")  # 34 of 41
    page.keyboard.press("Backspace")
    field.press("End")
    page.keyboard.type("3")
    expect(page.get_by_role("status")).to_contain_text("Player 1 +81")  # 001's first example
    expect(field).to_be_focused()
    expect(field).not_to_have_attribute("aria-invalid", "true")


def test_contract_shows_its_fields_and_keeps_what_was_typed(page: Page, live_server: LiveServer) -> None:
    opened(page, live_server, "tarot", 3)
    page.get_by_role("radio", name="Take", exact=True).check()
    page.get_by_label("Points", exact=True).fill("43")
    page.get_by_role("radio", name="One for one").check()
    expect(page.get_by_label("Points in the dog")).to_be_visible()
    expect(page.get_by_label("Points", exact=True)).to_be_hidden()
    page.get_by_role("radio", name="Take", exact=True).check()
    expect(page.get_by_label("Points", exact=True)).to_have_value("43")


@pytest.mark.faults
def test_tie_asks_for_characters(page: Page, live_server: LiveServer) -> None:
    opened(page, live_server, "tarot", 3)
    page.get_by_role("radio", name="One for one").check()
    expect(page.get_by_label("Player 1: kings")).to_be_hidden()
    for seat, (won, tricks) in enumerate((("20", "6"), ("20", "6"), ("45", "12")), start=1):
        page.get_by_label(f"Player {seat}: Points").fill(won)
        page.get_by_label(f"Player {seat}: Tricks").fill(tricks)
    for oudler in ("21", "Excuse", "Small"):
        page.get_by_role("group", name="Player 3: Oudlers").get_by_role("checkbox", name=oudler).check()
    page.get_by_label("Points in the dog").fill("6")
    expect(page.get_by_label("Player 1: kings")).to_be_visible()
    expect(page.get_by_label("Player 2: kings")).to_be_visible()
    expect(page.get_by_label("Player 3: kings")).to_be_hidden()


@pytest.mark.faults
def test_preview_says_when_the_server_is_gone(page: Page, live_server: LiveServer, console: Console) -> None:
    console.expect("ERR_INTERNET_DISCONNECTED")
    console.expect("htmx:")
    opened(page, live_server, "belote", 4)
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    page.get_by_label(re.compile("Card points")).fill("75")
    expect(page.get_by_text("The server can’t be reached")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_label(re.compile("Card points")).fill("76")
    expect(page.get_by_text("The server can’t be reached")).to_be_hidden()
