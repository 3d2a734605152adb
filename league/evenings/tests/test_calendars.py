"""Evenings in other programs' calendars: what an event says, and who reads which address."""

from datetime import UTC, date, datetime, time, timedelta
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar

from league.actions import evenings
from league.actions.club_import import import_club
from league.imports.queries.club_file.export import write_club_file
from league.imports.queries.club_file.reading import read_club_file
from league.models import Club, Evening
from league.models.evening import EveningState
from league.models.rights import Role
from league.web.calendar_file import evenings_with_changes, render_calendar
from players.models import User
from tests.build import NOW, TODAY, a_club, a_member, a_running_tournament, a_season, an_evening
from tests.club_file_damage import read_tables, with_tables
from tests.readers import signed_in, user_of

pytestmark = pytest.mark.django_db

SITE = "https://league.example"


@pytest.fixture
def club() -> Club:
    return a_club(name="Tarot du mardi", public=True, place="Salle des fêtes", begins_at=time(20, 30))


def planned_evening(club: Club, day: date = TODAY, **fields: object) -> Evening:
    season = club.seasons.first() or a_season(club, name="Autumn")
    evening = an_evening(season, EveningState.PLANNED, day)
    Evening.objects.filter(pk=evening.pk).update(**fields)
    return evening


def events(content: bytes) -> list[Any]:
    return list(Calendar.from_ical(content).walk("VEVENT"))


def events_of(club: Club) -> list[Any]:
    evenings = evenings_with_changes(Evening.objects.with_season().filter(season__club=club).order_by("date", "pk"))
    return events(render_calendar("Evenings", evenings, SITE))


def test_an_evening_at_its_hour_and_place(club: Club) -> None:
    evening = planned_evening(club, name="The Christmas evening")
    [event] = events_of(club)
    # Half past eight in Paris is half past six in universal time in October.
    assert event["DTSTART"].dt == datetime(2026, 10, 2, 18, 30, tzinfo=UTC)
    assert event["DTEND"].dt == datetime(2026, 10, 2, 22, 30, tzinfo=UTC)
    assert event["SUMMARY"] == "Tarot du mardi: The Christmas evening"
    assert event["LOCATION"] == "Salle des fêtes"
    assert event["URL"] == f"{SITE}/evenings/{evening.pk}/"


def test_without_an_hour_it_is_of_the_whole_day(club: Club) -> None:
    Club.objects.update(begins_at=None, place="")
    planned_evening(club)
    [event] = events_of(club)
    assert event["DTSTART"].dt == TODAY
    assert "DTEND" not in event
    assert "LOCATION" not in event


def test_an_event_keeps_its_name_and_counts_its_changes(club: Club) -> None:
    evening = planned_evening(club)
    [before] = events_of(club)
    evenings.cancel(evening.pk)
    [after] = events_of(club)
    assert after["UID"] == before["UID"]
    assert after["SEQUENCE"] > before["SEQUENCE"]
    assert after["DTSTAMP"].dt >= before["DTSTAMP"].dt
    assert (before["STATUS"], after["STATUS"]) == ("CONFIRMED", "CANCELLED")


def test_nothing_that_is_typed_ends_a_line(club: Club) -> None:
    planned_evening(club, name="Final\nEND:VEVENT; a, b")
    [event] = events_of(club)
    assert event["SUMMARY"] == "Tarot du mardi: Final\nEND:VEVENT; a, b"


def test_a_public_clubs_calendar(club: Club, client: Client) -> None:
    planned_evening(club)
    planned_evening(club, day=date(2020, 1, 1))  # long over
    address = reverse("league:club-calendar", args=[club.slug])
    with time_machine.travel(NOW):
        answer = client.get(address)
        assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
        assert answer.headers["Cache-Control"] == "public, max-age=14400"
        assert len(events(answer.content)) == 1
        unchanged = client.get(address, headers={"if-none-match": answer.headers["ETag"]})
        assert unchanged.status_code == 304
        assert client.post(address).status_code == 405


def test_a_running_tournament_is_one_event(client: Client) -> None:
    """Its evening, which exists from the start on, was a second event of the same day."""
    tournament = a_running_tournament(a_club(public=True))
    answer = client.get(reverse("league:club-calendar", args=[tournament.club.slug]))
    assert [event["UID"].partition("@")[0] for event in events(answer.content)] == [f"tournament-{tournament.pk}"]


