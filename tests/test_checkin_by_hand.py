"""The check-in in a real browser: two letters and Enter, an impatient finger, and a way back."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Evening
from league.models.rights import Role
from players.models import Player
from tests.build import a_club, a_member, a_player, a_season, an_evening
from tests.test_journeys import sign_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PRESSED = "aria-pressed"


@pytest.fixture
def evening(page: Page, live_server: LiveServer) -> Evening:
    """Tonight, on the secretary's screen, with three people who might come."""
    club = a_club(fee_member=300)
    for given, family in [("Zoé", "Petit"), ("Léa", "Urbain"), ("Gaston", "Roy")]:
        club.memberships.create(player=a_player(given, family))
    evening = an_evening(a_season(club))
    sign_in(page, live_server, a_member(club, Role.SECRETARY))
    page.goto(live_server.url + reverse("league:attendance", args=[evening.pk]))
    return evening


def present(evening: Evening) -> set[str]:
    return {str(player) for player in Player.objects.filter(attendances__evening=evening)}


def test_two_letters_and_enter_mark_who_is_meant_and_the_next_can_be_typed(page: Page, evening: Evening) -> None:
    page.get_by_label("Find a name").press_sequentially("ur")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Léa Urbain is there.")).to_be_visible()
    page.keyboard.type("zo")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Zoé Petit is there.")).to_be_visible()
    expect(page.get_by_label("Find a name")).to_be_focused()
    expect(page.get_by_text("2 players are there")).to_be_visible()
    assert present(evening) == {"Léa Urbain", "Zoé Petit"}


def test_a_double_touch_marks_once_and_undo_takes_it_back(page: Page, evening: Evening) -> None:
    row = page.get_by_role("button", name=re.compile("Gaston Roy"))
    row.first.dblclick()
    expect(row.first).to_have_attribute(PRESSED, "true")
    expect(row.first).to_be_focused()
    expect(page.get_by_text("Paid: €0.00 of €3.00.")).to_be_visible()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Gaston Roy is no longer checked in.")).to_be_visible()
    expect(row.first).to_have_attribute(PRESSED, "false")
    assert present(evening) == set()
