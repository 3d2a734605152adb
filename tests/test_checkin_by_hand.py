"""The check-in in a real browser: two letters and Enter, an impatient finger, and a way back."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.actions import attendance as attending
from league.models import Club, Evening
from league.models.rights import Role
from players.models import Player
from players.naming import Audience, names_shown_to
from tests.build import a_club, a_member, a_player, a_season, an_evening
from tests.conftest import Console, add_session
from tests.readers import user_of
from tests.searched_names import SEARCHED_NAMES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PRESSED = "aria-pressed"
DELAY = 150  # milliseconds between the last letter and the search


@pytest.fixture
def evening(page: Page, live_server: LiveServer) -> Evening:
    """Tonight, on the secretary's screen, with three people who might come."""
    club = a_club(fee_member=300)
    for given_name, family in [("Zoé", "Petit"), ("Léa", "Urbain"), ("Gaston", "Roy")]:
        club.memberships.create(player=a_player(given_name, family))
    evening = an_evening(a_season(club))
    add_session(page.context, user_of(a_member(club, Role.SECRETARY)), live_server.url)
    page.goto(live_server.url + reverse("league:attendance", args=[evening.pk]))
    expect(page.get_by_label("Find a name")).to_be_focused()  # after the page is loaded: a letter before it is lost
    return evening


def present(evening: Evening) -> set[str]:
    return set(Player.objects.filter(attendances__evening=evening).values_list("display_name", flat=True))


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


@pytest.mark.faults
def test_a_fee_and_a_guest_are_a_few_keys_and_the_search_has_the_focus_again(page: Page, evening: Evening) -> None:
    search = page.get_by_label("Find a name")
    page.keyboard.type("zo")
    page.keyboard.press("Enter")
    page.keyboard.press("+")  # before the mark is there
    expect(page.get_by_text("Zoé Petit has paid.")).to_be_visible()
    page.keyboard.type("ur")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Léa Urbain is there.")).to_be_visible()
    page.keyboard.type("zo")
    page.keyboard.press("+")  # who has paid owes nothing
    page.keyboard.type("ur")  # without a look at the page
    page.keyboard.press("+")
    expect(page.get_by_text("Léa Urbain has paid.")).to_be_visible()
    expect(page.get_by_text("Paid: €6.00 of €6.00.")).to_be_visible()
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.get_by_text("Léa Urbain has not paid.")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("To pay.*Léa Urbain"))).to_be_focused()

    search.focus()
    page.keyboard.type("Yann Visiteur")
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")  # again, before the page answers
    expect(page.get_by_text("Yann Visiteur is checked in as a guest.")).to_be_visible()
    expect(search).to_be_focused()
    page.wait_for_load_state()
    page.keyboard.type("Roy")
    page.keyboard.press("Shift+Enter")  # not the Roy of the club
    expect(page.get_by_text("Roy is checked in as a guest.")).to_be_visible()
    assert present(evening) == {"Zoé Petit", "Léa Urbain", "Yann Visiteur", "Roy"}


@pytest.mark.faults
def test_enter_on_a_name_that_nobody_has_leaves_the_cursor_and_adds_nobody(page: Page, evening: Evening) -> None:
    search = page.get_by_label("Find a name")
    page.keyboard.type("conn")
    for _time in range(3):
        page.keyboard.press("Enter")
    expect(page.get_by_role("status").get_by_text("Nobody is called conn: Shift+Enter adds a guest")).to_be_visible()
    page.keyboard.press("Enter")
    expect(search).to_be_focused()
    expect(search).to_have_value("conn")
    expect(page.get_by_label("Name of a guest")).to_have_value("")
    page.keyboard.press("Shift+Enter")
    expect(page.get_by_text("conn is checked in as a guest.")).to_be_visible()
    assert present(evening) == {"conn"}


@pytest.mark.faults
def test_a_phone_adds_a_guest_and_taking_off_removes_the_name(page: Page, evening: Evening) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_label("Find a name").fill("conn")
    page.get_by_role("button", name="Add as guest").click()
    expect(page.get_by_text("conn is checked in as a guest.")).to_be_visible()
    page.get_by_role("button", name="conn guest There").click()
    expect(page.get_by_text("conn is no longer checked in. This guest never played")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^conn"))).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_be_focused()
    expect(page.get_by_text("0 players are there")).to_be_visible()
    assert not evening.season.club.memberships.filter(role=Role.GUEST).exists()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("conn is checked in as a guest.")).to_be_visible()
    assert present(evening) == {"conn"}


@pytest.mark.faults
def test_the_page_shows_those_whom_the_database_finds(page: Page, evening: Evening) -> None:
    club = evening.season.club
    for searched_name in SEARCHED_NAMES:
        club.memberships.create(player=a_player(searched_name.given_name, searched_name.family_name))
    page.clock.install()  # no typed name waits for the delay of the search
    page.reload()
    search = page.get_by_label("Find a name")
    on_page, in_database = {}, {}
    with names_shown_to(Audience.COMMITTEE):
        for typed in (typed for each in SEARCHED_NAMES for typed in (*each.found_by, *each.not_found_by)):
            search.fill(typed)
            page.clock.fast_forward(DELAY)
            page.wait_for_function("typed => document.getElementById('q').dataset.found === typed", arg=typed)
            on_page[typed] = set(page.locator(".person button.person-name > span").all_inner_texts())
            people = Player.objects.filter(memberships__club=club).search(typed)
            in_database[typed] = {person.display_name for person in people}
    assert on_page == in_database
    for each in SEARCHED_NAMES:
        name = f"{each.given_name} {each.family_name}"
        assert all(name in on_page[typed] for typed in each.found_by)
        assert not any(name in on_page[typed] for typed in each.not_found_by)


@pytest.mark.faults
def test_a_treasurer_takes_a_fee_with_enter(
    page: Page, evening: Evening, browser_of: Callable[..., BrowserContext], live_server: LiveServer
) -> None:
    club = evening.season.club
    attending.check_in(evening.pk, list(club.memberships.values_list("player", flat=True)))
    treasurer = browser_of(a_member(club, Role.TREASURER).user, live_server.url).new_page()
    treasurer.goto(page.url)
    treasurer.get_by_label("Find a name").press_sequentially("ga")
    treasurer.keyboard.press("Enter")
    expect(treasurer.get_by_text("Gaston Roy has paid.")).to_be_visible()


@pytest.mark.faults
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


@pytest.mark.faults
def test_a_touch_that_is_refused_leads_to_why(page: Page, evening: Evening, console: Console) -> None:
    console.expect("403")
    Club.objects.update(asks_second_factor=True)
    page.get_by_role("button", name="Zoé Petit").click()
    expect(page.get_by_role("heading", name="A second factor first")).to_be_visible()
    assert present(evening) == set()
    Club.objects.update(asks_second_factor=False)
    page.get_by_role("link", name="Go on").click()
    page.get_by_role("button", name="Zoé Petit").click()
    expect(page.get_by_text("1 player is there")).to_be_visible()
