"""Contrée in a browser: an evening of twelve pairs by keyboard, and a deal on a phone. Keys and taps are counted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Locator, Page, expect

from league.models import Evening, Table, table_codes
from league.models.evening import EveningState
from league.models.rights import Role
from scoring import registry
from tests.build import a_club, a_member, a_player, a_season, a_table, an_evening
from tests.grid_desk import facts_of
from tests.test_evening_by_keys import NO_MOUSE, Keyboard
from tests.webserver import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TABLES, DEALS = 6, 2
MAX_KEYS = {"plain row": 9, "row with extras": 20, "total": 1, "to the totals": 1, "to another page": 30}
MAX_TAPS = 9
FFB: Any = next(preset.options for preset in registry.rules("contree").presets if preset.name == "ffb-2016")
SUITS = {"spades": "s", "hearts": "h", "diamonds": "d", "clubs": "c", "no_trump": "n", "all_trumps": "a"}
SIGNS = {"attack": "+", "defence": "-", "taker": "*"}
DOUBLES = {None: "", "double": "x", "redouble": "xx"}


def keys(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield the keys of a deal by the legend beside the grid; Tab where another digit could follow."""
    if facts["taker"] is None:
        yield from ("0", "Enter")
        return
    contract, points = facts["contract"], str(facts["points"])
    yield str(facts["taker"] + 1)
    yield from f"{contract // 10:02}" if isinstance(contract, int) else contract[0]
    yield from (SUITS[facts["trump"]], *points, SIGNS[facts["last_trick"]])
    yield from DOUBLES[facts.get("double")]
    for side, number in facts.get("belotes", {}).items():
        yield from f"b{number if number > 1 else ''}{SIGNS[side]}" if number else ""
    if facts.get("all_tricks"):
        yield from f"s{SIGNS[facts['all_tricks']]}"
    yield "Enter"


def is_plain(facts: Mapping[str, Any]) -> bool:
    return not (facts.get("double") or facts.get("belotes") or facts.get("all_tricks"))


def enter_sheet(keyboard: Keyboard, table: Table, deals: list[dict[str, Any]]) -> None:
    """Type the rows of the open grid, then the totals on its paper, which leads to the next page."""
    page = keyboard.page
    expect(page).to_have_url(re.compile(f"/tables/{table.pk}/grid$"))
    expect(page.locator("#grid-number")).to_have_text("1")
    page.wait_for_load_state()
    for number, facts in enumerate(deals, 1):
        with keyboard.counting("plain row" if is_plain(facts) else "row with extras"):
            keyboard.press(*keys(facts))
        expect(page.locator("#grid-recorded tr")).to_have_count(number)
    expect(page.locator("#grid-done a")).to_be_visible()
    with keyboard.counting("to the totals"):
        keyboard.press("Enter")
    expect(page.get_by_label("total on the paper").first).to_be_focused()
    with page.expect_navigation():
        for points in table.seats.order_by("number").values_list("points", flat=True):
            with keyboard.counting("total", but=len(str(points))):
                keyboard.press(*str(points), "Enter")


def seated_evening(**fields: Any) -> Evening:
    """Return an evening of twelve pairs of contrée at six tables."""
    club = a_club(table_entry=True)
    season = a_season(club, "contree", table_sizes=[4], house_rules=FFB, end_number=DEALS, **fields)
    evening = an_evening(season)
    for _table in range(TABLES):
        a_table(evening, [club.memberships.create(player=a_player()).player for _seat in range(4)])
    return evening


@pytest.mark.faults
def test_an_evening_of_twelve_pairs_by_keys_alone(browser_of: Callable[..., BrowserContext], server: WebServer) -> None:
    evening = seated_evening()
    context = browser_of(a_member(evening.season.club, Role.SECRETARY).user, server.url)
    context.add_init_script(NO_MOUSE)
    page = context.new_page()
    keyboard = Keyboard(page)
    rng = Random(10)
    tables = list(evening.rounds.get().tables.order_by("number"))
    sheets = [[registry.play("contree")(rng, 4, [0.7] * 4, FFB).facts for _deal in range(DEALS)] for _table in tables]
    page.goto(f"/tables/{tables[0].pk}/grid")
    for table, deals in zip(tables, sheets, strict=True):
        enter_sheet(keyboard, table, deals)
    expect(page).to_have_url(re.compile(f"/evenings/{evening.pk}/$"))
    keyboard.follow(page.get_by_role("link", name="Close the evening"))
    keyboard.follow(page.get_by_role("button", name="Close the evening"))
    expect(page.get_by_text("The results are provisional")).to_be_visible()

    evening.refresh_from_db()
    assert evening.state == EveningState.CLOSED
    read = registry.rules("contree").read_earlier
    assert [read(4, facts_of(table)) for table in tables] == [read(4, deals) for deals in sheets]
    worst = {action: max(counts) for action, counts in keyboard.counted.items()}
    print(f"\n{keyboard.pressed} keys for the evening; at most: {worst}")
    assert worst.keys() == MAX_KEYS.keys()
    assert {action: count for action, count in worst.items() if count > MAX_KEYS[action]} == {}


class Finger:
    """Taps on a page, counted; a digit of the keypad is a tap."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, control: Locator) -> None:
        control.tap()
        self.taps += 1

    def choose(self, group: str, name: str) -> None:
        fieldset = self.page.get_by_role("group", name=group, exact=True)
        self.tap(fieldset.locator("label").filter(has=self.page.get_by_role("radio", name=name, exact=True)))

    def type(self, digits: str) -> None:
        self.page.keyboard.type(digits)
        self.taps += len(digits)


@pytest.mark.faults
def test_a_deal_on_a_phone(browser_of: Callable[..., BrowserContext], server: WebServer) -> None:
    table = seated_evening().rounds.get().tables.get(number=1)
    names = [str(seat.player) for seat in table.seats.order_by("number").select_related("player")]
    screen = {"width": 390, "height": 844}
    context = browser_of(None, server.url, viewport=screen, has_touch=True, is_mobile=True, locale="fr-FR")
    page = context.new_page()
    page.goto(reverse("league:at-table", args=[table_codes.code_of_table(table)]))
    page.wait_for_load_state("networkidle")
    finger = Finger(page)
    finger.choose("Preneur", names[1])
    finger.choose("Contrat", "100")
    finger.choose("Atout", "cœur")
    points = page.get_by_label("Points de cartes du camp du preneur")
    assert points.get_attribute("inputmode") == "numeric"
    finger.tap(points)
    finger.type("104")
    finger.choose("Dix de der pour", "camp du preneur")
    expect(page.get_by_role("status")).to_contain_text("+210")
    for label in page.get_by_role("group", name="Contrat", exact=True).locator("label").all():
        box = label.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    assert page.get_by_label("Annonces du camp du preneur").is_hidden(), "they are not played by these house rules"
    finger.tap(page.get_by_role("button", name="Saisir la donne"))
    expect(page.get_by_text("La donne est saisie")).to_be_visible()
    assert facts_of(table) == [{"taker": 1, "contract": 100, "trump": "hearts", "points": 104, "last_trick": "attack"}]
    print(f"\n{finger.taps} taps")
    assert finger.taps <= MAX_TAPS
