"""The first page of a demo in a browser: one click for each role, and another role from the bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, expect

from league.models.rights import Role
from league.web.demo_mode import DEMO_ROLES
from tests.build import a_club, a_member, a_season
from tests.conftest import Console
from tests.webserver import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def demo_server(tmp_path_factory: pytest.TempPathFactory, transactional_db: None) -> Iterator[WebServer]:
    """The application with DEMO, and the demo's users in a small club."""
    club = a_club(name="Le Petit au bout", public=True)
    a_season(club)
    for name, role in DEMO_ROLES.items():
        user = a_member(club, Role(name)).user
        assert user is not None
        user.email = role.email
        user.set_unusable_password()
        user.save()
    server = WebServer(tmp_path_factory.mktemp("demo"), DEMO="true")
    server.start()
    yield server
    server.stop()


@pytest.mark.faults
def test_three_buttons_sign_in_and_the_bar_changes_the_role(
    demo_server: WebServer, browser_of: Callable[..., BrowserContext], console: Console
) -> None:
    """With the real cookies and the content policy; the bar must also stand on pages of a phone."""
    for role in DEMO_ROLES.values():
        page = browser_of(None, demo_server.url, viewport={"width": 390, "height": 844}).new_page()
        page.goto("/")
        page.get_by_role("main").get_by_role("button", name=str(role.label)).click()
        bar = page.get_by_role("complementary", name="Demo")
        expect(bar.get_by_role("button", name=str(role.name))).to_have_attribute("aria-pressed", "true")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("link", name="Le Petit au bout", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Le Petit au bout")
    address = page.url
    bar.get_by_role("button", name="Member").click()
    expect(bar.get_by_role("button", name="Member")).to_have_attribute("aria-pressed", "true")
    assert page.url == address
    assert Axe().run(page).response["violations"] == []
    console.expect("403 (Forbidden)")
    page.goto("/account/email/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not in the demo")
