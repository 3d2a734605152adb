"""The installed app: what the browser requires of it, and its page without a network."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, expect

from league.models.rights import Role
from tests.build import a_club, a_member
from tests.conftest import Console
from tests.service_worker import CONTROLLED, wait_until
from tests.webserver import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Browser = Callable[..., BrowserContext]


def test_the_browser_finds_nothing_that_prevents_installing(browser_of: Browser, server: WebServer) -> None:
    page = browser_of(None, server.url, service_workers="allow").new_page()
    page.goto("/")
    wait_until(page, CONTROLLED)
    devtools = page.context.new_cdp_session(page)
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["url"] == f"{server.url}/app.webmanifest"
    assert manifest["errors"] == []
    errors = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert [error["errorId"] for error in errors if error["errorId"] != "in-incognito"] == []


@pytest.mark.faults
def test_the_page_without_a_network_is_in_the_language_of_the_last_page(
    browser_of: Browser, server: WebServer, console: Console
) -> None:
    """The stored copy is asked for again only if its language differs."""
    console.expect("Failed to load resource")
    page = browser_of(None, server.url, service_workers="allow").new_page()
    page.goto("/")
    wait_until(page, CONTROLLED)
    page.context.add_cookies([{"name": "django_language", "value": "fr", "url": server.url}])
    page.goto("/")
    wait_until(
        page,
        "async () => (await caches.match('/offline')).headers.get('Content-Language')"
        " === document.documentElement.lang",
    )
    server.disconnect()
    page.reload()
    expect(page.get_by_role("heading", name="Pas de réseau")).to_be_visible()
    server.connect()


@pytest.mark.faults
def test_without_a_network_a_page_without_names_is_shown(
    browser_of: Browser, server: WebServer, console: Console
) -> None:
    """The stored page is the same for all users, and nothing of a club is stored."""
    console.expect("Failed to load resource")
    club = a_club()
    secretary = a_member(club, Role.SECRETARY)
    page = browser_of(secretary.user, server.url, service_workers="allow").new_page()
    page.goto(club.get_absolute_url())
    wait_until(page, CONTROLLED)
    server.disconnect()
    page.reload()
    expect(page.get_by_role("heading", name="No network")).to_be_visible()
    assert Axe().run(page).response["violations"] == []
    expect(page.get_by_text(club.name)).to_have_count(0)
    assert secretary.user is not None
    expect(page.get_by_text(secretary.user.email)).to_have_count(0)
    stored = page.evaluate(
        "async () => (await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys())))"
        ".flat().map(({url}) => new URL(url).pathname)"
    )
    assert [path for path in stored if not path.startswith("/static/")] == ["/offline"]
    server.connect()
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_role("heading", name=club.name)).to_be_visible()
