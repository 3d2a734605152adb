"""Many evenings planned at once: every second week but the holidays."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from league.actions import evenings
from league.actions.refusals import WrongState
from league.models import Season
from league.models.evening import EveningState
from league.models.rights import Role
from league.models.season import SeasonState
from tests.build import a_club, a_member, a_season, an_evening
from tests.readers import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    return a_season(a_club())


@pytest.fixture
def secretary(client: Client, season: Season) -> Client:
    return signed_in(client, a_member(season.club, Role.SECRETARY))


def address(season: Season) -> str:
    return reverse("league:evenings-plan", args=[season.pk])


def form_data(**extra: Any) -> dict[str, Any]:
    return {"first": "2026-12-01", "last": "2027-01-12", "every": "2", **extra}


def test_dates_are_shown_and_those_ticked_are_planned(secretary: Client, season: Season) -> None:
    page = secretary.post(address(season), form_data()).content.decode()
    assert [day for day in ("2026-12-01", "2026-12-15", "2026-12-29", "2027-01-12") if f'value="{day}"' in page] == [
        "2026-12-01",
        "2026-12-15",
        "2026-12-29",
        "2027-01-12",
    ]
    assert not season.evenings.exists()

    ticked = ["2026-12-01", "2026-12-15", "2027-01-12", "2027-01-13"]  # the last is none of the dates
    for _twice in range(2):
        secretary.post(address(season), form_data(plan="1", date=ticked))
    planned_evenings = season.evenings.order_by("date")
    assert [evening.date for evening in planned_evenings] == [date(2026, 12, 1), date(2026, 12, 15), date(2027, 1, 12)]
    assert {evening.state for evening in planned_evenings} == {EveningState.PLANNED}


@time_machine.travel(datetime(2026, 12, 20, 12, tzinfo=UTC), tick=False)
def test_dates_that_are_past_are_said_to_be_before_they_are_planned(client: Client, season: Season) -> None:
    secretary = signed_in(client, a_member(season.club, Role.SECRETARY))
    page = secretary.post(address(season), form_data()).content.decode()
    assert "Some of these dates are past." in page
    assert page.count("(past)") == 2
    assert "are past" not in secretary.post(address(season), form_data(first="2026-12-29")).content.decode()


def test_date_that_is_planned_already_is_not_planned_again(secretary: Client, season: Season) -> None:
    an_evening(season, EveningState.PLANNED, on=date(2026, 12, 15))
    assert "planned already" in secretary.post(address(season), form_data()).content.decode()
    assert evenings.plan_many(season.pk, [date(2026, 12, 15), date(2026, 12, 29)]) == 1


TUESDAYS_BUT_CHRISTMAS = ["2026-12-01", "2026-12-08", "2026-12-15", "2027-01-05", "2027-01-12"]


@pytest.mark.parametrize(
    ("pattern", "dates"),
    [
        ({"every": "1", "holiday-0-begin": "2026-12-19", "holiday-0-end": "2027-01-04"}, TUESDAYS_BUT_CHRISTMAS),
        ({"weekdays": ["1", "4"], "last": "2026-12-15"}, ["2026-12-01", "2026-12-04", "2026-12-15"]),
        ({"first": "2026-12-02", "weekdays": ["1"], "every": "1", "last": "2026-12-15"}, ["2026-12-08", "2026-12-15"]),
        ({"every": "month-1", "last": "2027-03-31"}, ["2026-12-01", "2027-01-05", "2027-02-02", "2027-03-02"]),
        ({"every": "month-3", "weekdays": ["4"], "last": "2027-02-28"}, ["2026-12-18", "2027-01-15", "2027-02-19"]),
        ({"every": "month-last", "last": "2027-02-28"}, ["2026-12-29", "2027-01-26", "2027-02-23"]),
        ({"holiday-5-begin": "2026-12-15"}, ["2026-12-01", "2026-12-29", "2027-01-12"]),
    ],
)
def test_dates_follow_the_pattern_but_the_holidays(
    secretary: Client, season: Season, pattern: dict[str, Any], dates: list[str]
) -> None:
    answer = secretary.post(address(season), form_data(**pattern))
    assert answer.status_code == 200
    assert [offered.day.isoformat() for offered in answer.context["dates"]] == dates


@pytest.mark.parametrize("wrong", [{"holiday-0-end": "2026-12-15"}, {"holiday-0-begin": "soon"}])
def test_holidays_that_cannot_be_are_refused(secretary: Client, season: Season, wrong: dict[str, str]) -> None:
    answer = secretary.post(address(season), form_data(plan="1", date="2026-12-01", **wrong))
    assert answer.status_code == 422
    assert set(answer.context["form"].holidays[0].errors) == {"begin"}
    assert not season.evenings.exists()


def test_holidays_do_not_end_before_they_begin(secretary: Client, season: Season) -> None:
    wrong = {"holiday-0-begin": "2026-12-20", "holiday-0-end": "2026-12-19"}
    answer = secretary.post(address(season), form_data(**wrong))
    assert set(answer.context["form"].holidays[0].errors) == {"end"}


def test_tick_that_was_taken_out_stays_out(secretary: Client, season: Season) -> None:
    ticks = {"shown": ["2026-12-01", "2026-12-15"], "date": ["2026-12-01"]}
    offered = secretary.post(address(season), form_data(**ticks)).context["dates"]
    assert [each.ticked for each in offered] == [True, False, True, True]


def test_evenings_of_a_season_may_be_elsewhere(secretary: Client, season: Season) -> None:
    secretary.post(address(season), form_data(plan="1", date="2026-12-01", begins_at="14:00", place="Café du Port"))
    planned = season.evenings.get()
    assert (planned.where, planned.begins_at) == ("Café du Port", time(14))


@pytest.mark.parametrize("wrong", [{"begins_at": "25:00"}, {"place": "x" * 121}])
def test_place_or_hour_that_cannot_be_is_refused(secretary: Client, season: Season, wrong: dict[str, str]) -> None:
    answer = secretary.post(address(season), form_data(plan="1", date="2026-12-01", **wrong))
    assert set(answer.context["form"].errors) == set(wrong)
    assert not season.evenings.exists()


def test_evening_between_the_dates_is_shown_among_them(secretary: Client, season: Season) -> None:
    an_evening(season, EveningState.PLANNED, on=date(2026, 12, 3))
    offered = secretary.post(address(season), form_data(last="2026-12-15")).context["dates"]
    assert [(each.day.day, each.is_planned) for each in offered] == [(1, False), (3, True), (15, False)]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"last": "2026-11-30"}, "last"),
        ({"last": "2036-11-30", "every": "1"}, "last"),
        ({"first": "soon"}, "first"),
        ({"every": "0"}, "every"),
        ({"every": "month-5"}, "every"),
        ({"weekdays": ["7"]}, "weekdays"),
        ({"last": "9999-12-31"}, "last"),
    ],
)
def test_dates_that_cannot_be_are_refused_on_their_field(
    secretary: Client, season: Season, given: dict[str, str], field: str
) -> None:
    answer = secretary.post(address(season), form_data(plan="1", **given))
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {field}
    assert not season.evenings.exists()


def test_closed_season_plans_nothing(season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(state="closed")
    with pytest.raises(WrongState):
        evenings.plan_many(season.pk, [date(2026, 12, 15)])


def test_a_season_closed_meanwhile_gets_no_evenings(secretary: Client, season: Season) -> None:
    Season.objects.update(state=SeasonState.CLOSED)
    page = secretary.post(address(season), form_data(plan="1", date=["2026-12-01"])).content.decode()
    assert "The season is closed" in page
    assert not season.evenings.exists()
