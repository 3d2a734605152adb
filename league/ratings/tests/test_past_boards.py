"""Boards as of a past date: today's facts up to that date."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoDbBlocker
from tablib.core import Dataset

from league.actions import evenings
from league.models import Adjustment, Club, Run, Season
from league.ratings.queries.leaderboard import LeaderboardScope, leaderboard, past_leaderboard
from league.recompute.work import runs
from league.seasons.queries.season_rankings import rank_seasons
from league.standings.season import ExactNumber
from players.models import Player, Rating
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening, settle
from tests.markup import unbroken
from tests.readers import signed_in, user_of

OUT_OF_BOUNDS = ("0001-01-01", "1899-12-31", "3000-01-01")

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("past boards")]  # one season

FIRST, SECOND = date(2026, 9, 1), date(2026, 9, 15)
LOST = {**TAKE, "oudlers": 1}  # 51 needed of 43: the taker pays


@pytest.fixture(scope="module")
def season(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Season]:
    with django_db_blocker.unblock(), transaction.atomic():
        season = a_played_season(a_club(name="Tarot du mardi"))
        settle()
        yield season
        transaction.set_rollback(True)


def a_played_season(club: Club) -> Season:
    """Play a season: the first player wins the first evening, 324 : −108, and loses more on the second."""
    players = [a_member(club), *(a_player(name, "") for name in ("Ann", "Bob", "Cy"))]
    new_season = a_season(club)
    for day, facts, deals in ((FIRST, TAKE, 4), (SECOND, LOST, 8)):
        evening = an_evening(new_season, on=day)
        table = a_table(evening, players)
        for _ in range(deals):
            a_deal(table, facts)
        evenings.close(evening.pk, now=NOW)
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    return new_season


@pytest.fixture
def club(season: Season) -> Club:
    return Club.objects.get(pk=season.club_id)


@pytest.fixture
def players(season: Season) -> list[Player]:
    """Return the players by seat: the first one is a member."""
    return list(Player.objects.filter(seats__round__evening__season=season).distinct().order_by("pk"))


def address(season: Season, **query: object) -> str:
    return reverse("league:season", args=[season.pk], query=query)


def text(client: Client, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status
    return " ".join(unbroken(answer).split())


def test_standings_as_of_a_date_are_those_of_the_evenings_up_to_it(season: Season, players: list[Player]) -> None:
    def rows_until(day: date) -> list[tuple[int, int | None, ExactNumber]]:
        return [(row.player, row.rank, row.total) for row in rank_seasons([season], until=day)[season.pk]]

    after_first = [(players[0].pk, 1, 324), *((player.pk, 2, -108) for player in players[1:])]
    assert rows_until(FIRST - timedelta(days=1)) == []
    assert rows_until(FIRST) == rows_until(SECOND - timedelta(days=1)) == after_first
    assert rows_until(SECOND) == [
        (row.player_id, row.rank, row.total) for row in season.standings.order_by("rank", "player")
    ]


def test_adjustments_count_from_the_day_on_which_they_were_given(season: Season, players: list[Player]) -> None:
    adjustment = Adjustment.objects.create(season=season, player=players[1], points=1000, reason="late sheet")
    Adjustment.objects.filter(pk=adjustment.pk).update(given_at=NOW)
    before, after = (
        {row.player: row.total for row in rank_seasons([season], until=day)[season.pk]}
        for day in (NOW.date() - timedelta(days=1), NOW.date())
    )
    assert after[players[1].pk] - before[players[1].pk] == 1000
    assert after[players[0].pk] == before[players[0].pk]


def test_page_shows_the_standings_of_the_date_and_says_so(
    client: Client, season: Season, players: list[Player]
) -> None:
    signed_in(client, players[0])
    answer = client.get(address(season, on=FIRST))
    assert [row.record.player for row in answer.context["table"].rows] == players
    assert "Standings as of 1 Sep 2026, with what was corrected since." in text(client, address(season, on=FIRST))
    today = client.get(address(season))
    assert [row.record.player for row in today.context["table"].rows][-1] == players[0]
    assert "Standings as of" not in text(client, address(season))
    assert "No evening up to that date counts." in text(client, address(season, on=FIRST - timedelta(days=1)))


def test_file_follows_the_date(client: Client, season: Season, players: list[Player]) -> None:
    signed_in(client, players[0])
    page = text(client, address(season, on=FIRST))
    file = reverse("league:season-csv", args=[season.pk], query={"on": FIRST})
    assert file in page
    answer = client.get(file)
    rows = list(csv.reader(answer.content.decode("utf-8-sig").splitlines()))
    assert [row[:3] for row in rows[1:]] == [
        ["1", str(players[0]), "324"],
        *(["2", str(player), "-108"] for player in players[1:]),
    ]
    assert "2026-09-01" in answer["Content-Disposition"]
    workbook = reverse("league:season-xlsx", args=[season.pk], query={"on": FIRST})
    assert workbook in page
    assert Dataset().load(client.get(workbook).content, format="xlsx")["Rank"] == [1, 2, 2, 2]
    assert client.get(reverse("league:season-csv", args=[season.pk], query={"on": "x"})).status_code == 400


@pytest.mark.parametrize("typed", ["", "2030-01-01"])
def test_no_date_and_one_that_lies_ahead_are_today(
    client: Client, season: Season, players: list[Player], typed: str
) -> None:
    signed_in(client, players[0])
    for board in (address(season, on=typed), reverse("league:leaderboard", args=["tarot"], query={"on": typed})):
        assert "with what was corrected since" not in text(client, board)


@pytest.mark.parametrize("typed", ["x", "2026-02-30", "02/10/2026", *OUT_OF_BOUNDS, "\0", "2026-10-02 x"])
def test_what_is_no_date_is_said_on_the_field(
    client: Client, season: Season, players: list[Player], typed: str
) -> None:
    signed_in(client, players[0])
    for board in (address(season, on=typed), reverse("league:leaderboard", args=["tarot"], query={"on": typed})):
        page = text(client, board, status=422)
        message = f"{typed} is not a date from 1900-01-01" if typed in OUT_OF_BOUNDS else "Enter a valid date."
        assert f'<div class="invalid-feedback d-block" id="id_on_error"><strong>{message}' in page
        assert 'aria-describedby="id_on_error"' in page
        assert str(players[1]) in page  # the board of today


def test_leaderboard_as_of_a_date_has_the_ratings_after_it(season: Season, players: list[Player]) -> None:
    """After the first evening as RATINGS.md has it: K = 4.618802 against each of three, half of it each."""
    reader = user_of(players[0])
    first = past_leaderboard(reader, "tarot", day=SECOND - timedelta(days=1))
    assert [(row.player, row.rank, round(row.micro / 1000), row.last_date) for row in first] == [
        (players[0], 1, 1006928, FIRST),
        *((player, 2, 997691, FIRST) for player in sorted(players[1:], key=str)),
    ]
    assert all(row.provisional for row in first)
    assert not past_leaderboard(reader, "tarot", day=FIRST - timedelta(days=1)).exists()
    now, then = leaderboard(reader, "tarot", today=NOW.date()), past_leaderboard(reader, "tarot", day=NOW.date())
    fields = ("player_id", "rank", "micro", "tables", "provisional", "last_date")
    assert list(now.values_list(*fields)) == list(then.values_list(*fields))
    assert Rating.objects.count() == 4


def test_leaderboard_of_a_date_leaves_out_who_was_inactive_then(season: Season, players: list[Player]) -> None:
    reader = user_of(players[0])
    for days, players_listed in ((179, 4), (180, 0)):
        past_day = SECOND + timedelta(days=days)
        assert past_leaderboard(reader, "tarot", day=past_day).count() == players_listed
        assert (
            past_leaderboard(reader, "tarot", day=past_day, scope=LeaderboardScope(include_inactive=True)).count() == 4
        )


def test_leaderboard_of_a_date_is_of_those_whom_the_reader_may_see(season: Season, client: Client) -> None:
    stranger = a_member(a_club())
    assert not past_leaderboard(user_of(stranger), "tarot", day=SECOND).exists()
    signed_in(client, stranger)
    board = reverse("league:leaderboard", args=["tarot"], query={"on": SECOND})
    assert "Nobody whom you may see had a rated table in the 180 days up to that date." in text(client, board)
    assert "on that date" in text(client, f"{board}&inactive=1")


def test_leaderboard_page_of_a_date_can_be_sorted(client: Client, season: Season, players: list[Player]) -> None:
    signed_in(client, players[0])
    board = reverse("league:leaderboard", args=["tarot"], query={"on": FIRST, "sort": "-player"})
    answer = client.get(board)
    assert [str(row.record.player) for row in answer.context["table"].rows][-3:] != ["Ann", "Bob", "Cy"]
    assert "Ratings as of 1 Sep 2026, with what was corrected since." in text(client, board)


def test_today_is_the_clubs(client: Client, club: Club, players: list[Player], season: Season) -> None:
    """In every time zone, yesterday is past and today is not."""
    signed_in(client, players[0])
    today = timezone.localdate(timezone=club.zone)
    assert client.get(address(season, on=today)).context["past"].day is None
    assert client.get(address(season, on=today - timedelta(days=1))).context["past"].day is not None
