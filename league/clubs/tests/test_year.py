"""A club's year on a page."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from datetime import UTC, date, datetime
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import evenings, season_closing, totals
from league.clubs.queries.club_year import YearPeriod
from league.models import Club, Membership, Run, Season
from league.models.rights import Role
from league.recompute.work import runs
from league.sheets.queries.table_sums import PointsAndDeals
from players.models import Player, RatingStep
from tests.build import NOW, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening

pytestmark = pytest.mark.django_db

POINTS = (90, -30, -30, -30)


@pytest.fixture
def club() -> Club:
    return a_club(public=True)


@pytest.fixture
def people() -> list[Player]:
    return [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")]


def page(club: Club, **query: object) -> str:
    return reverse("league:club-year", args=[club.slug], query=query)


def played(season: Season, players: Sequence[Player], day: date, points: Sequence[int] = POINTS) -> None:
    """A closed evening of one table, with these totals."""
    evening = an_evening(season, on=day)
    table = a_table(evening, players)
    sums = {seat: PointsAndDeals(total, 4) for seat, total in enumerate(points)}
    totals.record(table.pk, sums, client_key=uuid4(), seen_version=0, now=NOW)
    evenings.close(evening.pk, now=NOW)


@pytest.mark.parametrize(
    ("key", "first", "last"),
    [
        ("2026", date(2026, 1, 1), date(2026, 12, 31)),
        ("2025-2026", date(2025, 9, 1), date(2026, 8, 31)),
    ],
)
def test_a_year_has_its_days(key: str, first: date, last: date) -> None:
    year = YearPeriod.from_key(key)
    assert year is not None
    assert (year.first_day, year.last_day, year.key) == (first, last, key)


@pytest.mark.parametrize(
    "key", ["", "26", "2025-2027", "2025-", "-2026", "2025-2026-2027", "٢٠٢٦", "x", "9999", "0001"]
)
def test_what_is_no_year_is_not_found(client: Client, club: Club, key: str) -> None:
    assert YearPeriod.from_key(key) is None
    assert client.get(page(club), {"of": key}).status_code == (404 if key else 200)


def test_evenings_people_champions_and_records(client: Client, club: Club, people: list[Player]) -> None:
    season = a_season(club, name="2025–2026")
    for day, points in ((date(2025, 10, 6), POINTS), (date(2026, 3, 2), (-60, 100, -20, -20))):
        played(season, people, day, points)
    played(season, [*people[:3], a_player("Eve", "")], date(2026, 4, 6))
    season_closing.close(season.pk, now=NOW)
    played(a_season(club, name="Later"), people, date(2026, 10, 1), (30, -10, -10, -10))
    runs.run(Run.Trigger.COMMAND, now=NOW)
    statistics = client.get(page(club, of="2025-2026")).context["statistics"]
    assert (statistics.evenings, statistics.players, statistics.tables, statistics.deals) == (3, 5, 3, 12)
    assert [(str(row.name), row.evenings) for row in statistics.most_evenings][:4] == [
        ("Ann", 3),
        ("Bob", 3),
        ("Cy", 3),
        ("Dan", 2),
    ]
    assert [(str(row.name), row.gold, row.silver) for row in statistics.medals][:3] == [
        ("Ann", 2, 0),
        ("Bob", 1, 2),
        ("Cy", 0, 3),
    ]
    assert [(row.season, str(row.name)) for row in statistics.champions] == [(season, "Ann")]
    best = statistics.records["tarot"]["biggest_evening"]
    assert (best.value, [str(holder.name) for holder in best.holders]) == (100, ["Bob"])
    calendar = client.get(page(club, of="2026")).context["statistics"]
    assert (calendar.evenings, calendar.records["tarot"]["biggest_evening"].value) == (3, 100)
    before = client.get(page(club, of="2025")).context["statistics"]
    assert (before.evenings, before.champions) == (1, [])  # the season continues
    assert before.records["tarot"]["biggest_evening"].value == 90


def test_who_rose_in_rating(client: Client, club: Club, people: list[Player]) -> None:
    season = a_season(club)
    for day, points in ((date(2025, 10, 6), POINTS), (date(2026, 3, 2), (-60, 100, -20, -20))):
        played(season, people, day, points)
    runs.run(Run.Trigger.COMMAND, now=NOW)
    steps = dict(RatingStep.objects.filter(player=people[1]).values_list("date", "micro"))
    first = client.get(page(club, of="2026")).context["statistics"].movers["tarot"][0]
    assert first.player == people[1]
    assert first.change == steps[date(2026, 3, 2)] - steps[date(2025, 10, 6)]
    assert [row.player for row in client.get(page(club, of="2025")).context["statistics"].movers["tarot"]] == [
        people[0]
    ]


def test_new_members_are_those_who_joined_and_no_guests(client: Client, club: Club) -> None:
    member, guest = a_member(club), a_member(club, Role.GUEST)
    Membership.objects.filter(club=club).update(since=datetime(2024, 5, 1, tzinfo=UTC))
    Membership.objects.filter(player__in=[member, guest]).update(since=datetime(2026, 5, 1, tzinfo=UTC))
    assert [row.player for row in client.get(page(club, of="2026")).context["statistics"].new_members] == [member]


def test_members_who_played_before_the_year_are_not_new(client: Client, club: Club, people: list[Player]) -> None:
    played(a_season(club), people, date(2025, 11, 3))  # entered later than the evening, as an import does
    new = a_member(club)
    Membership.objects.filter(club=club).update(since=datetime(2026, 5, 1, tzinfo=UTC))
    Membership.objects.filter(club=club, role=Role.ADMIN).update(since=datetime(2020, 5, 1, tzinfo=UTC))
    assert [row.player for row in client.get(page(club, of="2026")).context["statistics"].new_members] == [new]
    assert set(people) <= {
        row.player for row in client.get(page(club, of="2025-2026")).context["statistics"].new_members
    }


def test_the_year_of_the_last_evening_comes_first(client: Client, club: Club, people: list[Player]) -> None:
    assert "No evening was closed in that year." in client.get(page(club)).content.decode()
    season = a_season(club)
    played(season, people, date(2023, 12, 4))
    evening = an_evening(season, on=date(2025, 2, 3))
    table = a_table(evening, people)
    for _ in range(4):
        a_deal(table)
    evenings.close(evening.pk, now=NOW)
    runs.run(Run.Trigger.COMMAND, now=NOW)
    answer = client.get(page(club))
    assert answer.context["year"].key == "2024-2025"
    assert [year.key for year in answer.context["years"]] == ["2025", "2024", "2023"]
    assert [year.key for year in answer.context["seasons_of"]] == ["2024-2025", "2023-2024"]
    assert answer.context["statistics"].deals == 4
    assert "No evening was closed in that year." in client.get(page(club, of="2024")).content.decode()


def test_calendar_and_months_have_the_players_of_each_evening(client: Client, club: Club, people: list[Player]) -> None:
    """Two evenings on one day are one square that leads to the larger; the months count both."""
    played(a_season(club), people, date(2026, 3, 2))
    played(a_season(club, end_number=4), [*people, a_player()], date(2026, 3, 2), (90, -30, -30, -30, 0))
    played(a_season(club), people, date(2026, 5, 4))
    answer = client.get(page(club, of="2026"))
    calendar = answer.context["calendar"]
    larger = club.seasons.order_by("pk")[1].evenings.get()
    assert [(day.date, day.evening.players, day.evening.address) for day in calendar[2].days] == [
        (date(2026, 3, 2), 9, larger.get_absolute_url())
    ]
    months = answer.context["statistics"].months
    assert [(month.first.month, month.evenings, month.tables) for month in months] == [(3, 2, 2), (5, 1, 1)]
    assert answer.context["statistics"].largest_evening.players == 5
    text = " ".join(answer.content.decode().split())
    assert "9 players" in text
    chart = text.partition('<ol class="calendar-months">')[2].partition("</ol>")[0]
    assert len(gzip.compress(chart.encode())) <= 6 * 1024
