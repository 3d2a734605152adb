"""Embedded pages of a public club."""

from __future__ import annotations

import re
from datetime import time, timedelta
from html import unescape

import pytest
import time_machine
from django.test import Client

from league.actions import evenings
from league.models import Club, Run, Season
from league.models.evening import EveningState
from league.models.rights import Role
from league.models.season import SeasonState
from league.recompute.work import runs
from tests.build import (
    NOW,
    a_club,
    a_deal,
    a_member,
    a_player,
    a_season,
    a_table,
    a_tournament,
    a_unit,
    an_evening,
)
from tests.readers import signed_in


def played(club: Club) -> Season:
    """A season with one closed evening, computed, and one to come."""
    season = a_season(club, name="Autumn", end_number=1)
    evening = an_evening(season)
    a_deal(a_table(evening, [a_player("Ann", "Durand"), *(a_player() for _ in range(3))]))
    evenings.close(evening.pk, now=NOW)
    runs.run(Run.Trigger.CLOSING, now=NOW)
    an_evening(season, EveningState.PLANNED, NOW.date() + timedelta(days=7))
    return season


@pytest.fixture
def season(db: None) -> Season:
    return played(a_club(name="Tarot du mardi", public=True, place="Salle des fêtes", begins_at=time(20, 30)))


STYLE = "https://www.club.example/league.css"


def allowed(season: Season, style: str = STYLE) -> str:
    """Return the address of the season's board with a stylesheet, as the club's admin is given it."""
    admin = signed_in(Client(), a_member(season.club, Role.ADMIN))
    page = unescape(admin.get(f"/clubs/{season.club.slug}/embed", {"style": style}).content.decode())
    [address] = re.findall(rf"http://testserver(/embed/seasons/{season.pk}\?[^\"]+)", page)
    return str(address)


def test_stylesheet_is_used_only_with_the_key_that_the_clubs_admin_was_given(season: Season, client: Client) -> None:
    """Any reader could else restyle the board, and have its readers' browsers ask another site."""
    address, other_address = allowed(season), allowed(played(a_club(name="Other", public=True)))
    key, foreign = address.partition("&key=")[2], other_address.partition("&key=")[2]
    for query in ("", "&key=", f"&key={foreign}", f"&key={key[:-2]}", "&key=%00", f"&key=:{key}"):
        answer = client.get(f"/embed/seasons/{season.pk}?style={STYLE}{query}")
        assert STYLE not in answer.content.decode()
        assert "www.club.example" not in answer.headers["Content-Security-Policy"]
    answer = client.get(f"/embed/seasons/{season.pk}?style=https://evil.example/a.css&key={key}")
    assert "evil.example" not in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(
    "style", ["https://www.clüb.example/a.css", "https://www.club.example/é.css", "http://a.example/"]
)
def test_stylesheet_that_cannot_be_is_refused_on_its_field(season: Season, client: Client, style: str) -> None:
    assert client.get(f"/embed/seasons/{season.pk}", {"style": style}).status_code == 400
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    answer = admin.get(f"/clubs/{season.club.slug}/embed", {"style": style})
    assert answer.context["form"].errors.keys() == {"style"}
    assert style in answer.content.decode()


def test_standings_for_every_site_and_cache(season: Season, client: Client) -> None:
    answer = client.get(f"{allowed(season)}&rows=1")
    policy = answer.headers["Content-Security-Policy"]
    assert "frame-ancestors *" in policy
    assert "style-src 'self' https://www.club.example/league.css" in policy
    assert "X-Frame-Options" not in answer.headers
    assert answer.headers["Cache-Control"] == "public, max-age=300"
    assert not answer.cookies
    text = answer.content.decode()
    assert "Ann Durand" in text
    assert text.count("<tr>") == 2
    second_answer = client.get(f"/embed/seasons/{season.pk}", headers={"if-none-match": answer.headers["ETag"]})
    assert second_answer.status_code == 200  # other rows


def test_no_other_page_may_be_framed(season: Season, client: Client) -> None:
    for address in (season.get_absolute_url(), "/", "/games/"):
        answer = client.get(address)
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


def test_the_same_as_data(season: Season, client: Client) -> None:
    answer = client.get(f"/embed/seasons/{season.pk}.json")
    assert answer.headers["Access-Control-Allow-Origin"] == "*"
    content = answer.json()
    assert content["standings"][0] == {
        "rank": 1, "rank_before": None, "player": "Ann Durand", "points": 81.0, "evenings": 1, "deals": 1,
    }  # fmt: skip
    with time_machine.travel(NOW):
        [coming] = client.get(f"/embed/clubs/{season.club.slug}.json").json()["evenings"]
    assert (coming["date"], coming["begins"]) == ("2026-10-09", "2026-10-09T20:30:00+02:00")
    assert coming["place"] == "Salle des fêtes"


