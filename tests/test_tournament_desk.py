"""The desk of a tournament in a browser: a new tournament from a preset; fees by one click, on a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from league.models.rights import Role
from players.models import User
from tests.build import a_club, a_member, a_tournament, a_tournament_preset, a_unit
from tests.readers import user_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_fee_is_taken_and_undone_by_one_click_without_losing_the_search(
    browser_of: Callable[[User, str], BrowserContext], live_server: LiveServer
) -> None:
    club = a_club()
    tournament = a_tournament(club)
    unit = a_unit(tournament, "Anne Petit", "Bruno Grand")
    a_unit(tournament, "Chloé Roy", "David Blanc")
    page = browser_of(user_of(a_member(club, Role.SECRETARY)), live_server.url).new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(reverse("league:tournament-desk", args=[tournament.pk]) + "?q=petit")

    page.get_by_role("button", name="Paid in cash").click()
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    sums = page.get_by_role("region", name="Payments")
    expect(sums).to_contain_text("Still to be paid €16.00")
    expect(page.get_by_text("Chloé Roy")).to_have_count(0)
    unit.refresh_from_db()
    assert (unit.paid, unit.payment_kind) == (1600, "cash")

    undo.click()
    expect(page.get_by_role("button", name="Paid in cash")).to_be_focused()
    expect(sums).to_contain_text("Still to be paid €32.00")
    unit.refresh_from_db()
    assert unit.paid == 0


FIELDS = "Object.fromEntries([...new FormData(document.querySelector('.tournament-form'))].slice(1))"  # no token


@pytest.mark.faults
def test_each_preset_fills_all_fields_of_the_untouched_form(
    browser_of: Callable[[User, str], BrowserContext], live_server: LiveServer
) -> None:
    """A click sends the fields that the page was opened with: only a real form has them all."""
    club = a_club()
    a_tournament_preset(club)
    a_tournament(club, fee=1000, exempt_points=972, forfeit_points=500, ties=["points"], notes="Soup at noon.")
    page = browser_of(user_of(a_member(club, Role.SECRETARY)), live_server.url).new_page()
    address = reverse("league:tournament-create", args=[club.slug])
    page.goto(address)
    choices = [button.get_attribute("formaction") for button in page.locator("[formaction]").all()]
    assert len(choices) > 8
    for choice in choices:
        page.goto(address + str(choice))
        expected = page.evaluate(FIELDS)
        page.goto(address)
        page.get_by_label("Name of the tournament").fill("Spring contest")
        page.locator(f"[formaction='{choice}']").click()
        expect(page.locator(f"[formaction='{choice}']")).to_have_attribute("aria-current", "true")
        shown = page.evaluate(FIELDS)
        assert {**shown, "name": ""} == {**expected, "name": ""}, choice
        assert shown["name"] == "Spring contest", choice
