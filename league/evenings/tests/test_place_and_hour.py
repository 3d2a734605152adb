"""Where and when an evening is: as the club usually has it, or its own."""

from __future__ import annotations

from datetime import date, time
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import evenings
from league.models import Club, Evening
from league.models.evening import EveningState
from league.models.rights import Role
from tests.build import NOW, a_club, a_member, a_season, a_table, an_evening
from tests.markup import unbroken
from tests.readers import signed_in

pytestmark = pytest.mark.django_db
HALF_PAST_EIGHT = time(20, 30)


@pytest.fixture
def club() -> Club:
    return a_club(place="Salle des fêtes", begins_at=HALF_PAST_EIGHT, language="fr", time_zone="Indian/Reunion")


@pytest.fixture
def evening(club: Club) -> Evening:
    return an_evening(a_season(club), EveningState.PLANNED, on=date(2026, 12, 1))


@pytest.fixture
def secretary(client: Client, club: Club) -> Client:
    return signed_in(client, a_member(club, Role.SECRETARY))


def typed(**extra: Any) -> dict[str, Any]:
    return {"date": "2026-12-01", "name": "", "weight": "1", "begins_at": "", "place": "", **extra}


def test_evening_is_where_and_when_the_club_usually_is(evening: Evening) -> None:
    assert evening.where == "Salle des fêtes"
    assert evening.begins is not None
    assert evening.begins.isoformat() == "2026-12-01T20:30:00+04:00"


def test_evening_may_be_elsewhere_at_another_hour(secretary: Client, evening: Evening) -> None:
    address = reverse("league:evening-edit", args=[evening.pk])
    assert "Salle des fêtes" in secretary.get(address).content.decode()  # what an empty field means
    secretary.post(address, typed(begins_at="14:00", place="Café du Port"))
    evening.refresh_from_db()
    assert (evening.where, evening.begins_at) == ("Café du Port", time(14))


def test_planned_evening_has_its_own_from_the_beginning(secretary: Client, club: Club) -> None:
    season = a_season(club)
    secretary.post(reverse("league:evening-plan", args=[season.pk]), typed(begins_at="14:00", place=" Café du Port "))
    evening = season.evenings.get()
    assert (evening.place, evening.begins_at) == ("Café du Port", time(14))


@pytest.mark.parametrize("wrong", [{"begins_at": "25:00"}, {"begins_at": "soon"}, {"place": "x" * 121}])
def test_hour_or_place_that_cannot_be_is_refused(secretary: Client, evening: Evening, wrong: dict[str, str]) -> None:
    answer = secretary.post(reverse("league:evening-edit", args=[evening.pk]), typed(**wrong))
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == set(wrong)
    evening.refresh_from_db()
    assert (evening.place, evening.begins_at) == ("", None)


def test_place_is_told_where_people_look_for_it(secretary: Client, evening: Evening) -> None:
    pages = [evening.season.club.get_absolute_url(), evening.get_absolute_url()]
    evenings.open(evening.pk, now=NOW)
    sitting = a_table(evening).round
    pages += [reverse("league:poster", args=[sitting.pk]), reverse("league:attendance-list", args=[evening.pk])]
    for page in pages:
        told = unbroken(secretary.get(page, headers={"accept-language": "fr"}))
        assert "Salle des fêtes" in told, page
        assert "20\xa0h\xa030" in told, page
    assert '1er décembre 2026,<time datetime="2026-12-01T20:30:00+04:00">20\xa0h\xa030</time>, Salle des fêtes' in told


def test_evening_that_is_over_keeps_only_its_own_place(evening: Evening) -> None:
    """The club may have moved since."""
    evenings.open(evening.pk, now=NOW)
    closed = evenings.close(evening.pk, now=NOW)
    assert (closed.where, closed.begins) == ("", None)
    closed.place, closed.begins_at = "Café du Port", time(14)
    assert closed.where == "Café du Port"
    assert closed.begins is not None


def test_club_says_where_it_usually_is(client: Client, club: Club) -> None:
    admin = signed_in(client, a_member(club, Role.ADMIN))
    address = reverse("league:club-settings", args=[club.slug])
    sent = {field.name: field.value() for field in admin.get(address).context["form"]}
    admin.post(address, sent | {"public": "", "table_entry": "", "place": "Café du Port", "begins_at": "14:00"})
    club.refresh_from_db()
    assert (club.place, club.begins_at) == ("Café du Port", time(14))
    page = admin.get(club.get_absolute_url()).content.decode()
    assert "Café du Port" in page
