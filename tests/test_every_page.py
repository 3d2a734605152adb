"""One crawl of every page in a real browser: accessible, in both languages, on a phone and on a desk.

`make test` opens a sample of the pages in French, with axe. `make test-faults` opens each page in French, and in
English with every rule of axe in light and dark colours, and the repair pages. Queries and rights are checked in
tests/test_budgets.py and tests/test_access.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib import admin
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from league.evenings.views.live.fragments import sign_live_token
from league.models import Club, Evening
from league.models.rights import Role
from players.models import User
from scoring.game import all_games
from tests.build import PASSWORD, a_club, a_member, watched
from tests.test_access import ROWS, places

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NO_PAGES = (
    ".csv",
    ".xlsx",
    ".html",
    ".json",
    ".ics",
    ".atom",
    ".png",
    ".css",
    "/{mark}",
    "/healthz",
    "/livez",
    ".webmanifest",
    ".js",
)
COLOUR = "#7d1f3c"  # the club's own, on which its name is read
PARTS = 2  # of the addresses, so that two processors share them; each part builds a club
SAMPLE = 15  # one page in so many, in `make test`
PHONE, DESK = (360, 740), (1280, 900)  # width and height
COMMON_PHONE = (390, 844)
SCREENS = (PHONE, DESK)
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
WAITS_FOR_HTMX = "!window.htmx && document.querySelector('[hx-get], [hx-post]') !== null"
AXE = Axe().axe_script
RUN = """
async (options) => (await axe.run({resultTypes: ["violations"], preload: false, ...options})).violations
    .map(({id, nodes}) => `${id}, ${nodes.length} times: ${nodes[0].html.slice(0, 200)}`)
