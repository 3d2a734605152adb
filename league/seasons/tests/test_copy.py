"""Next year's season, by the rules of this one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, time, timedelta

import pytest
import time_machine
from dateutil.rrule import MONTHLY, TU, rrule
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils.formats import date_format

from league.actions import evenings, seasons
from league.models import Club, Evening, Season
from league.models.evening import EveningState
from league.models.rights import Role
from league.models.season import SeasonState
from league.seasons.forms.seasons import SeasonForm
from league.seasons.queries.next_year_dates import FIFTY_TWO_WEEKS, next_year_dates
from league.standings.presets import PRESETS
from tests.build import a_club, a_member, a_season, an_evening
from tests.readers import signed_in

NOT_COPIED = {"pk", "id", "club", "name", "state", "founded_at", "game_key", "tournament"}  # not copied


@pytest.fixture
def season(db: None) -> Season:
    """Return a season without default settings, with three evenings, one of them cancelled."""
    settings = {
        "house_rules": {"dispute": "held", "rounding": 10},
        "typing": "with_ten",
        "standings_rules": dict(PRESETS[-1].rules),
        "planned_evenings": 18,
        "table_sizes": [4],
        "end_number": 12,
        "contest_hours": 24,
        "rounds": 5,
        "draw": "ranking",
        "partners": "evening",
        "exempt_points": 1000,
        "leavers": "last",
        "rest_score": "fixed",
        "rest_points": 500,
    }
    season = a_season(a_club(), "belote", name="Friday belote 2026–2027", state=SeasonState.CLOSED, **settings)
    for day in (date(2026, 9, 4), date(2026, 9, 11), date(2027, 6, 25)):
        Evening.objects.create(season=season, date=day)
    evenings.cancel(season.evenings.get(date=date(2026, 9, 11)).pk)
    season.evenings.filter(date=date(2027, 6, 25)).update(name="Final", weight=2, season_final=True)
    return season


@pytest.fixture
def admin(client: Client, season: Season) -> Client:
    return signed_in(client, a_member(season.club, Role.ADMIN))


def address(season: Season) -> str:
    return reverse("league:season-copy", args=[season.pk])


def ids(season: Season) -> list[int]:
    return [evening.pk for evening in season.evenings.not_cancelled()]


def test_each_field_of_a_season_is_copied_or_its_own() -> None:
    """A new setting is named in COPIED; a field of the season alone is named in NOT_COPIED."""
    assert {*seasons.COPIED_FIELDS} | NOT_COPIED == {field.name for field in Season._meta.concrete_fields} | {"pk"}


def test_each_setting_of_the_form_is_copied() -> None:
    assert {*SeasonForm.Meta.fields} <= {*seasons.COPIED_FIELDS, "name"}
    assert {*SeasonForm.Meta.fields} >= seasons.FIELDS_WITHOUT_EFFECT


def test_everything_but_its_life_is_copied(admin: Client, season: Season) -> None:
    page = admin.get(address(season))
    assert page.context["form"].initial["name"] == "Friday belote 2027–2028"
    answer = admin.post(address(season), page.context["form"].initial)
    copied_season = Season.objects.exclude(pk=season.pk).get()
    assert answer.headers["Location"] == copied_season.get_absolute_url()
    assert (copied_season.club, copied_season.state) == (season.club, SeasonState.DRAFT)
    for field in Season._meta.concrete_fields:
        if field.name not in NOT_COPIED:
            assert getattr(copied_season, field.name) == getattr(season, field.name), field.name
    dates = copied_season.evenings.order_by("date").values_list("date", "name", "weight", "season_final", "state")
    assert list(dates) == [
        (date(2027, 9, 3), "", 1, False, EveningState.PLANNED),  # Fridays again
        (date(2028, 6, 23), "Final", 2, True, EveningState.PLANNED),
    ]


@pytest.mark.parametrize("numbers", [(1,), (2,), (3,), (4,), (-1,), (2, 4), (1, 3)])
@pytest.mark.parametrize(
    "year", [2024, 2025, *(pytest.param(year, marks=pytest.mark.faults) for year in range(2026, 2035))]
)
def test_numbered_weekdays_of_months_keep_their_numbers(
    admin: Client, season: Season, numbers: tuple[int, ...], year: int
) -> None:
    def days(first: int) -> list[date]:
        tuesdays = [TU(number) for number in numbers]
        months = rrule(MONTHLY, date(first, 9, 1), until=date(first + 1, 6, 30), byweekday=tuesdays)
        return [day.date() for day in months]

    season.evenings.all().delete()
    Evening.objects.bulk_create(Evening(season=season, date=day) for day in days(year))
    admin.post(address(season), {"name": "Next", "evenings": ids(season)})
    dates = Season.objects.get(name="Next").evenings.order_by("date").values_list("date", flat=True)
    assert list(dates) == days(year + 1)
    choices = admin.get(address(season)).context["form"].fields["evenings"].choices
    words = [date_format(day, "DATE_FORMAT") in text for day, (_pk, text) in zip(days(year + 1), choices, strict=True)]
    assert all(words)


@pytest.mark.parametrize("weeks", [1, 2, 3])
def test_evenings_every_so_many_weeks_stay_so(weeks: int) -> None:
    days = [date(2026, 9, 1) + timedelta(weeks=weeks * number) for number in range(40 // weeks)]
    assert next_year_dates(days) == {day: day + FIFTY_TWO_WEEKS for day in days}


def test_one_evening_a_month_keeps_the_number_of_each_when_one_is_moved() -> None:
    fourth = [date(2026, 9, 22), date(2026, 10, 27), date(2026, 11, 24), date(2026, 12, 15), date(2027, 1, 26)]
    later = next_year_dates(fourth)
    assert list(later.values()) == [
        date(2027, 9, 28), date(2027, 10, 26), date(2027, 11, 23), date(2027, 12, 21), date(2028, 1, 25),
    ]  # fmt: skip


def test_only_ticked_evenings_are_planned(admin: Client, season: Season) -> None:
    first = season.evenings.get(date=date(2026, 9, 4))
    admin.post(address(season), {"name": "Next", "evenings": [first.pk]})
    assert [evening.date for evening in Season.objects.get(name="Next").evenings.all()] == [date(2027, 9, 3)]


def test_sent_twice_it_is_one_season(admin: Client, season: Season) -> None:
    sent = {"name": "Next", "evenings": ids(season)}
    answers = [admin.post(address(season), sent) for _twice in range(2)]
    [copied_season] = Season.objects.exclude(pk=season.pk)
    assert {answer.headers["Location"] for answer in answers} == {copied_season.get_absolute_url()}
    assert copied_season.evenings.count() == 2


@pytest.mark.django_db(transaction=True)
def test_sent_twice_at_once_it_is_one_season(season: Season) -> None:
    def sent(_time: int) -> int:
        try:
            return seasons.copy_for_next_year(season.pk, name="Next", evening_ids=ids(season))[0].pk
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as together:
        assert len(set(together.map(sent, range(4)))) == 1
    assert Evening.objects.filter(season__name="Next").count() == 2


@pytest.mark.parametrize("name", ["Friday belote 2026–2027", "Tarot", "", "x" * 81])
def test_name_that_cannot_be_is_refused(admin: Client, season: Season, name: str) -> None:
    a_season(season.club, name="Tarot")
    answer = admin.post(address(season), {"name": name})
    assert answer.status_code == 422
    assert "name" in answer.context["form"].errors
    assert Season.objects.count() == 2


def test_evenings_of_another_season_are_refused(admin: Client, season: Season) -> None:
    foreign = an_evening(a_season(a_club()), EveningState.PLANNED)
    answer = admin.post(address(season), {"name": "Next", "evenings": [foreign.pk]})
    assert answer.status_code == 422
    copied_season, _new = seasons.copy_for_next_year(season.pk, name="Next", evening_ids=[foreign.pk])
    assert not copied_season.evenings.exists()


@pytest.mark.parametrize(
    ("name", "later"),
    [
        ("2026", "2027"),
        ("2026-27", "2027-28"),
        ("Winter 2026/2027", "Winter 2027/2028"),
        ("2098–99", "2099–00"),
        ("Tuesdays", "Tuesdays (2)"),
        ("Cup 12", "Cup 12 (2)"),
    ],
)
def test_name_has_its_years_moved_on(client: Client, db: None, name: str, later: str) -> None:
    club: Club = a_club()
    season = a_season(club, name=name)
    page = signed_in(client, a_member(club, Role.ADMIN)).get(address(season))
    assert page.context["form"].initial["name"] == later


def test_the_name_that_is_proposed_is_free_and_what_is_past_is_not_ticked(admin: Client, season: Season) -> None:
    a_season(season.club, name="Friday belote 2027–2028")
    first = season.evenings.order_by("date").first()
    assert first
    with time_machine.travel(datetime.combine(first.date + FIFTY_TWO_WEEKS, time(12), UTC) + timedelta(days=1)):
        form = admin.get(address(season)).context["form"]
    assert form.initial["name"] == "Friday belote 2027–2028 (2)"
    assert form.initial["evenings"] == [season.evenings.get(name="Final").pk]
    assert "(past)" in dict(form.fields["evenings"].choices)[first.pk]
