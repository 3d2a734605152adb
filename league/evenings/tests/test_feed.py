"""The Atom feed of a club's results: what it names, and what it leaves out."""

from __future__ import annotations

from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.test import Client

from league.actions import evenings, people, player_names, tournament_play
from league.models import Club
from league.models.rights import Role
from players.naming import NameStyle
from tests.build import (
    NOW,
    TODAY,
    a_club,
    a_deal,
    a_drawn_round,
    a_member,
    a_running_tournament,
    a_season,
    a_table,
    an_evening,
    written_totals,
)
from tests.readers import signed_in

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"


def entries(client: Client, club: Club) -> list[tuple[str, str]]:
    """Return title and text of each entry."""
    answer = client.get(f"/clubs/{club.slug}/results.atom")
    assert answer.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
    feed = ElementTree.fromstring(answer.content)
    return [
        (entry.findtext(f"{ATOM}title", ""), entry.findtext(f"{ATOM}summary", ""))
        for entry in feed.findall(f"{ATOM}entry")
    ]


def test_closed_evenings_the_latest_first_with_public_names(client: Client) -> None:
    """Also a member's request has the public names: feed readers keep and forward entries."""
    club = a_club(public=True, public_names=NameStyle.INITIAL)
    season = a_season(club, name="Autumn", end_number=1)
    players = [a_member(club) for _ in range(4)]
    people.change_details(
        club.memberships.get(player=players[0]).pk, names=("<b>Zoé", "Blanc"), number="", email="", phone=""
    )
    player_names.apply_club_name_defaults([players[0].pk])
    for days in (14, 7):
        evening = an_evening(season, on=TODAY - timedelta(days=days))
        a_deal(a_table(evening, players))
        evenings.close(evening.pk, now=NOW - timedelta(days=days))
    an_evening(season)
    for reader in (client, signed_in(Client(), players[1])):
        later, earlier = entries(reader, club)
        assert later[0] == "Tarot evening of 25 Sep 2026"
        assert earlier[0] == "Tarot evening of 18 Sep 2026"
        assert later[1].startswith("Autumn. Winner: &lt;b&gt;Zoé B., ")
        assert "Blanc" not in later[1]


def test_finished_tournaments_name_only_winners_who_agreed(client: Client) -> None:
    club = a_club(public=True)
    tournament = a_running_tournament(club, units=2, rounds=1, name="Open day")
    [table] = a_drawn_round(tournament).tables.all()
    written_totals(table, [1000, 944] * 2, deals=12)
    assert entries(client, club) == []
    tournament_play.finish(tournament.pk, now=NOW)
    [(heading, text)] = entries(client, club)
    assert heading.startswith("Open day, ")
    assert text.startswith("Winner: ")
    tournament.units.update(names_public=False)
    [(_heading, unnamed)] = entries(client, club)
    assert "Number" in unnamed


def test_a_private_clubs_feed_is_for_its_members(client: Client) -> None:
    club = a_club()
    assert client.get(f"/clubs/{club.slug}/results.atom").status_code == 404
    answer = signed_in(client, a_member(club, Role.MEMBER)).get(f"/clubs/{club.slug}/results.atom")
    assert answer.headers["Cache-Control"].startswith("private")
