"""Every answer of the API: access, caching, language and rate limits."""

from __future__ import annotations

from datetime import timedelta
from html import unescape
from uuid import uuid4

import pghistory
import pytest
import time_machine
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from league.actions import api_tokens, deals, player_names
from league.api.tests.reading import a_token, read
from league.models import ApiToken, Club
from league.models.rights import Role
from players.naming import NameStyle
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening
from tests.readers import signed_in, user_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club(name="Belote du jeudi")


def test_a_visitor_reads_public_clubs_alone(club: Club, client: Client) -> None:
    public_club = a_club(public=True)
    assert [item["slug"] for item in read(client, "clubs")["items"]] == [public_club.slug]
    answer = client.get(f"/api/v1/clubs/{club.slug}")
    assert (answer.status_code, answer.headers["Content-Type"]) == (404, "application/problem+json")
    assert answer.json() == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": "",
        "errors": [],
        "confirm": "",
        "current": None,
    }


def test_a_token_reads_what_its_person_may(club: Club, client: Client) -> None:
    token = a_token(a_member(club))
    assert read(client, f"clubs/{club.slug}", token)["name"] == "Belote du jeudi"


def test_people_of_ones_clubs_are_named_as_to_members(client: Client) -> None:
    club = a_club(public=True)
    person, stranger = a_member(club), a_member(a_club(public=True))
    player_names.choose_naming(person.pk, public=NameStyle.PSEUDONYM, members=NameStyle.FULL, pseudonym="Le Chat")
    full_name = f"{person.given_name} {person.family_name}"
    names = {token: read(client, f"players/{person.pk}", token)["name"] for token in ("", a_token(a_member(club)))}
    assert list(names.values()) == ["Le Chat", full_name]
    assert read(client, f"players/{person.pk}", a_token(stranger))["name"] == "Le Chat"
    assert read(client, f"players/{person.pk}")["name"] == "Le Chat"


def test_a_hidden_name_doesnt_sort_the_members(client: Client) -> None:
    club = a_club(public=True)
    names = {"Adam": "Zazie", "Mona": "", "Zoé": "Alfred"}
    for family, pseudonym in names.items():
        club.memberships.create(player=(person := a_player("Luc", family)))
        if pseudonym:
            player_names.choose_naming(
                person.pk, public=NameStyle.PSEUDONYM, members=NameStyle.FULL, pseudonym=pseudonym
            )

    def member_names(token: str = "") -> list[str]:
        items = read(client, f"clubs/{club.slug}/members", token)["items"]
        return [item["player"]["name"] for item in items if item["player"]["name"] in full_names | set(names.values())]

    full_names = {f"Luc {family}" for family in names}
    assert member_names() == ["Alfred", "Luc Mona", "Zazie"]
    assert member_names(a_token(a_member(club))) == ["Luc Zoé", "Luc Mona", "Luc Adam"]


def test_a_deals_history_says_what_its_page_says(client: Client) -> None:
    """Visitors do not see authors, as on the page."""
    club = a_club(public=True)
    secretary = a_member(club, Role.SECRETARY)
    deal = a_deal(a_table(an_evening(a_season(club))))
    with pghistory.context(user=secretary.user_id):
        facts = {**TAKE, "points": 60}
        deal = deals.revise(deal.pk, facts, client_key=uuid4(), seen_version=deal.version, now=NOW, reason="Misread")
        deals.void(deal.pk, client_key=uuid4(), seen_version=deal.version, now=NOW, reason="Misread")
    voided, revised, recorded = history = read(client, f"deals/{deal.pk}", a_token(secretary))["history"]
    assert [item["what"] for item in history] == ["voided", "revised", "recorded"]
    assert [(item["by"], item["reason"]) for item in (voided, revised)] == [(str(secretary), "Misread")] * 2
    assert (recorded["before"], revised["before"], voided["before"]) == ("", recorded["after"], revised["after"])
    page = unescape(signed_in(client, secretary).get(deal.get_absolute_url()).content.decode())
    for item in history:
        assert f"{item['before']}{' → ' if item['before'] and item['after'] else ''}{item['after']}" in page
    assert len(revised["seats"]) == 4
    assert [seat["before"] for seat in voided["seats"]] == [seat["after"] for seat in revised["seats"]]
    assert [item["by"] for item in read(Client(), f"deals/{deal.pk}")["history"]] == [None] * 3


def test_a_session_counts_for_nothing(club: Club, client: Client) -> None:
    assert signed_in(client, a_member(club, Role.ADMIN)).get(f"/api/v1/clubs/{club.slug}").status_code == 404


@pytest.mark.parametrize("header", ["Bearer league_wrong", "Bearer ", "Basic YTpi", "league_wrong", ""])
def test_a_wrong_token_is_told_so(client: Client, header: str) -> None:
    answer = client.get("/api/v1/clubs", headers={"authorization": header})
    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert answer.json()["title"] == "Unauthorized"
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_other_sites_read_what_visitors_may(client: Client, club: Club) -> None:
    answer = client.get("/api/v1/clubs")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    assert answer.headers["Cache-Control"] == "public, max-age=60"
    assert {"Authorization", "Accept-Language"} <= set(answer.headers["Vary"].split(", "))
    assert not answer.cookies
    member_answer = client.get("/api/v1/clubs", headers={"authorization": f"Bearer {a_token(a_member(club))}"})
    assert "Access-Control-Allow-Origin" not in member_answer.headers
    assert member_answer.headers["Cache-Control"] == "private, no-cache"
    preflight = client.options("/api/v1/clubs", headers={"access-control-request-headers": "authorization"})
    assert "Access-Control-Allow-Headers" not in preflight.headers


