"""Sessions that began before their owner set up a second factor are asked for it, and lose nothing that they send."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.test import Client
from django.urls import reverse

from league.models import Club
from league.models.rights import Role
from players.models import Player
from tests.build import PASSWORD, a_club, a_member
from tests.readers import give_password, second_factor_code, user_of

pytestmark = pytest.mark.django_db(transaction=True)  # letters are sent, and sessions asked, after the commit

ASKS = reverse("mfa_reauthenticate")


@pytest.fixture
def club() -> Club:
    return a_club(asks_second_factor=True)


@pytest.fixture
def admin(club: Club) -> Player:
    return a_member(club, Role.ADMIN)


def browser(player: Player) -> Client:
    """Return a browser with the player's session."""
    client = Client()
    client.post(reverse("account_login"), {"login": user_of(player).email, "password": PASSWORD})
    assert client.session.get("_auth_user_id")
    return client


def set_up(client: Client) -> str:
    """Set up an app as second factor in this browser, and return its secret."""
    give_password(client)
    client.get(reverse("mfa_activate_totp"))
    secret: str = client.session["mfa.totp.secret"]
    client.post(reverse("mfa_activate_totp"), {"code": second_factor_code(secret)})
    assert Authenticator.objects.filter(type=Authenticator.Type.TOTP).count() == 1
    return secret


@pytest.fixture
def browsers(admin: Player) -> tuple[Client, Client, str]:
    """The browser of the setup, another session from before, and the secret."""
    first_browser, second_browser = browser(admin), browser(admin)
    return first_browser, second_browser, set_up(first_browser)


def test_browser_in_which_it_was_set_up_goes_on_and_another_is_asked_once(
    club: Club, browsers: tuple[Client, Client, str]
) -> None:
    first_browser, second_browser, secret = browsers
    page = reverse("league:members", args=[club.slug])
    assert first_browser.get(page).status_code == 200
    redirect = second_browser.get(page)
    assert redirect.status_code == 302
    assert redirect.headers["Location"].startswith(ASKS)
    answer = second_browser.get(page, follow=True).content.decode()
    assert "Your account has a second factor now." in answer
    back = second_browser.post(redirect.headers["Location"], {"code": second_factor_code(secret)})
    assert (back.status_code, back.headers["Location"]) == (302, page)
    for _twice in range(2):
        assert second_browser.get(page).status_code == 200


def test_what_was_sent_is_done_when_it_is_given(club: Club, browsers: tuple[Client, Client, str]) -> None:
    _first_browser, second_browser, secret = browsers
    sent = {"given_name": "Anne", "family_name": "Bo", "role": "member"}
    redirect = second_browser.post(reverse("league:member-add", args=[club.slug]), sent)
    assert redirect.headers["Location"].startswith(ASKS)
    assert not Player.objects.filter(given_name="Anne").exists()
    second_browser.post(redirect.headers["Location"], {"code": "000000"})
    assert not Player.objects.filter(given_name="Anne").exists()
    second_browser.post(redirect.headers["Location"], {"code": second_factor_code(secret)})
    assert Player.objects.filter(given_name="Anne").exists()


@pytest.mark.parametrize("headers", [{"origin": "https://evil.example"}, {}])
def test_forged_request_is_not_stored_to_be_done_later(
    club: Club, browsers: tuple[Client, Client, str], headers: dict[str, str]
) -> None:
    _first_browser, second_browser, secret = browsers
    checking = Client(enforce_csrf_checks=True, headers=headers)
    checking.cookies = second_browser.cookies
    sent = {"given_name": "Anne", "family_name": "Bo", "role": "member"}
    added = reverse("league:member-add", args=[club.slug])
    for address in (added, reverse("account_email"), reverse("league:language")):
        assert checking.post(address, sent).status_code == 403
        assert "account_reauthentication_state" not in second_browser.session
    second_browser.post(
        f"{ASKS}?next={reverse('league:member-add', args=[club.slug])}", {"code": second_factor_code(secret)}
    )
    assert not Player.objects.filter(given_name="Anne").exists()


@pytest.mark.parametrize(
    "name", ["account_reauthenticate", "mfa_index", "mfa_deactivate_totp", "account_change_password", "account_email"]
)
def test_password_alone_opens_nothing_there(browsers: tuple[Client, Client, str], name: str) -> None:
    """Another signed-in person may know the password, and could remove the second factor."""
    _first_browser, second_browser, _secret = browsers
    for answer in (second_browser.get(reverse(name)), second_browser.post(reverse(name), {"password": PASSWORD})):
        assert (answer.status_code, answer.headers["Location"].split("?")[0]) == (302, ASKS)
    assert Authenticator.objects.filter(type=Authenticator.Type.TOTP).exists()


def test_signing_out_is_open(browsers: tuple[Client, Client, str]) -> None:
    _first_browser, second_browser, _secret = browsers
    second_browser.post(reverse("account_logout"))
    assert "_auth_user_id" not in second_browser.session


def test_nobody_is_asked_for_one_that_is_gone_again(club: Club, browsers: tuple[Client, Client, str]) -> None:
    _first_browser, second_browser, _secret = browsers
    Authenticator.objects.all().delete()
    assert second_browser.get(reverse("league:club", args=[club.slug])).status_code == 200


def test_whoever_gave_one_at_the_sign_in_is_not_asked_for_another(club: Club, admin: Player) -> None:
    first_browser = browser(admin)
    secret = set_up(first_browser)
    later = Client()
    first: Any = later.post(
        reverse("account_login"), {"login": user_of(admin).email, "password": PASSWORD}, follow=True
    )
    later.post(first.redirect_chain[-1][0], {"code": second_factor_code(secret)})
    Authenticator.objects.filter(type=Authenticator.Type.TOTP).delete()
    set_up(first_browser)
    assert later.get(reverse("league:members", args=[club.slug])).status_code == 200
