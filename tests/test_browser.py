"""A page that breaks the content policy, or a script that fails, can't go unseen in a browser test."""

import pytest
from playwright.sync_api import Page

from tests.conftest import Console

pytestmark = pytest.mark.browser


def show(page: Page, body: str, policy: str) -> None:
    """Open a page with this content and content policy."""
    headers = {"Content-Security-Policy": policy, "Content-Type": "text/html"}
    page.route("http://page.test/", lambda route: route.fulfill(body=body, headers=headers))
    page.goto("http://page.test/")


def test_a_blocked_script_is_a_complaint(page: Page, console: Console) -> None:
    show(page, "<script>document.title = 'ran'</script>", policy="default-src 'none'")
    assert page.title() == ""
    assert any("policy script-src-elem blocked inline" in complaint for complaint in console.unexpected())
    console.expect("script-src")
    assert console.unexpected() == []


def test_a_failing_script_is_a_complaint(page: Page, console: Console) -> None:
    show(page, "<script>noSuchName()</script>", policy="script-src 'unsafe-inline'")
    assert page.title() == ""
    assert any("noSuchName" in complaint for complaint in console.unexpected())
    console.expect("noSuchName")
