"""Every page in a real browser, on a phone and on a desk, light and dark: readable by all, and nothing sticks out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib import admin
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from league.models.rights import Role
from players.models import User
from scoring.game import all_games
from tests.build import PASSWORD, a_club, a_member
from tests.test_access import ROWS, places

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PARTS = 4  # of the addresses, so that all processors have their share
PHONE, DESK = (360, 740), (1280, 900)  # width and height
SCREENS = (PHONE, DESK)
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
AXE = Axe().axe_script
RUN = """
async (options) => (await axe.run({resultTypes: ["violations"], preload: false, ...options})).violations
    .map(({id, nodes}) => `${id}, ${nodes.length} times: ${nodes[0].html.slice(0, 200)}`)
"""
# Whatever else axe looks at, colours don't change; a desk shows more than a phone does.
LOOKS: tuple[tuple[tuple[int, int], Literal["light", "dark"], dict[str, object]], ...] = (
    (PHONE, "light", {}),
    (DESK, "dark", {"runOnly": ["color-contrast"]}),
)


def visits() -> dict[str, str]:
    """Return each address of a page, with the role that reads it: the club's admin, or who has no account yet.

    They are the GET rows of the access matrix, which is complete. A file or a part of a page is no page, nor is what
    sends everyone on; the guest's own table and deal look like any other.
    """
    readers: dict[str, str] = {}
    for row in ROWS:
        reader = next((role for role in ("admin", "anonymous") if row.expected[role] == "200"), None)
        if (
            row.method == "GET"
            and reader
            and not row.address.endswith((".csv", ".xlsx", ".html", "/healthz"))
            and "{guests_" not in row.address
        ):
            readers.setdefault(row.address, reader)
    return readers


def addresses(found: dict[str, object]) -> Iterator[tuple[str, str]]:
    """Reader and address of every visit; what is a game's own is visited for each of the games."""
    for address, reader in visits().items():
        for game in all_games() if "{game}" in address else [None]:
            yield reader, address.format(**(found | ({"game": game.slug} if game else {})))
    yield "root", reverse("league:watch")
    for game in all_games():
        yield "root", reverse("league:rating-rules", args=[game.slug])
    yield "root", reverse("admin:index")
    for model in admin.site._registry:
        yield "root", reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


@pytest.fixture
def browsing(browser_of: Callable[..., BrowserContext], live_server: LiveServer) -> Callable[[User | None], Page]:
    """Opens a page for someone, signed in; colours change at once."""

    def opened(user: User | None) -> Page:
        return browser_of(user, live_server.url, reduced_motion="reduce").new_page()

    return opened


@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_is_readable_by_everyone(browsing: Callable[[User | None], Page], part: int) -> None:
    club = a_club()
    manager, guest = a_member(club, Role.ADMIN), a_member(club, Role.GUEST)
    root = User.objects.create_superuser("root@club.example", PASSWORD)
    readers: dict[str, User | None] = {"admin": manager.user, "anonymous": None, "root": root}
    pages = {reader: browsing(user) for reader, user in readers.items()}
    wrong = {
        f"{reader} {address}": found
        for reader, address in list(addresses(places(club, guest)))[part::PARTS]
        if (found := list(faults(pages[reader], address)))
    }
    assert wrong == {}


def faults(page: Page, address: str) -> Iterator[str]:
    """What is wrong with a page, in words; what its console says, the context's fixture collects."""
    answer = page.goto(address)
    if answer is None or answer.status != 200 or urlsplit(page.url).path != urlsplit(address).path:
        yield f"no page: {answer and answer.status} {page.url}"
        return
    if (headings := page.locator("h1").count()) != 1:
        yield f"{headings} h1"
    ours = not address.startswith(reverse("admin:index"))  # the repair pages' colours and words are Django's
    if ours:
        page.evaluate(AXE)
    # From the look that the page before was left in: changing it costs more than to look.
    looks = LOOKS if page.viewport_size == {"width": PHONE[0], "height": PHONE[1]} else LOOKS[::-1]
    for (width, height), colours, options in looks:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=colours)
        if overflow := page.evaluate(OVERFLOW):
            yield f"{width} wide: {overflow} pixels stick out"
        if ours:
            yield from (f"{width} wide, {colours}: {each}" for each in page.evaluate(RUN, options))
