"""Many evenings planned at once: every second week but the holidays."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import evenings
from league.actions.refusals import WrongState
from league.models import Season
from league.models.evening import EveningState
from league.models.rights import Role
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


def asked(**more: Any) -> dict[str, Any]:
    return {"first": "2026-12-01", "last": "2027-01-12", "every": "2", **more}


def test_dates_are_shown_and_those_ticked_are_planned(secretary: Client, season: Season) -> None:
    page = secretary.post(address(season), asked()).content.decode()
    assert [day for day in ("2026-12-01", "2026-12-15", "2026-12-29", "2027-01-12") if f'value="{day}"' in page] == [
        "2026-12-01",
        "2026-12-15",
        "2026-12-29",
        "2027-01-12",
    ]
    assert not season.evenings.exists()

    ticked = ["2026-12-01", "2026-12-15", "2027-01-12", "2027-01-13"]  # the last is none of the dates
    for _twice in range(2):
        secretary.post(address(season), asked(plan="1", date=ticked))
    planned = season.evenings.order_by("date")
    assert [each.date for each in planned] == [date(2026, 12, 1), date(2026, 12, 15), date(2027, 1, 12)]
    assert {each.state for each in planned} == {EveningState.PLANNED}


def test_date_that_is_planned_already_is_not_planned_again(secretary: Client, season: Season) -> None:
    an_evening(season, EveningState.PLANNED, on=date(2026, 12, 15))
    assert "planned already" in secretary.post(address(season), asked()).content.decode()
    assert evenings.plan_many(season.pk, [date(2026, 12, 15), date(2026, 12, 29)]) == 1


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"last": "2026-11-30"}, "last"),
        ({"last": "2036-11-30", "every": "1"}, "last"),
        ({"first": "soon"}, "first"),
        ({"every": "0"}, "every"),
        ({"last": "9999-12-31"}, "last"),
    ],
)
def test_dates_that_cannot_be_are_refused_on_their_field(
    secretary: Client, season: Season, given: dict[str, str], field: str
) -> None:
    answer = secretary.post(address(season), asked(plan="1", **given))
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {field}
    assert not season.evenings.exists()


def test_closed_season_plans_nothing(season: Season) -> None:
    Season.objects.filter(pk=season.pk).update(state="closed")
    with pytest.raises(WrongState):
        evenings.plan_many(season.pk, [date(2026, 12, 15)])
