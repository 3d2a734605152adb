"""An address that is shown to be copied, with keys alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, expect
from pytest_django.live_server_helper import LiveServer

from tests.build import a_club, a_member
from tests.readers import user_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("allowed", [True, False])
def test_an_address_is_copied_and_that_is_said(
    allowed: bool, browser_of: Callable[..., BrowserContext], live_server: LiveServer
) -> None:
    """With the browser's leave to write its clipboard and, as on an address without https, the old way."""
    context = browser_of(user_of(a_member(a_club(public=True, name="La Garde"))), live_server.url)
    if not allowed:
        context.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page = context.new_page()
    page.goto(reverse("league:calendar"))
    address = page.get_by_label("La Garde", exact=True)
    button = page.get_by_role("button", name="Copy, La Garde")
    address.focus()
    page.keyboard.press("Tab")
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Copied")).to_have_count(1)
    page.evaluate("document.body.append(Object.assign(document.createElement('textarea'), {id: 'pasted'}))")
    page.locator("#pasted").focus()
    page.keyboard.press("Control+V")
    expect(page.locator("#pasted")).to_have_value(address.input_value())
