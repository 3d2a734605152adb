"""Sign-in through an OpenID Connect provider: which account it opens, and what a bad or missing provider does."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth import get_user
from django.http import HttpRequest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings
from requests import get

from players.models import User
from tests.build import a_user
from tests.openid_provider import CLIENT_ID, CLIENT_SECRET, Provider, a_provider
from tests.readers import second_factor_code, set_up_second_factor

pytestmark = pytest.mark.django_db

ADDRESS = "player@club.example"
SIGN_IN = "/account/login/"
BEGIN = "/account/oidc/sso/login/"
CALLBACK = "/account/oidc/sso/login/callback/"


@pytest.fixture
def provider(settings: Settings) -> Iterator[Provider]:
    with a_provider(email=ADDRESS, email_verified=True) as provider:
        use(settings, provider.url)
        yield provider


@pytest.fixture
def user() -> User:
    user = a_user(ADDRESS)
    EmailAddress.objects.create(user=user, email=ADDRESS, primary=True, verified=True)
    return user


def use(settings: Settings, address: str) -> None:
    settings.OIDC_NAME, settings.OIDC_SERVER_URL = "Club account", address
    settings.OIDC_CLIENT_ID, settings.OIDC_CLIENT_SECRET = CLIENT_ID, CLIENT_SECRET


def pass_provider(client: Client, query: str = "") -> Any:
    """Go to the provider and back; return the site's answer."""
    begun = client.get(BEGIN + query)
    returned = get(begun["Location"], allow_redirects=False, timeout=10)
    return client.get(returned.headers["Location"].removeprefix("http://testserver"))


def signed_in(client: Client) -> object:
    request = HttpRequest()
    request.session = client.session
    return get_user(request)


def text_of(client: Client, answer: Any) -> str:
    """Check that the answer redirects to the sign-in page; return the text of that page."""
    assert (answer.status_code, answer["Location"]) == (302, SIGN_IN)
    return client.get(SIGN_IN).content.decode()


def test_a_verified_address_opens_the_account_with_it_and_stores_nothing(
    client: Client, provider: Provider, user: User
) -> None:
    provider.person["email"] = ADDRESS.title()
    answer = pass_provider(client, "?next=/privacy")
    assert (answer.status_code, answer["Location"]) == (302, "/privacy")
    assert signed_in(client) == user
    assert not SocialAccount.objects.exists()
    assert User.objects.get().has_usable_password()


@pytest.mark.parametrize("verified", [False, "false", "true", None])
def test_an_address_that_the_provider_has_not_verified_opens_nothing(
    client: Client, provider: Provider, user: User, verified: object
) -> None:
    provider.person["email_verified"] = verified
    text = text_of(client, pass_provider(client))
    assert "Club account has not verified your e-mail address" in text
    assert signed_in(client) != user


def test_an_address_that_the_account_has_not_confirmed_opens_nothing(
    client: Client, provider: Provider, user: User
) -> None:
    """Anyone can sign up with the address of another person: that account stays theirs, with its password."""
    EmailAddress.objects.update(verified=False)
    assert "No account here has the confirmed address player@club.example" in text_of(client, pass_provider(client))
    assert User.objects.get().has_usable_password()


def test_an_unknown_address_creates_no_account(client: Client, provider: Provider) -> None:
    assert "No account here has the confirmed address player@club.example" in text_of(client, pass_provider(client))
    assert not User.objects.exists()


def test_a_deactivated_account_stays_closed(client: Client, provider: Provider, user: User) -> None:
    User.objects.update(is_active=False)
    assert pass_provider(client)["Location"] == reverse("account_inactive")
    assert signed_in(client) != user


def test_a_second_factor_is_asked_for(client: Client, provider: Provider, user: User) -> None:
    secret = set_up_second_factor(user)
    answer = pass_provider(client)
    assert answer["Location"].startswith("/account/2fa/authenticate/")
    assert signed_in(client) != user
    client.post("/account/2fa/authenticate/", {"code": second_factor_code(secret)})
    assert signed_in(client) == user


def test_a_superuser_without_a_second_factor_reaches_the_account_only(
    client: Client, provider: Provider, user: User, settings: Settings
) -> None:
    User.objects.update(is_superuser=True)
    pass_provider(client)
    settings.HTTPS = True
    assert client.get("/watch")["Location"] == "/account/2fa/"


@pytest.mark.parametrize("path", ["/.well-known/openid-configuration", "/token", "/userinfo"])
@pytest.mark.parametrize("answer", [(500, {}), (200, {"sub": 1, "email": 2}), (200, "text"), (200, [1])])
def test_a_provider_that_answers_nonsense_leads_back_with_a_message(
    client: Client, provider: Provider, user: User, path: str, answer: tuple[int, Any]
) -> None:
    provider.answers[path] = answer
    begun = client.get(BEGIN)
    if path != "/.well-known/openid-configuration":
        returned = get(begun["Location"], allow_redirects=False, timeout=10)
        begun = client.get(returned.headers["Location"].removeprefix("http://testserver"))
    assert "The sign-in with Club account did not work." in text_of(client, begun)
    assert signed_in(client) != user


def test_a_provider_that_is_down_leads_back_with_a_message(client: Client, settings: Settings) -> None:
    a_user()
    with socket.socket() as closed:  # bound, and not listening
        closed.bind(("127.0.0.1", 0))
        use(settings, f"http://127.0.0.1:{closed.getsockname()[1]}")
        assert "The sign-in with Club account did not work." in text_of(client, client.get(BEGIN))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("?error=access_denied&state={state}", "The sign-in with Club account was cancelled."),
        ("?error=server_error&state={state}", "The sign-in with Club account did not work."),
        ("?code=1&state=another", "The sign-in with Club account did not work."),
        ("?code=1&state={state}", "The sign-in with Club account did not work."),
        ("", "The sign-in with Club account did not work."),
    ],
)
def test_a_return_without_a_sign_in_leads_back_with_a_message(
    client: Client, provider: Provider, user: User, query: str, text: str
) -> None:
    state = client.get(BEGIN)["Location"].partition("state=")[2].partition("&")[0]
    assert text in text_of(client, client.get(CALLBACK + query.format(state=state)))
    assert signed_in(client) != user


def test_asking_to_connect_another_account_only_signs_in(client: Client, provider: Provider, user: User) -> None:
    """allauth's query parameter would connect the provider with the account that is signed in."""
    stranger = a_user("other@club.example")
    client.force_login(stranger)
    pass_provider(client, "?process=connect")
    assert not SocialAccount.objects.exists()


def test_without_the_settings_there_is_no_button_and_no_address(client: Client) -> None:
    a_user()
    assert "oidc" not in client.get(SIGN_IN).content.decode()
    assert [client.get(address).status_code for address in (BEGIN, CALLBACK)] == [404, 404]


def test_another_provider_has_no_address(client: Client, provider: Provider) -> None:
    a_user()
    assert client.get("/account/oidc/other/login/").status_code == 404
