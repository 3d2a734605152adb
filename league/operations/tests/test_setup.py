"""The first start without a shell: the code in the log, the first admin, and the end of the setup page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from django.core.cache import cache
from django.test import Client
from structlog.testing import LogCapture

from league.actions.first_admin import create_first_admin
from league.actions.refusals import WrongState
from league.operations.queries.setup_code import setup_code
from league.web.first_start import first_start
from players.models import User
from tests.build import a_user

pytestmark = pytest.mark.django_db
PASSWORD = "a-long-enough-password"


@pytest.fixture(autouse=True)
def _started_now() -> Iterator[None]:
    first_start.has_seen_account = first_start.has_logged_code = False
    yield
    first_start.has_seen_account = True


def filled_form(**changes: str) -> dict[str, str]:
    fields = {"code": setup_code(), "email": "root@club.example", "password": PASSWORD, "repeated": PASSWORD}
    return fields | changes


def test_each_page_leads_to_the_setup_and_the_log_has_the_code_once(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sign-up too: a stranger who signs up first would end the setup."""
    capture = LogCapture()  # other tests change the levels of the real loggers
    monkeypatch.setattr("league.web.first_start.log", structlog.wrap_logger(None, processors=[capture]))
    for address in ("/", "/account/signup/", "/account/login/", "/clubs/", "/watch", "/api/v1/clubs", "/setup?x=%00"):
        response = client.get(address)
        assert (response.status_code, response.headers.get("Location", "/setup")) in ((302, "/setup"), (200, "/setup"))
    assert client.post("/account/signup/", {"email": "first@club.example"}).headers["Location"] == "/setup"
    assert client.get("/livez").status_code == 200
    assert [entry["code"] for entry in capture.entries if entry["event"] == "setup_code"] == [setup_code()]


def test_a_hall_server_asks_for_no_second_factor(client: Client) -> None:
    """It has no network for the app of codes, and without https no second factor is required."""
    response = client.post("/setup", filled_form(), follow=True)
    assert response.redirect_chain == [("/account/login/", 302)]
    assert "second factor" not in response.content.decode()
    client.post("/account/login/", {"login": "root@club.example", "password": PASSWORD})
    assert client.get("/watch").status_code == 200


def test_right_code_creates_a_superuser_who_sets_up_the_second_factor(client: Client, settings: Any) -> None:
    """The code may be typed in small letters and without hyphens. A second factor asks for the password."""
    settings.HTTPS = True
    typed = setup_code().replace("-", " ").lower()
    login = client.post("/setup", filled_form(code=typed)).headers["Location"]
    user = User.objects.get()
    assert (user.email, user.is_superuser, user.check_password(PASSWORD)) == ("root@club.example", True, True)
    assert "Sign in, and set up a second factor." in client.get(login).content.decode()
    response = client.post(login, {"login": "root@club.example", "password": PASSWORD})
    response = client.post(f"/account/reauthenticate/?next={response.headers['Location']}", {"password": PASSWORD})
    assert response.headers["Location"] == "/account/2fa/totp/activate/"
    assert client.get("/account/2fa/totp/activate/").status_code == 200
    assert client.get("/watch").status_code == 302  # not before the second factor is set up


def test_setup_is_gone_once_an_account_exists(client: Client) -> None:
    form = filled_form()
    a_user("member@club.example")
    assert client.get("/setup").status_code == 404
    assert client.post("/setup", form).status_code == 404
    assert client.get("/").status_code == 200
    with pytest.raises(WrongState):
        create_first_admin("root@club.example", PASSWORD)
    assert not User.objects.filter(is_superuser=True).exists()


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code": "AAAAA-BBBBB-CCCCC-DDDDD"}, "This is not the code."),
        ({"code": "é"}, "This is not the code."),
        ({"code": "A" * 41}, "at most 40 characters (it has 41)"),
        ({"code": "A\x00"}, "Null characters are not allowed."),
        ({"email": "nobody"}, "Enter a valid email address."),
        ({"repeated": "another-password"}, "The two passwords differ."),
        ({"password": "short", "repeated": "short"}, "This password is too short."),
        ({"password": "root@club.example", "repeated": "root@club.example"}, "too similar to the"),
    ],
)
def test_wrong_input_creates_nothing(client: Client, changes: dict[str, str], error: str) -> None:
    response = client.post("/setup", filled_form(**changes))
    assert response.status_code == 422
    assert error in response.content.decode()
    assert not User.objects.exists()


def test_attempts_are_limited_even_with_the_right_code(client: Client) -> None:
    for _ in range(10):
        assert client.post("/setup", filled_form(code="AAAAA")).status_code == 422
    assert client.post("/setup", filled_form()).status_code == 429
    assert not User.objects.exists()
    cache.clear()
    assert client.post("/setup", filled_form()).status_code == 302
