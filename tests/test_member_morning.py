"""The morning after, on a phone and at a desk: a member's home page, and a visitor's way to a deal."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import BrowserContext, Page, expect

from league.actions import contests
from league.models import Deal, Intention, Run, Season
from league.models.evening import EveningState
from league.models.season import SeasonState
from league.recompute.work import runs
from league.seasons.tests.three_evenings import three_evenings
from players.models import Player, User
from tests.build import NOW, a_club, a_season, an_evening
from tests.webserver import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE, DESK = (390, 844), (1280, 900)
SCREENS = [pytest.param(PHONE, id="phone"), pytest.param(DESK, id="desk", marks=pytest.mark.faults)]
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture
def season() -> Season:
    """An open season of a public club: Ann has played three evenings and is second, the next one is a week ahead."""
    season = a_season(a_club(name="Le Petit au bout", public=True), name="Autumn", state=SeasonState.OPEN)
    people = three_evenings(season)
    Player.objects.filter(pk=people[0].pk).update(user=User.objects.create(email="ann@club.example"))
    an_evening(season, EveningState.PLANNED, on=timezone.localdate() + timedelta(days=7))
    runs.run(Run.Trigger.COMMAND, now=timezone.now(), everything=True)
    return season


def opened(
    browser_of: Callable[..., BrowserContext], server: WebServer, screen: tuple[int, int], season: Season | None = None
) -> Page:
    """Return a page of Ann's browser, or of a visitor's without a season."""
    user = season.club.memberships.get(player__given_name="Ann").player.user if season else None
    width, height = screen
    return browser_of(user, server.url, viewport={"width": width, "height": height}).new_page()


def is_on_screen(page: Page, text: str) -> bool:
    """Return whether the text is seen without scrolling."""
    box = page.get_by_text(text).first.bounding_box()
    size = page.viewport_size
    return bool(box and size and box["y"] + box["height"] <= size["height"])


@pytest.mark.parametrize("screen", SCREENS)
def test_a_member_sees_where_he_stands_why_and_who_won(
    browser_of: Callable[..., BrowserContext], server: WebServer, season: Season, screen: tuple[int, int]
) -> None:
    page = opened(browser_of, server, screen, season)
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Hello Ann")
    card = page.get_by_role("region", name="Autumn")
    # What I did, where I stand, who is next, when we play again: on the first screen.
    for text_shown in ("2nd", "of 4, 72", "Bea Durand, 1st, 144 ahead", "Last evening", "Next evening", "I come"):
        expect(card).to_contain_text(text_shown)
        assert is_on_screen(page, text_shown), text_shown
    card.get_by_role("button", name="I come").click()
    expect(page.get_by_text("1 person is coming")).to_be_visible()
    assert Intention.objects.get().comes

    # Who won, and why am I second.
    card.get_by_role("term").filter(has_text="Last evening").locator("xpath=following-sibling::dd[1]").get_by_role(
        "link"
    ).first.click()
    expect(page.get_by_role("heading", name="What happened")).to_be_visible()
    expect(page.get_by_role("list").filter(has_text="Bea Durand").first).to_contain_text("270")
    assert page.evaluate(SIDEWAYS) == 0
    page.goto("/")
    card.get_by_role("link", name="2nd").click()
    for evening in ("81", "81", "−90"):
        expect(page.get_by_role("main")).to_contain_text(evening)
    assert page.evaluate(SIDEWAYS) == 0


@pytest.mark.faults
@pytest.mark.parametrize("screen", SCREENS)
def test_what_changed_since_waits_on_the_home_page(
    browser_of: Callable[..., BrowserContext], server: WebServer, season: Season, screen: tuple[int, int]
) -> None:
    deal = Deal.objects.latest("pk")
    ann = season.club.memberships.get(player__given_name="Ann").player
    contests.record_contest(deal.pk, player_id=ann.pk, reason="It was 51.", now=NOW)
    page = opened(browser_of, server, screen, season)
    page.goto("/")
    contested = page.get_by_role("region", name="Deals that you contested")
    expect(contested).to_contain_text("It was 51.")
    contested.get_by_role("link").first.click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert page.url.endswith(deal.get_absolute_url())


@pytest.mark.parametrize("screen", SCREENS)
def test_a_visitor_goes_from_the_club_to_a_deal_and_tries_another(
    browser_of: Callable[..., BrowserContext], server: WebServer, season: Season, screen: tuple[int, int]
) -> None:
    page = opened(browser_of, server, screen)
    page.goto(season.club.get_absolute_url())
    expect(page.get_by_role("heading", level=1)).to_have_text("Le Petit au bout")
    page.goto(season.get_absolute_url())
    row = page.get_by_role("row").filter(has_text="Bea Durand").filter(has_text="216")
    expect(row).to_be_visible()
    assert page.evaluate(SIDEWAYS) == 0
    row.get_by_role("link", name="Bea Durand").click()
    expect(page.get_by_role("heading", level=1, name="Bea Durand")).to_be_visible()
    assert page.evaluate(SIDEWAYS) == 0

    # Another deal, tried and sent on: its address gives the same points to somebody else.
    page.goto(reverse("league:calculator", args=["tarot"]) + "?seats=4")
    for group, name in (("Contract", "Take"), ("Taker", "Player 1"), ("Oudlers", "2")):
        page.get_by_role("group", name=group, exact=True).get_by_role("radio", name=name, exact=True).check()
    page.get_by_label("Points", exact=True).fill("43")
    address = page.get_by_role("link", name="The address of this deal").get_attribute("href")
    assert address
    second_page = opened(browser_of, server, screen)
    second_page.goto(address)
    expect(second_page.get_by_role("status")).to_contain_text("Player 1 +81, Player 2 −27")
    assert second_page.evaluate(SIDEWAYS) == 0
    second_page.goto("/")
    assert "Sign in" in second_page.content()


@pytest.mark.faults
def test_arrows_of_the_standings_move_once_after_an_update(
    browser_of: Callable[..., BrowserContext], server: WebServer, season: Season
) -> None:
    """Catches arrows that move at the first visit, at every visit, or for who wants no motion."""
    page = opened(browser_of, server, DESK)
    address = server.url + season.get_absolute_url()
    moving = "document.getAnimations().filter((each) => each.animationName?.startsWith('move-from-')).length"
    changed = page.locator(".new-ranks")
    page.goto(address)
    assert (changed.count(), page.evaluate(moving)) == (0, 0)
    page.evaluate("(key) => localStorage.setItem(key, 'another')", f"ranks-{season.pk}")
    page.reload()
    expect(changed).to_be_attached()
    assert page.locator(".new-ranks .move-up, .new-ranks .move-down").count() == page.evaluate(moving) > 0
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(moving) == 0
    page.reload()
    assert changed.count() == 0