def key_of(user: User) -> str:
    user.refresh_from_db()
    return reverse("league:person-calendar", args=[user.calendar_key])


def test_a_persons_calendar_has_the_evenings_of_his_clubs_alone(club: Club, client: Client) -> None:
    secret = a_club(name="Secret club")
    player = a_member(secret)
    club.memberships.create(player=player, role=Role.GUEST)
    planned_evening(club)
    planned_evening(secret)
    planned_evening(a_club(name="Another club", public=True))
    signed_in(client, player).post(reverse("league:calendar-renew"))
    with time_machine.travel(NOW):
        answer = Client().get(key_of(user_of(player)))  # without signing in
        assert {str(event["SUMMARY"]).split(":")[0] for event in events(answer.content)} == {
            "Tarot du mardi",
            "Secret club",
        }
        secret.memberships.filter(player=player).update(role=Role.GUEST)
        answer = Client().get(key_of(user_of(player)))
    assert "Secret club" not in answer.content.decode()


def test_a_persons_calendar_is_in_his_language_before_that_of_his_club(club: Club, client: Client) -> None:
    Club.objects.update(language="fr")
    player = a_member(club)
    signed_in(client, player).post(reverse("league:calendar-renew"))
    for language, name in (("", "Mes soirées"), ("en", "My evenings")):
        User.objects.filter(player=player).update(language=language)
        [calendar] = Calendar.from_ical(Client().get(key_of(user_of(player))).content).walk("VCALENDAR")
        assert str(calendar["X-WR-CALNAME"]) == name


def test_a_new_address_ends_the_old_one_and_none_ends_all(club: Club, client: Client) -> None:
    user = user_of(a_member(club))
    client.force_login(user)
    page = reverse("league:calendar")
    assert ".ics" in client.get(page).content.decode()  # the public club's
    client.post(reverse("league:calendar-renew"))
    first = key_of(user)
    assert first in client.get(page).content.decode()
    client.post(reverse("league:calendar-renew"))
    second = key_of(user)
    assert [client.get(address).status_code for address in (first, second)] == [404, 200]
    client.post(reverse("league:calendar-end"))
    assert client.get(second).status_code == 404
    assert second not in client.get(page).content.decode()


def test_an_address_that_was_never_given_and_a_login_that_ended(club: Club, client: Client) -> None:
    assert client.get(reverse("league:person-calendar", args=[uuid4()])).status_code == 404
    assert client.get("/calendar/none.ics").status_code == 404
    user = user_of(a_member(club))
    client.force_login(user)
    client.post(reverse("league:calendar-renew"))
    address = key_of(user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert Client().get(address).status_code == 404


def test_a_closed_evening_stays_for_a_hundred_days(club: Club, client: Client) -> None:
    evening = planned_evening(club)
    with time_machine.travel(NOW + timedelta(days=99)):
        assert len(events(client.get(reverse("league:club-calendar", args=[club.slug])).content)) == 1
    with time_machine.travel(NOW + timedelta(days=102)):
        assert events(client.get(reverse("league:club-calendar", args=[club.slug])).content) == []
    assert evening.pk


def test_evening_without_history_is_an_event_like_others(client: Client, club: Club) -> None:
    evening = planned_evening(club, day=timezone.localdate() + timedelta(days=7))
    write_club_file(club, file := BytesIO())
    history = read_tables(file.getvalue())["evenings_history"]
    data = with_tables(file.getvalue(), {"evenings_history": history[:1]})
    new = import_club(read_club_file(BytesIO(data)), now=timezone.now())
    [event] = events(client.get(reverse("league:club-calendar", args=[new.slug])).content)
    assert event["DTSTART"].dt.date() == evening.date
    assert (event["SEQUENCE"], event["DTSTAMP"].dt.date()) == (0, timezone.now().date())


def test_line_break_in_the_name_of_a_club_ends_no_calendar(client: Client, club: Club) -> None:
    planned_evening(club, day=timezone.localdate() + timedelta(days=7))
    Club.objects.update(name="Tarot\r\nEND:VCALENDAR")
    assert len(events(client.get(reverse("league:club-calendar", args=[club.slug])).content)) == 1
