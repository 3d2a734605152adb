"""Attempts to break in: fields that no form has, forged requests, sessions of other users."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
from django.conf import settings as django_settings
from django.core import mail
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoDbBlocker

from league.actions import api_tokens, roles
from league.models import Club, Membership
from league.models.rights import Role
from players.models import User
from tests import hostile
from tests.build import NOW, PASSWORD, a_club, a_deal, a_member, a_season, a_table, a_user, an_evening, settle
from tests.page_crawl import SECRET, ask, one_connection, opened, pages, view
from tests.readers import give_password, set_up_second_factor, signed_in, user_of
from tests.test_access import ROWS, Row, World, a_world, view_name

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("breaking in")]

# Addresses that programs post to, whose right is in the address or a token, and the choice of a language: it is kept in
# a cookie or as one's own, and a stranger gains nothing by it.
WITHOUT_TOKEN: Final = {"league:letters-stop", "league:language"}
FOREIGN_ADDRESSES: Final = (
    "https://evil.example/",
    "//evil.example/",
    "///evil.example/",
    "/\\evil.example/",
    "\\\\evil.example",
    "https:evil.example",
    "http:///evil.example",
    "/%09/evil.example",
    "\t//evil.example",
    "https://testserver@evil.example/",
    "https://testserver.evil.example/",
    "javascript:alert(1)",
    "data:text/html,x",
)
# What no form offers to whom it isn't for, in the fields' own names.
EXTRA_FIELDS: Final[Mapping[str, str]] = {
    "is_superuser": "on",
    "is_staff": "on",
    "is_active": "on",
    "role": "admin",
    "memberships-0-role": "admin",
    "public": "on",
    "asks_second_factor": "",
    "user_permissions": "1",
    "groups": "1",
    "user": "1",
    "by": "1",
    "state": "open",
    "by_id": "1",
}


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """A private club with one row of each kind, built once; every test is rolled back."""
    with django_db_blocker.unblock(), transaction.atomic():
        built = a_world(public=False)
        settle()
        yield built
        transaction.set_rollback(True)


def rights() -> dict[str, object]:
    """Return the roles and the logins."""
    return {
        "roles": sorted(Membership.objects.values_list("club", "player", "role")),
        "logins": sorted(User.objects.values_list("pk", "email", "password", "is_superuser", "is_staff", "is_active")),
        "clubs": sorted(Club.objects.values_list("pk", "public", "asks_second_factor", "table_entry")),
    }


POSTS: Final = [row for row in ROWS if row.method == "POST" and row.club != "public"]


@pytest.mark.parametrize("row", POSTS, ids=lambda row: view_name(row.address))
def test_nothing_is_done_for_another_site(world: World, row: Row) -> None:
    """Each address that takes a form, as the one who may most, from a page that doesn't have the token."""
    before = rights()
    for role in ("admin", "member", "anonymous"):
        client = Client(enforce_csrf_checks=True, headers={"origin": "https://evil.example"})
        if role in world.sessions:
            client.cookies[django_settings.SESSION_COOKIE_NAME] = world.sessions[role]
        with transaction.atomic():
            answer = client.post(row.address.format(**world.places))
            transaction.set_rollback(True)
        sent_to_sign_in = answer.headers.get("Location", "").startswith(reverse("account_login"))
        refused = answer.status_code in (401, 403) or (role != "admin" and sent_to_sign_in)
        assert refused is (view_name(row.address) not in WITHOUT_TOKEN), (role, answer.status_code)
    assert rights() == before