def test_what_has_not_changed_is_not_sent_again(client: Client) -> None:
    a_club(public=True)
    tag = client.get("/api/v1/clubs").headers["ETag"]
    unchanged = client.get("/api/v1/clubs", headers={"if-none-match": tag})
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    a_club(public=True)
    assert client.get("/api/v1/clubs", headers={"if-none-match": tag}).status_code == 200


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "options"])
def test_it_is_only_read(client: Client, method: str) -> None:
    answer = getattr(client, method)("/api/v1/clubs")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert client.head("/api/v1/clubs").status_code == 200


@pytest.mark.parametrize(
    ("query", "name"), [("limit=0", "limit"), ("limit=101", "limit"), ("offset=-1", "offset"), ("limit=x", "limit")]
)
def test_a_wrong_parameter_is_named(client: Client, query: str, name: str) -> None:
    answer = client.get(f"/api/v1/clubs?{query}")
    assert answer.status_code == 422
    assert [item["name"] for item in answer.json()["errors"]] == [name]


@pytest.mark.parametrize("date", ["0001-01-01", "1899-12-31", "9999-12-31"])
def test_a_date_out_of_bounds_is_refused_by_its_name(client: Client, date: str) -> None:
    answer = client.get(f"/api/v1/games/tarot/leaderboard?on={date}")
    assert answer.status_code == 422
    [error] = answer.json()["errors"]
    assert error["name"] == "on"
    assert error["detail"].startswith(f"{date} is not a date from 1900-01-01 to ")


def test_pages_follow_one_another(client: Client) -> None:
    slugs = sorted(a_club(public=True, name=f"Club {letter}").slug for letter in "abcde")
    pages: list[str] = []
    address: str | None = "http://testserver/api/v1/clubs?limit=2"
    while address:
        page = client.get(address).json()
        assert page["count"] == 5
        pages += [item["slug"] for item in page["items"]]
        address = page["next"]
    assert pages == slugs


def test_words_are_in_the_language_that_is_asked_for(client: Client) -> None:
    deal = a_deal(a_table(an_evening(a_season(a_club(public=True, language="fr")))))

    def summary(**headers: str) -> str:
        return str(read(client, f"deals/{deal.pk}", **headers)["summary"])

    assert "prise" in summary(**{"accept-language": "fr-FR,fr;q=0.9,en;q=0.5"}).lower()
    assert summary(**{"accept-language": "xx,*;q=0.1"}) == summary()
    assert "take" in summary().lower()


def test_who_asks_too_often_waits(client: Client, club: Club, settings: object) -> None:
    settings.API_LIMITS = {"visitor": "2/m", "token": "3/m"}  # type: ignore[attr-defined]
    token = a_token(a_member(club))
    with time_machine.travel(NOW, tick=False) as clock:
        assert [client.get("/api/v1/games").status_code for _ in range(3)] == [200, 200, 429]
        clock.shift(45)
        refused = client.get("/api/v1/games")
        assert (refused.status_code, refused.headers["Retry-After"]) == (429, "15")
        assert refused.json()["title"] == "Too Many Requests"
        read(client, "games", token)  # counted by itself
        clock.shift(15)
        read(client, "games")


def test_guesses_are_counted(client: Client, settings: object) -> None:
    settings.API_LIMITS = {"visitor": "2/m", "token": "9/m"}  # type: ignore[attr-defined]
    wrong = {"authorization": "Bearer league_guess"}
    assert [client.get("/api/v1/games", headers=wrong).status_code for _ in range(3)] == [401, 401, 429]


def test_a_tokens_last_use_is_known_to_the_minute(
    client: Client, club: Club, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    token = a_token(a_member(club))

    def used() -> object:
        return ApiToken.objects.get().used_at

    with time_machine.travel(NOW, tick=False) as clock:
        with django_assert_num_queries(3):  # the token with its user, its use, the people of the user's clubs
            read(client, "games", token)
        assert used() == NOW
        clock.shift(59)
        with django_assert_num_queries(2):
            read(client, "games", token)
        assert used() == NOW
        clock.shift(1)
        read(client, "games", token)
        assert used() == NOW + timedelta(minutes=1)


def test_a_token_ends(client: Client, club: Club) -> None:
    member = a_member(club)
    user = user_of(member)
    token = api_tokens.create_token(user, "Short", NOW.date(), now=NOW)

    def status() -> int:
        return client.get("/api/v1/games", headers={"authorization": f"Bearer {token}"}).status_code

    with time_machine.travel(NOW):
        assert status() == 200
        user.is_active = False
        user.save()
        assert status() == 401
        user.is_active = True
        user.save()
        assert status() == 200
    with time_machine.travel(NOW + timedelta(days=1)):
        assert status() == 401
