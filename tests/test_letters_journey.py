"""From the tick to the letter to the link that stops it: in a browser, with a real worker."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.core.mail import EmailMessage
from django.utils import timezone
from playwright.sync_api import BrowserContext, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from league.actions import evenings
from league.models import Notification
from tests.build import a_club, a_member, a_season
from tests.faults.machines import wait_for
from tests.readers import user_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LINK = re.compile(r"http\S+/letters/stop/\S+")


@pytest.mark.parametrize("width", [390, pytest.param(1280, marks=pytest.mark.faults)])
def test_a_member_asks_for_letters_and_stops_them_by_one(
    width: int,
    browser_of: Callable[..., BrowserContext],
    live_server: LiveServer,
    worker: None,
    settings: Settings,
    mailoutbox: list[EmailMessage],
) -> None:
    settings.SITE_ADDRESS = live_server.url
    club = a_club()
    member, season = a_member(club), a_season(club)
    screen = {"viewport": {"width": width, "height": 800}}
    page = browser_of(user_of(member), live_server.url, **screen).new_page()
    page.goto("/")
    page.get_by_text("Your account:").locator("..").click()
    page.get_by_role("link", name="E-mails").click()
    planned = page.get_by_role("checkbox", name="An evening of my clubs is planned")
    planned.check()
    page.get_by_role("button", name="Keep this choice").click()
    expect(page.get_by_text("Your choice is kept.")).to_be_visible()
    expect(planned).to_be_checked()

    evenings.plan(season.pk, date=timezone.localdate() + timedelta(days=7))
    wait_for(lambda: mailoutbox, "the letter")
    [link] = LINK.findall(str(mailoutbox[0].body))

    strangers = browser_of(None, live_server.url, **screen).new_page()  # nobody is signed in
    strangers.goto(link)
    strangers.get_by_role("button", name="Stop them").click()
    expect(strangers.get_by_role("heading", name="These e-mails are stopped")).to_be_visible()
    page.reload()
    expect(planned).not_to_be_checked()
    evenings.plan(season.pk, date=timezone.localdate() + timedelta(days=8))
    assert Notification.objects.count() == 1
