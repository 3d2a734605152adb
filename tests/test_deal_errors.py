"""A refused deal on a phone: the page begins with its errors, and each leads to its input."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Deal
from league.models.rights import Role
from tests.build import a_member
from tests.conftest import Console
from tests.grid_desk import seated
from tests.readers import user_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def page(browser_of: Callable[..., BrowserContext], live_server: LiveServer, console: Console) -> Page:
    """Return the form of a new deal of tarot; only the points are missing."""
    console.expect("422 (Unprocessable Entity)")
    table = seated(["Ann", "Bob", "Cy", "Dan"], "tarot")
    secretary = a_member(table.round.evening.season.club, Role.SECRETARY)
    page: Page = browser_of(user_of(secretary), live_server.url, viewport=PHONE).new_page()
    page.goto(f"/tables/{table.pk}/deals/record")
    page.get_by_label("Guard", exact=True).check(force=True)
    page.get_by_role("group", name="Taker").get_by_label("Ann").check(force=True)
    page.get_by_role("group", name="Oudlers").get_by_label("2").check(force=True)
    return page


def record(page: Page) -> None:
    page.get_by_role("button", name="Record the deal").click()
    page.wait_for_load_state()


@pytest.mark.faults
def test_an_error_is_focused_and_leads_to_its_input(page: Page) -> None:
    points = page.get_by_label("Points", exact=True)
    points.fill("92")
    record(page)
    errors = page.get_by_role("alert").filter(has_text="To correct:")
    expect(errors).to_be_focused()
    expect(errors).to_be_in_viewport()
    expect(points).not_to_be_in_viewport()
    errors.get_by_role("link").click()
    expect(points).to_be_focused()
    expect(points).to_be_in_viewport()
    points.fill("60")
    expect(errors).to_be_hidden()
    record(page)
    assert Deal.objects.get().facts["points"] == 60


def test_a_missing_choice_leads_to_its_first_button(page: Page) -> None:
    page.get_by_role("group", name="Oudlers").get_by_label("2").evaluate("(input) => (input.checked = false)")
    record(page)
    page.get_by_role("alert").get_by_role("link", name="Oudlers").click()
    expect(page.get_by_role("group", name="Oudlers").get_by_label("0")).to_be_focused()


@pytest.mark.faults
def test_a_question_is_focused_and_leads_to_its_answer(page: Page) -> None:
    page.get_by_label("Points", exact=True).fill("43.5")
    record(page)
    question = page.get_by_role("alert").filter(has_text="Is this right?")
    expect(question).to_be_focused()
    question.get_by_role("link").click()
    page.get_by_label("Yes, it is written so on the sheet").check()
    record(page)
    assert Deal.objects.get().facts["points"] == 43.5
