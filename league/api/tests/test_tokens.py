"""A person's tokens: made with the password, seen once, revoked; they end with the login."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.actions import api_tokens
from league.actions.erasure import erase
from league.api.tests.reading import a_token, read
from league.models import ApiToken
from league.models.api_token import token_digest
from league.models.rights import Role
from players.accounts import renew_calendar_key
from players.models import User
from tests.build import NOW, PASSWORD, a_club, a_member, a_user
from tests.readers import confirmed, give_password, signed_in, user_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader(client: Client) -> Client:
    """A browser whose person has just typed the password."""
    user = a_user()
    client.force_login(user)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return client


def token_in(page: str) -> str:
    match = re.search(r"league_[\w-]{43}", page)
    assert match
    return match.group()


def test_a_token_is_seen_once_and_reads(reader: Client) -> None:
    answer = reader.post("/tokens", {"name": "Our site"})
    token = token_in(answer.content.decode())
    assert "no-store" in answer.headers["Cache-Control"]
    assert read(Client(), "games", token)
    page = reader.get("/tokens").content.decode()
    assert "Our site" in page
    assert token not in page
    [stored] = ApiToken.objects.all()
    assert stored.digest == token_digest(token)
    assert token not in str(vars(stored))


def test_it_wants_the_password(client: Client) -> None:
    user = a_user()
    client.force_login(user)  # a session that is stolen, or old
    answer = client.post("/tokens", {"name": "Our site"})
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/account/reauthenticate/")
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({}, "This field is required"),
        ({"name": "x" * 61}, "at most 60 characters"),
        ({"name": "A", "last_day": "yesterday"}, "Enter a valid date"),
        ({"name": "A", "last_day": "2020-01-01"}, "This day is over"),
        ({"name": "our SITE"}, "You have a token of this name already"),
    ],
)
def test_what_is_wrong_is_said(reader: Client, fields: dict[str, Any], error: str) -> None:
    reader.post("/tokens", {"name": "Our site"})
    answer = reader.post("/tokens", fields)
    assert answer.status_code == 422
    assert error in answer.content.decode()
    assert ApiToken.objects.count() == 1


def test_twenty_are_enough(reader: Client) -> None:
    for number in range(api_tokens.MAX_TOKENS):
        assert reader.post("/tokens", {"name": f"Number {number}"}).status_code == 200
    assert reader.post("/tokens", {"name": "Another"}).status_code == 422


def test_a_revoked_token_has_ended_and_its_history_stays(reader: Client) -> None:
    token = token_in(reader.post("/tokens", {"name": "Our site"}).content.decode())
    [stored] = ApiToken.objects.all()
    assert "Our site" in reader.post(f"/tokens/{stored.pk}/revoke", follow=True).content.decode()
    assert reader.post(f"/tokens/{stored.pk}/revoke").status_code == 404  # a second time
    assert Client().get("/api/v1/games", headers={"authorization": f"Bearer {token}"}).status_code == 401
    events = ApiToken.events.rel.related_model.objects.order_by("pgh_id")  # type: ignore[attr-defined]
    assert list(events.values_list("pgh_label", "user")) == [("insert", stored.user_id), ("delete", stored.user_id)]
    assert not {"name", "digest"} & {field.name for field in events.model._meta.fields}


def test_nobody_revokes_anothers(client: Client) -> None:
    club = a_club()
    a_token(a_member(club))
    [stored] = ApiToken.objects.all()
    assert signed_in(client, a_member(club)).post(f"/tokens/{stored.pk}/revoke").status_code == 404
    assert ApiToken.objects.exists()


def test_erasing_a_person_ends_his_tokens() -> None:
    member = a_member(a_club())
    token = a_token(member)
    erase(member.pk)
    assert not ApiToken.objects.exists()
    assert Client().get("/api/v1/games", headers={"authorization": f"Bearer {token}"}).status_code == 401


def test_the_page_says_when_one_was_used_and_ends(client: Client) -> None:
    member = a_member(a_club())
    last = timezone.localdate() + timedelta(days=9)
    token = api_tokens.create_token(user_of(member), "Site", last, now=NOW)
    page = signed_in(client, member).get("/tokens").content.decode()
    assert "never used" in page
    assert f"until {last.day} " in page
    read(Client(), "games", token)
    assert "last used" in client.get("/tokens").content.decode()
    ApiToken.objects.update(last_day=timezone.localdate() - timedelta(days=1))
    assert "Ended" in client.get("/tokens").content.decode()


def test_a_secretary_chooses_what_a_token_may_write(client: Client) -> None:
    """Catches a token that gets more than was ticked, and a page that does not show it."""
    club = a_club()
    browser = confirmed(client, a_member(club, Role.SECRETARY))
    browser.post("/tokens", {"name": "Site"})
    browser.post("/tokens", {"name": "Table app", "scopes": ["record"], "club": club.pk})
    stored = ApiToken.objects.order_by("pk").values_list("name", "scopes", "club")
    assert list(stored) == [("Site", [], None), ("Table app", ["record"], club.pk)]
    page = browser.get("/tokens").content.decode()
    assert page.count("only reads</p>") == 1
    assert f"only in {club}" in page
    assert browser.post("/tokens", {"name": "Other", "scopes": ["own"]}).status_code == 422
    assert browser.post("/tokens", {"name": "Other", "club": club.pk}).status_code == 422
    other = {"name": "Other", "scopes": ["record"], "club": a_club().pk}
    assert browser.post("/tokens", other).status_code == 422


def test_a_member_is_offered_no_writes(client: Client) -> None:
    browser = confirmed(client, a_member(a_club()))
    assert 'name="scopes"' not in browser.get("/tokens").content.decode()
    browser.post("/tokens", {"name": "Site", "scopes": ["record"]})
    assert ApiToken.objects.get().scopes == []


NEW_PASSWORD = {"password1": "another-long-password", "password2": "another-long-password"}


@pytest.mark.parametrize("method", ["changed", "changed and ended", "reset", "by the installation's admin"])
def test_new_password_ends_tokens_and_the_calendar_where_chosen_or_reset(client: Client, method: str) -> None:
    user = a_user("anna@club.example")
    secret = api_tokens.create_token(user, "Program", None, now=NOW)
    calendar = f"/calendar/{renew_calendar_key(user)}.ics"
    bearer = {"authorization": f"Bearer {secret}"}
    root = User.objects.create_superuser("root@club.example", PASSWORD)
    client.force_login(user if method.startswith("changed") else root)
    give_password(client)
    if method.startswith("changed"):
        assert "Also end my API tokens" in client.get(reverse("account_change_password")).content.decode()
        options = {"end_programs": "on"} if "ended" in method else {}
        client.post(reverse("account_change_password"), {"oldpassword": PASSWORD, **NEW_PASSWORD, **options})
    elif method == "reset":
        client.logout()
        client.post(reverse("account_reset_password"), {"email": user.email})
        [link] = re.findall(r"/account/password/reset/key/\S+", str(mail.outbox[0].body))
        form: Any = client.get(link, follow=True)
        answer = client.post(form.redirect_chain[-1][0], NEW_PASSWORD, follow=True)
        assert "the address of your calendar have ended" in answer.content.decode()
    else:
        passwords = {**NEW_PASSWORD, "usable_password": "true", "set-password": ""}
        client.post(reverse("admin:auth_user_password_change", args=[user.pk]), passwords)
    user.refresh_from_db()
    assert user.check_password(NEW_PASSWORD["password1"])
    expected = (200, 200) if method == "changed" else (401, 404)
    answers = Client().get("/api/v1/clubs", headers=bearer), Client().get(calendar)
    assert tuple(answer.status_code for answer in answers) == expected


def test_password_form_offers_to_end_nothing_where_there_is_nothing(client: Client) -> None:
    client.force_login(a_user())
    give_password(client)
    assert "API tokens" not in client.get(reverse("account_change_password")).content.decode()