@pytest.mark.faults
@pytest.mark.parametrize("role", ["stranger", "member", "secretary"])
def test_fields_that_no_form_has_give_nobody_more(world: World, role: str) -> None:
    """Every form that somebody is shown, and every other address that takes one, with what makes an admin."""
    session = world.sessions.get(role)
    membership = Membership.objects.filter(player__user=world_user(world, role)).first()
    extra_fields = dict(EXTRA_FIELDS)
    if membership:
        extra_fields |= {
            "membership": str(membership.pk),
            "player": str(membership.player_id),
            "keep": str(membership.player_id),
        }
    with one_connection():
        addresses = [address for row, address in pages([world.places]) if row.expected[role] == "200"]
        page_forms = [page_form for address in addresses for page_form in opened(address, world.sessions, (role,))]
        posted = {
            (view(page_form), page_form.form.names): page_form.form
            for page_form in page_forms
            if page_form.form.method == "POST"
        }
        forms = [(form.action, form.sent()) for form in posted.values()]
        places = world.places | ({"membership": membership.pk, "player": membership.player_id} if membership else {})
        forms += [(row.address.format(**places), []) for row in POSTS]
        assert len(forms) > len(POSTS)
        before = rights()
        for address, sent in forms:
            cache.clear()
            fields = [(name, value) for name, value in sent if name not in extra_fields] + list(extra_fields.items())
            pairs = [(name, value.encode()) for name, value in [("csrfmiddlewaretoken", SECRET), *fields]]
            with transaction.atomic():
                ask("POST", address, session, {}, hostile.Body(hostile.urlencoded(pairs), hostile.FORM))
                gained = higher(before, rights())
                transaction.set_rollback(True)
            assert gained == [], (role, address)


def world_user(world: World, role: str) -> User | None:
    client = Client()
    if role not in world.sessions:
        return None
    client.cookies[django_settings.SESSION_COOKIE_NAME] = world.sessions[role]
    return User.objects.get(pk=client.session["_auth_user_id"])


def higher(before: dict[str, Any], after: dict[str, Any]) -> list[object]:
    """Return what is more than before: superusers, roles that may do more than a member, clubs with other settings."""
    was = {(club, player): role for club, player, role in before["roles"]}
    trusted = {str(role) for role in (Role.TREASURER, Role.SECRETARY, Role.ADMIN)}
    gains: list[object] = [
        each
        for each in after["roles"]
        if each[2] in trusted and was.get((each[0], each[1])) != each[2] and was.get((each[0], each[1])) is not None
    ]
    logins_before = {login[0]: login for login in before["logins"]}
    new = (False, False)
    gains += [login for login in after["logins"] if login[3:5] > logins_before.get(login[0], (0, 0, 0, *new))[3:5]]
    old = {club[0]: club for club in before["clubs"]}
    return gains + [club for club in after["clubs"] if club[0] in old and old[club[0]] != club]


@pytest.mark.parametrize("next_url", FOREIGN_ADDRESSES)
@pytest.mark.parametrize("name", ["account_login", "account_logout", "account_signup", "account_reauthenticate"])
def test_nobody_is_sent_to_another_site(client: Client, name: str, next_url: str) -> None:
    user = a_user("anna@club.example")
    fields = {"login": user.email, "password": PASSWORD, "next": next_url}
    if name in ("account_logout", "account_reauthenticate"):
        client.force_login(user)
    if name == "account_signup":
        fields |= {"email": "new@club.example", "password1": PASSWORD, "given_name": "Anna", "family_name": "Bo"}
    for answer in (client.post(reverse(name), fields), client.get(reverse(name), {"next": next_url}, follow=False)):
        target = answer.headers.get("Location", "/")
        assert urlsplit(target).netloc in ("", "testserver")
        assert target.startswith("/")
        assert not re.match(r"[/\\]{2}", target.replace("\t", "").strip())


def test_session_begins_anew_at_the_sign_in_and_ends_with_it(client: Client) -> None:
    """A number that somebody put into the browser before is worth nothing after."""
    user = a_user()
    for planted in ("a" * 32, Client().session.session_key or "b" * 32):
        client.cookies[django_settings.SESSION_COOKIE_NAME] = planted
        client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
        session_key = client.cookies[django_settings.SESSION_COOKIE_NAME].value
        assert session_key != planted
        client.post(reverse("account_logout"))
        later = Client()
        later.cookies[django_settings.SESSION_COOKIE_NAME] = session_key
        assert "_auth_user_id" not in later.session
        assert later.get(reverse("account_email")).status_code == 302


