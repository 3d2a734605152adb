"""Every page in French in a real browser, on a phone and on a desk: no English, and longer words don't stick out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from league.live.fragments import Watched, token
from league.models.rights import Role
from players.models import User
from tests.build import a_club, a_member
from tests.test_access import places
from tests.test_every_page import OVERFLOW, PARTS, SCREENS, addresses

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Words that English can't do without and French never has.
ENGLISH = re.compile(
    r"\b(?:the|of|is|are|isn't|not|this|that|with|who|yet|nobody|and|for|to|from|it|be|was|were|by|at|"
    r"deals?|seats?|rounds?|evenings?|seasons?|players?|games?|rank|rating|your|you)\b",
    re.IGNORECASE,
)
# The author's name for a game, what the rules quote, time zones, and this test's data: seasons, and a contest's reason.
NOT_OURS = re.compile(r"Two Way Street|«[^»]*»|Isle of Man|Port of Spain|Season \d+|Was 34")
READ_ALOUD = """
() => {
  const found = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (!node.parentElement.closest("script, style, noscript")) found.push(node.data);
    } else found.push(...["aria-label", "placeholder", "title", "alt"].map((name) => node.getAttribute(name) ?? ""));
  }
  return found.map((text) => text.trim()).filter(Boolean);
}
"""


@pytest.fixture
def reading(browser_of: Callable[..., BrowserContext], live_server: LiveServer) -> Callable[[User | None], Page]:
    """Opens a page for someone whose browser asks for French."""

    def opened(user: User | None) -> Page:
        return browser_of(user, live_server.url, locale="fr-FR", reduced_motion="reduce").new_page()

    return opened


@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_is_french_and_fits(reading: Callable[[User | None], Page], part: int) -> None:
    club = a_club(language="fr")
    manager, guest = a_member(club, Role.ADMIN), a_member(club, Role.GUEST)
    found = places(club, guest)
    found["live"] = token(Watched(int(str(found["evening"])), "fr"))
    pages = {"admin": reading(manager.user), "anonymous": reading(None)}
    wrong = [
        f"{reader} {address}: {fault}"
        for reader, address in list(addresses(found))[part::PARTS]
        if reader in pages  # the installation's repair pages are Django's own
        for fault in _faults(pages[reader], address)
    ]
    assert not wrong, "\n".join(wrong)


def _faults(page: Page, address: str) -> Iterator[str]:
    page.goto(address)
    if (language := page.locator("html").get_attribute("lang")) != "fr":
        yield f"its language is {language}"
    said = [NOT_OURS.sub("", text) for text in page.evaluate(READ_ALOUD)]
    yield from (text for text in said if ENGLISH.search(text))
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        if overflow := page.evaluate(OVERFLOW):
            yield f"{width} wide: {overflow} pixels stick out"
