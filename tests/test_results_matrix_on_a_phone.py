"""The results matrix on a phone: name, total and the last three evenings first, the others by scrolling."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, Locator, Page
from pytest_django.live_server_helper import LiveServer

from league.models.rights import Role
from league.seasons.tests.full_season import a_full_season
from tests.build import a_club, a_member

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 844}


def ends(part: Locator) -> tuple[float, float]:
    """Return the left and the right end."""
    box = part.bounding_box()
    assert box
    return box["x"], box["x"] + box["width"]


def opened_season(browser_of: Callable[..., BrowserContext], live_server: LiveServer) -> Page:
    club = a_club()
    season = a_full_season(club)
    page = browser_of(a_member(club, Role.MEMBER).user, live_server.url, viewport=PHONE).new_page()
    page.goto(season.get_absolute_url())
    return page


def test_the_last_three_evenings_are_between_name_and_total(
    browser_of: Callable[..., BrowserContext], live_server: LiveServer
) -> None:
    page = opened_season(browser_of, live_server)
    region = page.get_by_role("region", name="Results by evening")
    row = region.get_by_role("row").nth(1)
    cells = row.get_by_role("cell")
    name_end, total_start = ends(row.get_by_role("rowheader"))[1], ends(cells.last)[0]
    for place in (-2, -3, -4):
        left, right = ends(cells.nth(place))
        assert left >= name_end - 1
        assert right <= total_start + 1
    assert ends(cells.last)[1] <= PHONE["width"]
    assert ends(cells.nth(-6))[0] < name_end  # an earlier evening is under the name

    region.evaluate("region => region.scrollBy(-2000, 0)")
    first_evening = row.locator("css=td.num:not(.more)").first
    assert ends(first_evening)[0] >= ends(row.get_by_role("rowheader"))[1] - 1
    assert ends(cells.last)[0] == total_start
