"""A run's page, board by board: reasons and rank changes, for viewers with the right."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.actions import evenings, pending_recomputes
from league.actions import rating_rules as rating_rules_action
from league.models import Club, Evening, PendingRecompute, RankChange, Run, Season
from league.models.rights import Role
from league.recompute.queries.run_leaderboards import RecomputeReason, VisibleRun
from league.recompute.work import rank_changes, runs
from players.models import Player, User
from tests.build import NOW, TODAY, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening
from tests.markup import unbroken
from tests.readers import signed_in, user_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club(name="Tarot du mardi")


@pytest.fixture
def root() -> User:
    return User.objects.create_superuser("root@club.example", "a-long-enough-password")


def played(season: Season, players: list[Player], deals: int = 4) -> Evening:
    """Return a closed evening. The first player is the taker and wins 81 points in each deal; the others lose 27."""
    evening = an_evening(season)
    table = a_table(evening, players)
    for _ in range(deals):
        a_deal(table)
    return evenings.close(evening.pk, now=NOW)


def a_run(player_count: int, season: Season, **fields: Any) -> Run:
    """Return a run that added players, 1 to `player_count`, to the standings of a season."""
    row = {
        "season": season.pk,
        "club": season.club_id,
        "name": season.name,
        "places": player_count,
        "changed": player_count,
    }
    fields = {"state": Run.State.DONE, "trigger": Run.Trigger.NIGHT, "started_at": NOW, "finished_at": NOW, **fields}
    run: Run = Run.objects.create(seasons=[row], **fields)
    players = [a_player(f"Number{rank}", "") for rank in range(1, player_count + 1)]
    RankChange.objects.bulk_create(
        RankChange(run=run, season=season, player=player, rank_after=rank, after=1000 - rank)
        for rank, player in enumerate(players, 1)
    )
    return run


def page(client: Client, run: Run, **query: int | str) -> str:
    answer = client.get(run.get_absolute_url(), query)
    assert answer.status_code == 200
    text: str = unbroken(answer)
    return text


def test_a_run_is_shown_board_by_board(client: Client, club: Club) -> None:
    players = [a_member(club), *(a_player(name, "") for name in ("Ann", "Bob", "Cy"))]
    season = a_season(club, name="Autumn")
    played(season, players)
    run = runs.run(Run.Trigger.CLOSING, now=NOW)
    signed_in(client, a_member(club, Role.ADMIN))
    text = page(client, run)

    standings, ratings = VisibleRun(run, user_of(a_member(club, Role.ADMIN))).leaderboards(
        [season.pk, "tarot"], {season.pk: 4, "tarot": 4}
    )
    assert [(row.player, row.rank_after, row.after, row.difference) for row in standings.rank_changes] == [
        (players[0], 1, 324, 324),
        *((player, 2, -108, -108) for player in players[1:]),
    ]
    assert standings.reasons == [RecomputeReason(None, "an evening was closed", 1)]
    assert ratings.reasons == [RecomputeReason(TODAY, "an evening was closed", 1)]
    # RATINGS.md, club rules: K = 4/√3 × 0.5 × 4 = 4.618802 against each of three, half of it each.
    assert [round(row.difference / 1000) for row in ratings.rank_changes if row.difference] == [
        6928,
        -2309,
        -2309,
        -2309,
    ]
    for part in ("Autumn", "an evening was closed", "from 2 Oct 2026 on", "4 players moved", "+6.928", "−108"):
        assert part in text
    assert reverse("league:player", args=[players[0].pk]) in text


def test_only_moves_are_shown(club: Club, root: User) -> None:
    players = [a_player() for _ in range(4)]
    season = a_season(club)
    played(season, players)
    runs.run(Run.Trigger.CLOSING, now=NOW)
    second_run = runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    visible = VisibleRun(second_run, root)
    assert visible.rank_change_counts() == {season.pk: 0, "tarot": 0}
    boards = visible.leaderboards([season.pk, "tarot"], visible.rank_change_counts())
    assert [(board.reasons, board.rank_changes) for board in boards] == [([], [])] * 2


def test_reasons_of_one_kind_are_counted(club: Club, root: User) -> None:
    season = a_season(club)
    PendingRecompute.objects.all().delete()
    for _ in range(3):
        pending_recomputes.mark_season(season, not_before=NOW, why=PendingRecompute.Reason.REVISED)
    run = runs.run(Run.Trigger.NIGHT, now=NOW)
    [board] = VisibleRun(run, root).leaderboards([season.pk], {season.pk: 0})
    assert board.reasons == [RecomputeReason(None, "a deal was revised", 3)]


def test_every_reason_is_said_in_words(club: Club, root: User) -> None:
    season = a_season(club)
    PendingRecompute.objects.all().delete()
    for event in PendingRecompute.Reason:
        pending_recomputes.mark_season(season, not_before=NOW, why=event)
    run = runs.run(Run.Trigger.NIGHT, now=NOW)
    [board] = VisibleRun(run, root).leaderboards([season.pk], {season.pk: 0})
    assert [reason.reason for reason in board.reasons] == [str(event.label) for event in PendingRecompute.Reason]
    assert not {reason.reason for reason in board.reasons} & set(PendingRecompute.Reason.values)


def test_club_admin_sees_only_the_number_of_other_clubs_reasons(client: Client, club: Club) -> None:
    """A member played in a secret club on another date: the rating moves, but place and date are hidden."""
    admin, member, stranger = a_member(club, Role.ADMIN), a_member(club), a_player("Nobody", "Known")
    played(a_season(club), [member, *(a_player() for _ in range(3))])
    secret = a_season(a_club(name="Secret club"), name="Secret season")
    evening = an_evening(secret, on=TODAY - timedelta(days=9))
    table = a_table(evening, [member, stranger, a_player(), a_player()])
    for _ in range(4):
        a_deal(table)
    evenings.close(evening.pk, now=NOW)
    run = runs.run(Run.Trigger.NIGHT, now=NOW)
    text = page(signed_in(client, admin), run)

    assert "1 reason in other clubs" in text
    assert str(member) in text
    for hidden in ("Secret", "Nobody Known", "23 Sep", "tables were read"):
        assert hidden not in text
    client.force_login(User.objects.create_superuser("all@club.example", "a-long-enough-password"))
    for shown in ("Secret club", "Secret season", "Nobody Known", "from 23 Sep 2026 on", "2 tables were read"):
        assert shown in page(client, run)


def test_rating_rules_are_a_reason_for_every_club(club: Club) -> None:
    played(a_season(a_club()), [a_player() for _ in range(4)])
    member = a_member(club)
    played(a_season(club), [member, *(a_player() for _ in range(3))])
    rating_rules_action.choose_rules("tarot", "published", now=NOW - timedelta(days=1))
    run = runs.run(Run.Trigger.NIGHT, now=NOW)
    visible = VisibleRun(run, user_of(a_member(club, Role.ADMIN)))
    [board] = visible.leaderboards(["tarot"], visible.rank_change_counts())
    assert RecomputeReason(TODAY, "the game's rating rules were changed", 1) in board.reasons


def test_failed_run_is_the_clubs_whose_season_was_due(client: Client, club: Club) -> None:
    """It has no computed rows, but is listed with its outcome."""
    season = a_season(club, name="Autumn")
    due = {"season": season.pk, "club": club.pk, "name": "Autumn", "game": "", "date": None, "why": "closed"}
    run = Run.objects.create(
        state=Run.State.FAILED, trigger=Run.Trigger.NIGHT, started_at=NOW, finished_at=NOW, due=[due], error="boom"
    )
    text = page(signed_in(client, a_member(club, Role.ADMIN)), run)
    for part in ("Autumn", "stays due", "Nobody had moved here when the run failed."):
        assert part in text
    assert "boom" not in text
    assert list(Run.objects.for_club(club)) == [run]
    assert client.get(run.get_absolute_url()).status_code == 200
    signed_in(client, a_member(a_club(), Role.ADMIN))
    assert client.get(run.get_absolute_url()).status_code == 404


def test_a_night_without_work_says_so(client: Client, root: User) -> None:
    client.force_login(root)
    assert "Nothing was due" in page(client, runs.run(Run.Trigger.NIGHT, now=NOW))


def test_first_25_and_then_all_by_pages(client: Client, club: Club) -> None:
    season = a_season(club)
    run = a_run(60, season)
    signed_in(client, a_member(club, Role.ADMIN))
    first = page(client, run)
    assert first.count("Number") == 25
    assert "All 60 who moved" in first
    second = page(client, run, board=season.pk, page=3)
    assert ">Number50</a>" not in second
    assert [f">Number{rank}</a>" in second for rank in (51, 60)] == [True, True]
    assert page(client, run, board="nonsense").count("Number") == 25


def test_ratings_that_moved_most_come_first(client: Client, root: User) -> None:
    run = Run.objects.create(trigger=Run.Trigger.NIGHT, started_at=NOW)
    for name, before, after in (
        ("Ann", 1_200_000_000, 1_201_000_000),
        ("Bob", None, 996_000_000),
        ("Cy", 1_000_000_000, None),
        ("Dan", 800_000_000, 802_000_000),
    ):
        RankChange.objects.create(run=run, game="tarot", player=a_player(name, ""), before=before, after=after)
    [board] = VisibleRun(run, root).leaderboards(["tarot"], {"tarot": 4})
    assert [(str(row.player), row.difference) for row in board.rank_changes] == [
        ("Bob", -4_000_000),
        ("Dan", 2_000_000),
        ("Ann", 1_000_000),
        ("Cy", None),
    ]
    client.force_login(root)
    text = page(client, run)
    for part in (
        'Bob</a><span class="badge state">new',
        'Cy</a><span class="badge state">no longer here',
        "under way",
    ):
        assert part in text


def test_number_of_queries_is_the_same_for_one_board_and_many(client: Client, root: User) -> None:
    def queries(run: Run) -> int:
        with CaptureQueriesContext(connection) as captured:
            page(client, run)
        return len(captured)

    client.force_login(root)
    few = queries(a_run(2, a_season(a_club())))
    many = a_run(40, a_season(a_club()))
    for _ in range(12):
        season = a_season(a_club())
        many.seasons.append({"season": season.pk, "club": season.club_id, "name": "", "places": 1, "changed": 1})
        RankChange.objects.create(run=many, season=season, player=a_player(), after=1)
    many.save()
    assert queries(many) == few


def test_moves_of_90_days_are_kept_and_older_ones_forgotten(club: Club, root: User, client: Client) -> None:
    season = a_season(club)
    old = a_run(2, season, started_at=NOW - timedelta(days=91), finished_at=NOW - timedelta(days=91))
    recent = a_run(3, season, started_at=NOW - timedelta(days=90), finished_at=NOW - timedelta(days=90))
    runs.run(Run.Trigger.NIGHT, now=NOW)
    assert (old.rank_changes.count(), recent.rank_changes.count()) == (0, 3)
    rank_changes.delete_old_rank_changes(NOW)
    assert RankChange.objects.count() == 3
    client.force_login(root)
    text = page(client, old)
    assert "kept for 90 days" in text
    assert "2 rows changed" in text


def test_deleted_board_keeps_its_name(client: Client, club: Club, root: User) -> None:
    run = a_run(0, a_season(club, name="Autumn"))
    Season.objects.all().delete()
    client.force_login(root)
    assert "Autumn" in page(client, run)
