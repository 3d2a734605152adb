"""A desk on a phone: codes, points, totals, buttons and menus are all on the screen, in both languages."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models.evening import EveningState
from league.models.rights import Role
from scoring.game import all_games
from tests.build import a_club, a_deal, a_member, a_season, an_evening
from tests.grid_desk import seated
from tests.readers import user_of
from tests.test_every_page import BROKEN

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = ["Ann", "Bartholomew", "Cy", "Dan", "Eve", "Fay"]
WIDTH = 390
OUTSIDE = """
() => [...document.querySelectorAll("#grid :is(th, td, input, button)")]
    .filter((each) => each.offsetWidth > 1 && getComputedStyle(each).visibility === "visible")
    .map((each) => [each.getBoundingClientRect(), each])
    .filter(([{left, right}]) => left < 0 || right > innerWidth)
    .map(([{left, right}, each]) => `${each.localName} “${each.innerText || each.name}” from ${left} to ${right}`)
"""
# Rows of which not all codes, or not all points, stand in one line below their headers.
TORN = """
() => {
  const placed = (row) => ["th, td:not(.num, [colspan], .row-actions)", ".num"].map((kind) => [...row.children]
      .filter((each) => each.matches(kind) && each.offsetWidth > 1)
      .map((each) => each.getBoundingClientRect()));
  const heads = placed(document.querySelector("#grid thead tr"));
  const rows = [...document.querySelectorAll("#grid tbody tr:has(> .num)")];
  return rows.flatMap((row) => placed(row).flatMap((cells, kind) =>
      cells.filter(({top, left}, at) => Math.abs(top - cells[0].top) > 2 || Math.abs(left - heads[kind][at].left) > 2)
          .map(({left, top}) => `${row.innerText}: a cell at ${left}, ${top}`)));
}
"""
TABLES = [(game.slug, size) for game in all_games() for size in game.sizes if size <= len(NAMES)]
IN_EACH_RUN = ("tarot", 5)  # of `make test`: the widest rows that are typed each week; the others in `make test-faults`


# French words are longer.
@pytest.mark.parametrize("locale", [pytest.param("en-GB", marks=pytest.mark.faults), "fr-FR"])
@pytest.mark.parametrize(
    ("game", "size"),
    [pytest.param(*table, marks=() if table == IN_EACH_RUN else pytest.mark.faults) for table in TABLES],
)
def test_everything_of_the_grid_is_on_the_screen(
    browser_of: Callable[..., BrowserContext], live_server: LiveServer, game: str, size: int, locale: str
) -> None:
    table = seated(NAMES[:size], game)
    if (game, size) == ("tarot", 4):
        a_deal(table)
    secretary = a_member(table.round.evening.season.club, Role.SECRETARY)
    screen = {"width": WIDTH, "height": 844}
    page: Page = browser_of(user_of(secretary), live_server.url, viewport=screen, locale=locale).new_page()
    page.goto(f"/tables/{table.pk}/grid")
    expect(page.locator("#grid-row .row-actions button")).to_be_in_viewport(ratio=0)
    assert page.evaluate(OUTSIDE) == []
    assert page.evaluate(TORN) == []
    assert page.evaluate("document.querySelector('.grid-room').scrollWidth") <= WIDTH
    assert page.evaluate(BROKEN) == []


@pytest.mark.faults
def test_comparing_the_totals_shows_the_result(
    browser_of: Callable[..., BrowserContext], live_server: LiveServer
) -> None:
    """The row below which the button stands is out of sight then, and so was the result."""
    table = seated(NAMES[:4])
    for _ in range(4):
        a_deal(table)
    secretary = a_member(table.round.evening.season.club, Role.SECRETARY)
    screen = {"width": WIDTH, "height": 500}  # the rest is the keyboard
    page: Page = browser_of(user_of(secretary), live_server.url, viewport=screen).new_page()
    page.goto(f"/tables/{table.pk}/grid")
    for name in NAMES[:4]:
        page.get_by_label(f"{name}: total on the paper").fill("7")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("The totals on the paper disagree")).to_be_in_viewport()


@pytest.mark.parametrize("state", [EveningState.PLANNED, pytest.param(EveningState.OPEN, marks=pytest.mark.faults)])
def test_the_menus_of_an_evening_are_on_the_screen(
    browser_of: Callable[..., BrowserContext], live_server: LiveServer, state: EveningState
) -> None:
    """In French the menu of a planned evening stands far on the right."""
    evening = an_evening(a_season(a_club()), state)
    secretary = a_member(evening.season.club, Role.SECRETARY)
    screen = {"width": WIDTH, "height": 844}
    page: Page = browser_of(user_of(secretary), live_server.url, viewport=screen, locale="fr-FR").new_page()
    page.goto(evening.get_absolute_url())
    page.locator(".task-bar summary", has_text="Imprimer").click()
    box = page.locator(".task-bar [open] ul").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= WIDTH