def test_an_evening_that_is_on_comes_first(season: Season, client: Client) -> None:
    tonight = an_evening(season, on=NOW.date())
    with time_machine.travel(NOW):
        first, second = client.get(f"/embed/clubs/{season.club.slug}.json").json()["evenings"]
        page = client.get(f"/embed/clubs/{season.club.slug}").content.decode()
        directory = " ".join(client.get("/clubs/").content.decode().split())
    assert (first["date"], first["on"], second["on"]) == ("2026-10-02", True, False)
    assert page.count("On now") == 1
    assert f'On now: <a href="{tonight.get_absolute_url()}">' in directory


def test_a_draft_is_not_offered_to_other_sites(season: Season, client: Client) -> None:
    draft = a_season(season.club, name="By mistake", state=SeasonState.DRAFT)
    guide = signed_in(client, a_member(season.club, Role.ADMIN)).get(f"/clubs/{season.club.slug}/embed")
    assert f"/embed/seasons/{season.pk}" in guide.content.decode()
    assert f"/embed/seasons/{draft.pk}" not in guide.content.decode()


def test_a_private_club_shows_nothing_not_even_to_its_admin(season: Season, client: Client) -> None:
    Club.objects.update(public=False)
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    for address in (f"seasons/{season.pk}", f"seasons/{season.pk}.json", f"clubs/{season.club.slug}"):
        assert admin.get(f"/embed/{address}").status_code == 404
    assert "The club is private" in admin.get(f"/clubs/{season.club.slug}/embed").content.decode()


@pytest.mark.parametrize(
    "query",
    [
        "rows=0", "rows=101", "rows=x", "language=de", "style=http://www.club.example/a.css", "style=javascript:1",
        "style=https://a.example/a.css;script-src *", "style=https://a.example/a.css%3Bscript-src%20*",
        "style=https://a.example/'unsafe-inline'", "style=data:text/css,a", "style=https://a.example/a.css?b=1",
        "style=https://www.cl%C3%BCb.example/a.css", "style=https://www.club.example/%F0%9F%82%A1.css",
    ],
)  # fmt: skip
def test_what_an_address_may_not_ask_for(season: Season, client: Client, query: str) -> None:
    answer = client.get(f"/embed/seasons/{season.pk}?{query}")
    assert answer.status_code == 400
    assert "*" not in answer.headers["Content-Security-Policy"]


def test_in_the_clubs_language_or_another(season: Season, client: Client) -> None:
    Club.objects.update(language="fr")
    assert "Soirées" in client.get(f"/embed/seasons/{season.pk}").content.decode()
    assert "Evenings" in client.get(f"/embed/seasons/{season.pk}?language=en-gb").content.decode()


def test_a_public_tournament_is_framed_with_facts_and_agreed_names_and_without_a_form(client: Client, db: None) -> None:
    tournament = a_tournament(a_club(), public=True, places=3)
    a_unit(tournament, "Anne Petit", "Bruno Grand", names_public=True)
    a_unit(tournament, "Chloé Roy", "David Blanc")
    answer = client.get(f"/embed/tournaments/{tournament.pk}")
    page = answer.content.decode()
    assert ("Anne Petit" in page, "Chloé Roy" in page, "places left: 1" in page) == (True, False, True)
    assert ("<form" in page, answer.cookies) == (False, {})
    assert "frame-ancestors *" in answer.headers["Content-Security-Policy"]
    registration = client.get(f"/tournaments/{tournament.pk}/register")
    assert "frame-ancestors *" not in registration.headers["Content-Security-Policy"]
    data = client.get(f"/embed/tournaments/{tournament.pk}.json").json()
    assert (data["places"], data["registered"], data["open"]) == (3, 2, True)
    assert "Anne" not in str(data)


def test_neither_a_draft_nor_a_tournament_for_members_is_framed(client: Client, db: None) -> None:
    draft = a_tournament(a_club(public=True), is_open=False, public=True)
    internal = a_tournament(a_club(), public=False)
    for tournament in (draft, internal):
        for ending in ("", ".json"):
            assert client.get(f"/embed/tournaments/{tournament.pk}{ending}").status_code == 404