def test_another_password_ends_the_other_sessions(client: Client) -> None:
    user = a_user()
    stolen = Client()
    for each in (client, stolen):
        each.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    give_password(client)
    passwords = {"password1": "another-long-password", "password2": "another-long-password"}
    client.post(reverse("account_change_password"), {"oldpassword": PASSWORD, **passwords})
    assert stolen.get(reverse("account_email")).status_code == 302
    assert client.get(reverse("account_email")).status_code == 200


def test_cookies_of_who_is_signed_in_are_for_the_server_alone(client: Client) -> None:
    user = a_user()
    client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    assert {django_settings.SESSION_COOKIE_NAME, "known_browser"} <= client.cookies.keys()
    for name, cookie in client.cookies.items():
        assert cookie["samesite"] in ("Lax", "Strict"), name
        assert cookie["httponly"] or name == django_settings.CSRF_COOKIE_NAME, name
        assert not cookie["domain"], name


@pytest.mark.parametrize(
    "headers", [{"host": "evil.example"}, {"host": "testserver.evil.example"}, {"host": "testserver:80@evil.example"}]
)
def test_another_host_is_answered_nothing(client: Client, headers: dict[str, str]) -> None:
    a_user("anna@club.example")
    assert client.get(reverse("league:home"), headers=headers).status_code == 400
    response = client.post(reverse("account_reset_password"), {"email": "anna@club.example"}, headers=headers)
    assert response.status_code == 400
    assert mail.outbox == []


@pytest.mark.parametrize("name", ["x-forwarded-host", "x-host", "forwarded", "x-original-url", "x-rewrite-url"])
def test_letter_for_a_new_password_leads_here(client: Client, name: str) -> None:
    a_user("anna@club.example")
    header = "host=evil.example" if name == "forwarded" else "evil.example"
    client.post(reverse("account_reset_password"), {"email": "anna@club.example"}, headers={name: header})
    [letter] = mail.outbox
    assert "evil.example" not in str(letter.message())
    assert re.search(r"/account/password/reset/key/", str(letter.body))


def test_link_for_a_new_password_is_good_once(client: Client) -> None:
    a_user("anna@club.example")
    client.post(reverse("account_reset_password"), {"email": "anna@club.example"})
    [link] = re.findall(r"\S*/account/password/reset/key/\S+", str(mail.outbox[0].body))
    passwords = {"password1": "another-long-password", "password2": "another-long-password"}
    form = client.get(urlsplit(link).path, follow=True)
    client.post(form.redirect_chain[-1][0], passwords)
    assert User.objects.get(email="anna@club.example").check_password("another-long-password")
    second_page = Client().get(urlsplit(link).path, follow=True).content.decode()
    assert 'name="password1"' not in second_page


def text(answer: Any) -> str:
    """Return a page as it is read, without the addresses typed and the tokens of its forms."""
    page = answer.content.decode()
    page = page[page.index("<main") : page.index("</main>")]
    return re.sub(r"\S+@\S+|value=\"[^\"]*\"|[0-9a-f]{8,}", "", page)


def test_nobody_learns_which_addresses_have_an_account(client: Client) -> None:
    """By the sign-in, and by the letter for a new password."""
    a_user("anna@club.example")
    tried = {}
    for email in ("anna@club.example", "nobody@club.example"):
        cache.clear()
        login = Client().post(reverse("account_login"), {"login": email, "password": "not-the-password"})
        reset = Client().post(reverse("account_reset_password"), {"email": email}, follow=True)
        tried[email] = (login.status_code, text(login), reset.status_code, text(reset), reset.redirect_chain)
    assert tried["anna@club.example"] == tried["nobody@club.example"]


@pytest.mark.parametrize(
    "address", ["account_login", "account_reauthenticate", "mfa_authenticate", "account_reset_password"]
)
def test_guesses_come_to_an_end(client: Client, address: str) -> None:
    """Passwords, codes, and emails of another user."""
    cache.clear()
    user = a_user("anna@club.example")
    if address == "account_reauthenticate":
        client.force_login(user)
    if address == "mfa_authenticate":
        set_up_second_factor(user)
        client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    fields = {"login": user.email, "email": user.email, "password": "not-the-password", "code": "000000"}
    for _guess in range(30):
        last = client.post(reverse(address), fields)
    if address == "account_reset_password":
        assert (last.status_code, len(mail.outbox) < 30) == (429, True)
    else:
        fields["password"] = PASSWORD
        client.post(reverse(address), fields)
        assert last.status_code == 429 or "too many" in last.content.decode().lower()