"""
# Whatever else axe looks at, colours don't change; a desk shows more than a phone does.
VIEWS: tuple[tuple[tuple[int, int], Literal["light", "dark"], dict[str, object]], ...] = (
    (PHONE, "light", {}),
    (DESK, "dark", {"runOnly": ["color-contrast"]}),
)
# All but colours, which take most of the time and follow from style sheets that pages share.
WITHOUT_COLOURS: dict[str, object] = {"rules": {"color-contrast": {"enabled": False}}}

# Words that English can't do without and French never has.
ENGLISH = re.compile(
    r"\b(?:the|of|is|are|isn't|not|this|that|with|who|yet|nobody|and|for|to|from|it|be|was|were|by|at|"
    r"deals?|seats?|rounds?|evenings?|seasons?|players?|games?|rank|rating|your|you)\b",
    re.IGNORECASE,
)
# Addresses of the API, the author's name for a game, what the rules quote, time zones, and this test's data:
# seasons, and a contest's reason.
NOT_OURS = re.compile(r"/api/v1/\S+|Two Way Street|«[^»]*»|Isle of Man|Port of Spain|Season \d+|Was 34")
# Words of headers, headings and labels that are broken over two lines; medals that are no circles.
BROKEN = """
() => {
  const found = new Set();
  const isHidden = (element) => element && (element.offsetWidth === 1 || isHidden(element.offsetParent));
  const isClipped = (element) => Boolean(element.closest("thead, th, caption")) &&
      [element, element.closest("thead")].some((each) => each && getComputedStyle(each).clipPath !== "none");
  const notShown = "script, style, template, code, .visually-hidden";
  const hosts = "th, h1, h2, h3, h4, dt, label, legend, caption, button, .btn";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const host = node.parentElement.closest(hosts);
    if (!host || node.parentElement.closest("script, style, template, code, .visually-hidden")) continue;
    if (isHidden(host) || isClipped(host)) continue;
    for (const {0: word, index} of node.data.matchAll(/[\\p{L}\\p{N}’']+/gu)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = [...range.getClientRects()].filter(({width}) => width > 1).map(({top}) => Math.round(top));
      if (tops.some((top) => Math.abs(top - tops[0]) > 3)) found.add(`“${word}” is broken in a ${host.localName}`);
    }
  }
  for (const medal of document.querySelectorAll(".medal")) {
    const {width, height} = medal.getBoundingClientRect();
    if (Math.abs(width - height) > .5) found.add(`a medal is ${width} wide and ${height} high`);
  }
  return [...found];
}
"""
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


def visits(*, of_public_club: bool = False) -> dict[str, str]:
    """Return each address of a page, with the role that reads it: the club's admin, or who has no account yet.

    They are the GET rows of the access matrix, which is complete. A file or a part of a page is no page, nor is what
    sends everyone on; the guest's own table, deal and numbers look like any other. The club of this test is private;
    the pages that only a public club shows have their own test.
    """
    readers: dict[str, str] = {}
    for row in ROWS:
        reader = next((role for role in ("admin", "anonymous") if row.expected[role] == "200"), None)
        if (
            row.method == "GET"
            and reader
            and not row.address.partition("?")[0].endswith(NO_PAGES)
            and not row.address.startswith("/api/v1/")
            and (of_public_club or row.club != "public")
            and "{guests_" not in row.address
            and not ("{guest}" in row.address and "{game}" in row.address)
        ):
            readers.setdefault(row.address, reader)
    return readers


def addresses(place_names: dict[str, object], *, of_public_club: bool = False) -> Iterator[tuple[str, str]]:
    """Reader and address of every visit; what is a game's own is visited for each of the games."""
    for address, reader in visits(of_public_club=of_public_club).items():
        for game in all_games() if "{game}" in address else [None]:
            yield reader, address.format(**(place_names | ({"game": game.slug} if game else {})))
    yield "root", reverse("league:watch")
    yield "root", reverse("league:looks")
    for game in all_games():
        yield "root", reverse("league:rating-rules", args=[game.slug])
    yield "root", reverse("admin:index")
    for model in admin.site._registry:
        yield "root", reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


@pytest.fixture
def browsing(browser_of: Callable[..., BrowserContext], live_server: LiveServer) -> Callable[[User | None, str], Page]:
    """Opens a page for someone whose browser asks for a language, signed in; colours change at once."""

    def opened(user: User | None, language: str) -> Page:
        return browser_of(user, live_server.url, locale=language, reduced_motion="reduce").new_page()

    return opened


@dataclass(frozen=True)
class Visited:
    """A private club, the readers of its pages, and the values in their addresses."""

    club: Club
    readers: dict[str, User | None]
    place_names: dict[str, object]

    def faults(
        self, opened: dict[str, Page], chosen: slice, faults_of: Callable[[Page, str], Iterator[str]]
    ) -> list[str]:
        """Return the faults of the chosen pages, each with its reader and address."""
        return [
            f"{reader} {address}: {fault}"
            for reader, address in list(addresses(self.place_names))[chosen]
            if reader in opened
            for fault in faults_of(opened[reader], address)
        ]


@pytest.fixture
def visited() -> Visited:
    club = a_club(colour=COLOUR)
    manager, guest = a_member(club, Role.ADMIN), a_member(club, Role.GUEST)
    root = User.objects.create_superuser("root@club.example", PASSWORD)
    return Visited(club, {"admin": manager.user, "anonymous": None, "root": root}, places(club, guest))


@pytest.fixture
def french_pages(browsing: Callable[[User | None, str], Page], visited: Visited) -> dict[str, Page]:
    """A French page of each reader; prints and the hall's screen are French, too."""
    Club.objects.filter(pk=visited.club.pk).update(language="fr")
    evening = Evening.objects.get(pk=int(str(visited.place_names["evening"])))
    visited.place_names["live"] = sign_live_token(watched(evening, "fr"))
    return {
        reader: browsing(user, "fr-FR")
        for reader, user in visited.readers.items()
        if reader != "root"  # the installation's repair pages are Django's own
    }


def test_some_pages_are_accessible_and_french(french_pages: dict[str, Page], visited: Visited) -> None:
    for page in french_pages.values():
        page.add_init_script(AXE)
    seen = visited.faults(french_pages, slice(0, None, SAMPLE), faults_on_a_phone)
    assert not seen, "\n".join(seen)


@pytest.mark.faults
@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_is_french(french_pages: dict[str, Page], visited: Visited, part: int) -> None:
    """Without axe, whose rules are not about a language: the test in English has them all."""
    seen = visited.faults(french_pages, slice(part, None, PARTS), french_faults)
    assert not seen, "\n".join(seen)


@pytest.mark.faults
@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_is_readable_in_english_and_in_both_colours(
    browsing: Callable[[User | None, str], Page], visited: Visited, part: int
) -> None:
    pages = {reader: browsing(user, "en-GB") for reader, user in visited.readers.items()}
    for page in pages.values():
        page.add_init_script(AXE)
    seen = visited.faults(pages, slice(part, None, PARTS), english_faults)
    assert not seen, "\n".join(seen)


def open_page(page: Page, address: str) -> Iterator[str]:
    """Open the page; yield the faults of any page in any language. The console's faults fail the context's fixture."""
    answer = page.goto(address)
    if answer is None or answer.status != 200 or urlsplit(page.url).path != urlsplit(address).path:
        yield f"no page: {answer and answer.status} {page.url}"
        return
    if (headings := page.locator("h1").count()) != 1:
        yield f"{headings} h1"
    if page.evaluate(WAITS_FOR_HTMX):
        yield "fetches parts of itself by htmx, which it doesn't load"


def english_faults(page: Page, address: str) -> Iterator[str]:
    yield from open_page(page, address)
    ours = not address.startswith(reverse("admin:index"))  # the repair pages' colours and words are Django's
    # From the look that the page before was left in: changing it costs more than to look.
    views = VIEWS if page.viewport_size == {"width": PHONE[0], "height": PHONE[1]} else VIEWS[::-1]
    for (width, height), colours, options in views:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=colours)
        if overflow := page.evaluate(OVERFLOW):
            yield f"{width} wide: {overflow} pixels stick out"
        if ours:
            yield from (f"{width} wide, {colours}: {each}" for each in page.evaluate(RUN, options))
    if ours:
        yield from broken_words(page)


def broken_words(page: Page) -> Iterator[str]:
    """Words that a narrow screen breaks, which nobody reads at a glance."""
    width, height = COMMON_PHONE
    page.set_viewport_size({"width": width, "height": height})
    yield from (f"{width} wide: {each}" for each in page.evaluate(BROKEN))


def french_faults(page: Page, address: str) -> Iterator[str]:
    """English words, and whatever longer words break."""
    yield from open_page(page, address)
    if (language := page.locator("html").get_attribute("lang")) != "fr":
        yield f"its language is {language}"
    texts = [NOT_OURS.sub("", text) for text in page.evaluate(READ_ALOUD)]
    yield from (text for text in texts if ENGLISH.search(text))
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        if overflow := page.evaluate(OVERFLOW):
            yield f"{width} wide: {overflow} pixels stick out"
    yield from broken_words(page)


def faults_on_a_phone(page: Page, address: str) -> Iterator[str]:
    """The same, and faults that axe finds."""
    yield from french_faults(page, address)
    yield from (f"{COMMON_PHONE[0]} wide: {fault}" for fault in page.evaluate(RUN, WITHOUT_COLOURS))
