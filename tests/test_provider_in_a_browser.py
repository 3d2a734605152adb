"""Sign-in through a provider in a real browser: content policy and cookies could stop the way there or back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from playwright.sync_api import BrowserContext, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from tests.build import a_user
from tests.openid_provider import CLIENT_ID, CLIENT_SECRET, a_provider

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_button_leads_through_the_provider_into_the_account(
    browser_of: Callable[..., BrowserContext], live_server: LiveServer, settings: Settings
) -> None:
    user = a_user()
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    with a_provider(email=user.email, email_verified=True) as provider:
        settings.OIDC_NAME, settings.OIDC_SERVER_URL = "Club account", provider.url
        settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = CLIENT_ID, CLIENT_SECRET
        page = browser_of(None, live_server.url).new_page()
        page.goto(f"{live_server.url}/account/login/?next=/privacy")
        page.get_by_role("link", name="Sign in with Club account").click()
        expect(page).to_have_url(f"{live_server.url}/privacy")