def test_secretary_whose_role_ended_gets_nothing_by_what_he_had(client: Client) -> None:
    """Pages that he had open, his token, and an address that he kept."""
    club = a_club()
    secretary = a_member(club, Role.SECRETARY)
    table = a_table(an_evening(a_season(club)))
    deal = a_deal(table)
    secret = api_tokens.create_token(user_of(secretary), "Program", None, now=NOW)
    signed_in(client, secretary)
    bearer = {"authorization": f"Bearer {secret}"}
    api = reverse("api:club", args=[club.slug])
    entry = reverse("league:deal-record", args=[table.pk])
    sent = {"reader_clientkey": str(uuid4())}
    assert client.get(entry).status_code == 200
    assert Client().get(api, headers=bearer).status_code == 200
    roles.end_membership(club.memberships.get(player=secretary).pk)
    assert client.post(entry, sent).status_code == 404
    assert client.post(reverse("league:deal-void", args=[deal.pk]), sent).status_code == 404
    assert client.get(deal.get_absolute_url()).status_code == 404
    assert Client().get(api, headers=bearer).status_code == 404


def test_page_of_one_reader_is_never_another_readers(client: Client) -> None:
    """The tag that somebody's browser got answers nobody else by 304, and no cache between keeps the page."""
    club = a_club()
    season = a_season(club)
    a_deal(a_table(an_evening(season)))
    readers = {role: signed_in(Client(), a_member(club, role)) for role in (Role.MEMBER, Role.SECRETARY, Role.ADMIN)}
    page = reverse("league:season", args=[season.pk])
    for role, reader in readers.items():
        answer = reader.get(page)
        assert "private" in answer.headers["Cache-Control"] or "no-store" in answer.headers["Cache-Control"]
        assert "Cookie" in answer.headers["Vary"]
        if tag := answer.headers.get("ETag"):
            assert reader.get(page, headers={"if-none-match": tag}).status_code == 304
            other_readers = [reader_client for name, reader_client in readers.items() if name != role]
            assert {
                reader_client.get(page, headers={"if-none-match": tag}).status_code for reader_client in other_readers
            } == {200}
            assert client.get(page, headers={"if-none-match": tag}).status_code in (302, 404)


HOSTILE_NAMES: Final = ('Club"\r\nX-Made-Up: yes', "Club; filename=evil.exe", "\u202etxt.exe", "a/../../b")


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_name_of_a_file_is_its_name_alone(client: Client, name: str) -> None:
    club = a_club()
    Club.objects.filter(pk=club.pk).update(name=name)
    signed_in(client, a_member(club, Role.ADMIN))
    answer = client.get(reverse("league:audit-csv", args=[club.slug]))
    assert "X-Made-Up" not in answer.headers
    assert re.fullmatch(r'attachment; filename="[\w. -]+\.csv"', answer.headers["Content-Disposition"])


KEYS: Final = ("calendar_key", "live", "token", "at", "screen_code", "stop")


@pytest.mark.parametrize("word", KEYS)
def test_key_in_an_address_is_not_guessed(world: World, client: Client, word: str) -> None:
    """Others of its kind, and the true one with a letter changed, say nothing of anybody."""
    true = str(world.places[word])
    places = (0, len(true) // 2, len(true) - 2)  # of the last letter of base64 not every bit counts
    # A screen's code is read in capitals.
    guesses = [true[:index] + ("b" if true[index] not in "bB" else "c") + true[index + 1 :] for index in places]
    for key in (str(uuid4()), "0" * 32, "1", *guesses):
        for row in ROWS:
            if row.method == "GET" and f"{{{word}}}" in row.address:
                page = client.get(row.address.replace(f"{{{word}}}", key))
                assert page.status_code in (302, 403, 404, 410), (row.address, key)
