"""Which language a page speaks: the person's, the browser's choice, the club's for visitors, the browser's own."""

from datetime import UTC, datetime

import pytest
from django.test import Client
from django.utils import translation
from django.utils.formats import date_format

from league.models import Club
from tests.build import a_club, a_member, a_tournament, sign_in
from tests.markup import unbroken

pytestmark = pytest.mark.django_db

ENGLISH, FRENCH = {"Accept-Language": "en"}, {"Accept-Language": "fr"}


@pytest.fixture
def club() -> Club:
    return a_club(public=True, language="fr")


def language(client: Client, address: str, headers: dict[str, str]) -> str:
    return client.get(address, headers=headers)["Content-Language"]


def choose(client: Client, code: str, back: str = "/games/") -> str:
    return client.post("/language", {"language": code, "next": back})["Location"]


def test_a_clubs_page_speaks_the_clubs_language_to_visitors(client: Client, club: Club) -> None:
    page = client.get(club.get_absolute_url(), headers=ENGLISH)
    assert page["Content-Language"] == "fr"
    assert "Saisons" in page.content.decode() or "saison" in page.content.decode()
    assert language(client, "/games/", ENGLISH) == "en-gb"
    assert language(client, "/games/", FRENCH) == "fr"


def test_a_tournaments_page_speaks_the_browsers_language_and_else_the_clubs(client: Client, club: Club) -> None:
    """Its address is passed on to people who do not know the club, in two languages near a border."""
    address = a_tournament(club, public=True).get_absolute_url()
    assert language(client, address, ENGLISH) == "en-gb"
    assert language(client, address, {"Accept-Language": "de, *;q=0.5"}) == "fr"
    choose(client, "fr", address)
    assert language(client, address, ENGLISH) == "fr"


def test_members_read_it_in_their_browsers_language(client: Client, club: Club) -> None:
    sign_in(client, a_member(club))
    assert language(client, club.get_absolute_url(), ENGLISH) == "en-gb"


def test_a_browsers_choice_stays_and_leads_back(client: Client, club: Club) -> None:
    assert choose(client, "en-gb", club.get_absolute_url()) == club.get_absolute_url()
    assert language(client, club.get_absolute_url(), FRENCH) == "en-gb"
    assert language(client, "/games/", FRENCH) == "en-gb"


def test_a_persons_choice_goes_with_him_to_other_browsers(client: Client, club: Club) -> None:
    member = a_member(club)
    sign_in(client, member)
    choose(client, "fr")
    assert member.user
    member.user.refresh_from_db()
    assert member.user.language == "fr"
    second_browser = sign_in(Client(), member)
    assert language(second_browser, "/games/", ENGLISH) == "fr"
    choose(second_browser, "en-gb")
    assert language(client, "/games/", FRENCH) == "en-gb", "the last choice, also where another was made before"


@pytest.mark.parametrize("code", ["", "de", "x" * 300])
def test_a_language_that_there_is_not_changes_nothing(client: Client, club: Club, code: str) -> None:
    member = a_member(club)
    sign_in(client, member)
    choose(client, code)
    assert member.user
    member.user.refresh_from_db()
    assert member.user.language == ""
    assert language(client, "/games/", FRENCH) == "fr"


def test_it_leads_to_no_other_site_and_a_link_changes_nothing(client: Client) -> None:
    assert choose(client, "fr", "https://elsewhere.example/") == "/"
    assert client.get("/language").status_code == 405


def test_every_page_has_the_switch(client: Client) -> None:
    page = unbroken(client.get("/games/?x=1"))
    assert '<input type="hidden" name="next" value="/games/?x=1">' in page
    assert page.count('name="language"') == 2


def test_french_says_at_what_hour() -> None:
    with translation.override("fr"):
        assert (
            date_format(datetime(2026, 11, 20, 16, 38, tzinfo=UTC), "DATETIME_FORMAT")
            == "20 novembre 2026 à 16\xa0h\xa038"
        )
