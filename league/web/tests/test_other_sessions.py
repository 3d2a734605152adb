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
    """Return a browser in which the player signed in."""
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
    """The browser in which it was set up, another that was signed in before, and the secret."""
    own, other = browser(admin), browser(admin)
    return own, other, set_up(own)


def test_browser_in_which_it_was_set_up_goes_on_and_another_is_asked_once(
    club: Club, browsers: tuple[Client, Client, str]
) -> None:
    own, other, secret = browsers
    page = reverse("league:members", args=[club.slug])
    assert own.get(page).status_code == 200
    asked = other.get(page)
    assert asked.status_code == 302
    assert asked.headers["Location"].startswith(ASKS)
    answer = other.get(page, follow=True).content.decode()
    assert "Your account has a second factor now." in answer
    back = other.post(asked.headers["Location"], {"code": second_factor_code(secret)})
    assert (back.status_code, back.headers["Location"]) == (302, page)
    for _twice in range(2):
        assert other.get(page).status_code == 200


def test_what_was_sent_is_done_when_it_is_given(club: Club, browsers: tuple[Client, Client, str]) -> None:
    _own, other, secret = browsers
    sent = {"given_name": "Anne", "family_name": "Bo", "role": "member"}
    asked = other.post(reverse("league:member-add", args=[club.slug]), sent)
    assert asked.headers["Location"].startswith(ASKS)
    assert not Player.objects.filter(given_name="Anne").exists()
    other.post(asked.headers["Location"], {"code": "000000"})
    assert not Player.objects.filter(given_name="Anne").exists()
    other.post(asked.headers["Location"], {"code": second_factor_code(secret)})
    assert Player.objects.filter(given_name="Anne").exists()


@pytest.mark.parametrize("headers", [{"origin": "https://evil.example"}, {}])
def test_forged_request_is_not_stored_to_be_done_later(
    club: Club, browsers: tuple[Client, Client, str], headers: dict[str, str]
) -> None:
    _own, other, secret = browsers
    checking = Client(enforce_csrf_checks=True, headers=headers)
    checking.cookies = other.cookies
    sent = {"given_name": "Anne", "family_name": "Bo", "role": "member"}
    added = reverse("league:member-add", args=[club.slug])
    for address in (added, reverse("account_email"), reverse("league:language")):
        assert checking.post(address, sent).status_code == 403
        assert "account_reauthentication_state" not in other.session
    other.post(f"{ASKS}?next={reverse('league:member-add', args=[club.slug])}", {"code": second_factor_code(secret)})
    assert not Player.objects.filter(given_name="Anne").exists()


@pytest.mark.parametrize(
    "name", ["account_reauthenticate", "mfa_index", "mfa_deactivate_totp", "account_change_password", "account_email"]
)
def test_password_alone_opens_nothing_there(browsers: tuple[Client, Client, str], name: str) -> None:
    """Whoever else is signed in may know the password, and would take the second factor away."""
    _own, other, _secret = browsers
    for answer in (other.get(reverse(name)), other.post(reverse(name), {"password": PASSWORD})):
        assert (answer.status_code, answer.headers["Location"].split("?")[0]) == (302, ASKS)
    assert Authenticator.objects.filter(type=Authenticator.Type.TOTP).exists()


def test_signing_out_is_open(browsers: tuple[Client, Client, str]) -> None:
    _own, other, _secret = browsers
    other.post(reverse("account_logout"))
    assert "_auth_user_id" not in other.session


def test_nobody_is_asked_for_one_that_is_gone_again(club: Club, browsers: tuple[Client, Client, str]) -> None:
    _own, other, _secret = browsers
    Authenticator.objects.all().delete()
    assert other.get(reverse("league:club", args=[club.slug])).status_code == 200


def test_whoever_gave_one_at_the_sign_in_is_not_asked_for_another(club: Club, admin: Player) -> None:
    own = browser(admin)
    secret = set_up(own)
    later = Client()
    first: Any = later.post(
        reverse("account_login"), {"login": user_of(admin).email, "password": PASSWORD}, follow=True
    )
    later.post(first.redirect_chain[-1][0], {"code": second_factor_code(secret)})
    Authenticator.objects.filter(type=Authenticator.Type.TOTP).delete()
    set_up(own)
    assert later.get(reverse("league:members", args=[club.slug])).status_code == 200
