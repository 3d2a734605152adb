"""The announcement of a tournament outside its page: previews of links, calendars."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from league.actions import tournaments
from league.models import Club, Tournament
from league.models.rights import Role
from tests.build import a_club, a_member, a_season, a_tournament, sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club(name="Belote du village", public=True, language="en")


@pytest.fixture
def tournament(club: Club) -> Tournament:
    values: dict[str, Any] = {"date": date(2027, 1, 16), "begins_at": time(14, 0), "place": "Village hall"}
    return a_tournament(club, name="Winter contest", public=True, **values)


def events(content: bytes) -> list[Any]:
    return list(Calendar.from_ical(content).walk("VEVENT"))


def calendar_address(tournament: Tournament) -> str:
    return reverse("league:tournament-calendar", args=[tournament.pk])


def test_a_link_to_the_tournament_has_a_preview(client: Client, tournament: Tournament) -> None:
    page = client.get(tournament.get_absolute_url(), headers={"accept-language": "en"}).content.decode()
    assert '<meta property="og:title" content="Winter contest · Belote du village">' in page
    assert '<meta property="og:description" content="Saturday 16 Jan 2027, 2 p.m., Village hall">' in page
    assert f'<meta property="og:url" content="http://testserver{tournament.get_absolute_url()}">' in page


def test_the_page_has_the_whole_format(client: Client, club: Club) -> None:
    """A format that was chosen by mistake is noticed here, or not before the day."""
    values: dict[str, Any] = {"ranked_by": "wins", "ties": ["points", "against"], "pairing": "lot", "rounds": 4}
    row = a_tournament(club, public=True, exempt_points=972, exempt_wins=True, **values)
    page = " ".join(client.get(row.get_absolute_url()).content.decode().split())
    for name, fact in (
        ("Ranking", "Number of wins"),
        ("Tie-breaks", "Points, Fewest points against"),
        ("Later rounds are drawn", "By lot"),
        ("A round without opponents gives", "972 points and a win"),
    ):
        assert f"<dt>{name}</dt> <dd>{fact}</dd>" in page


def test_the_calendar_file_has_hour_and_place(client: Client, tournament: Tournament) -> None:
    answer = client.get(calendar_address(tournament))
    [event] = events(answer.content)
    # Two o'clock in Paris is one o'clock in universal time in January.
    assert event["DTSTART"].dt == datetime(2027, 1, 16, 13, 0, tzinfo=UTC)
    assert (event["SUMMARY"], event["LOCATION"]) == ("Belote du village: Winter contest", "Village hall")
    assert answer["Content-Disposition"] == 'attachment; filename="winter-contest.ics"'


def test_the_clubs_calendar_has_its_tournaments_and_their_cancellation(
    client: Client, club: Club, tournament: Tournament
) -> None:
    a_tournament(club, is_open=False, name="Only a draft")
    tournaments.cancel(tournament.pk)
    content = client.get(reverse("league:club-calendar", args=[club.slug])).content
    [event] = events(content)
    assert (event["SUMMARY"], event["STATUS"]) == ("Belote du village: Winter contest", "CANCELLED")
    assert event["SEQUENCE"] == 2, "created, opened, cancelled"


def test_a_draft_has_no_calendar_file_for_visitors(client: Client, club: Club) -> None:
    draft = a_tournament(club, is_open=False, public=True)
    assert client.get(calendar_address(draft)).status_code == 404
    sign_in(client, a_member(club, Role.SECRETARY))
    assert client.get(calendar_address(draft)).status_code == 200


def test_the_clubs_page_lists_coming_tournaments_the_next_first(client: Client, club: Club) -> None:
    today = timezone.localdate()
    for name, days in ("Later", 9), ("Sooner", 2), ("Cancelled", 3), ("Over", -3):
        tournament = a_tournament(club, name=name)
        Tournament.objects.filter(pk=tournament.pk).update(date=today + timedelta(days=days))
    tournaments.cancel(club.tournaments.get(name="Cancelled").pk)
    a_tournament(club, name="Draft", is_open=False)

    def listed() -> list[str]:
        return [str(tournament) for tournament in client.get(club.get_absolute_url()).context["tournaments"]]

    assert listed() == ["Sooner", "Later"]
    sign_in(client, a_member(club, Role.SECRETARY))
    assert listed() == ["Sooner", "Later", "Draft"]


@pytest.mark.django_db(transaction=True)
def test_a_changed_tournament_changes_the_tag_of_the_clubs_page(client: Client, club: Club) -> None:
    a_season(club)
    page = client.get(club.get_absolute_url())
    assert client.get(club.get_absolute_url(), headers={"if-none-match": page["ETag"]}).status_code == 304
    a_tournament(club, name="Winter contest")
    page = client.get(club.get_absolute_url(), headers={"if-none-match": page["ETag"]})
    assert (page.status_code, "Winter contest" in page.content.decode()) == (200, True)
