"""Runs on a real database: counted tables, moves by corrections, and unchanged second runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.models import Model

from league.actions import deals, evenings, totals
from league.models import (
    Club,
    Deal,
    Evening,
    Job,
    PendingRecompute,
    PlayerStatistics,
    Run,
    Score,
    Season,
    Seat,
    Standing,
    Table,
)
from league.models.evening import EveningState
from league.operations.work import jobs
from league.operations.work.jobs import Outcome
from league.operations.work.verification import verify
from league.recompute.work import runs
from league.sheets.queries.table_sums import PointsAndDeals
from players.models import FirstMeeting, Player, Rating, RatingDay, RatingStep
from tests.build import NOW, TAKE, a_club, a_deal, a_player, a_season, a_table, an_evening
from tests.run_jobs import tick

LOST = {**TAKE, "oudlers": 1}


@pytest.fixture
def club(db: None) -> Club:
    return a_club()


def an_evening_played(season: Season, players: list[Player], facts: list[dict[str, object]]) -> Evening:
    evening = an_evening(season)
    table = a_table(evening, players)
    for deal_facts in facts:
        a_deal(table, deal_facts)
    return evenings.close(evening.pk, now=NOW)


def everything() -> list[tuple[object, ...]]:
    """Return all derived rows, as values."""
    return [
        row
        for model, fields in (
            (Standing, (*Standing.KEY, *Standing.DERIVED)),
            (Rating, (*Rating.KEY, *Rating.DERIVED)),
            (RatingStep, (*RatingStep.KEY, *RatingStep.DERIVED)),
            (FirstMeeting, (*FirstMeeting.KEY, *FirstMeeting.DERIVED)),
        )
        for row in model.objects.order_by(*fields[:2], "pk").values_list(*fields)
    ]


def test_a_closed_evening_moves_standings_and_ratings(club: Club) -> None:
    season, players = a_season(club), [a_player() for _ in range(4)]
    an_evening_played(season, players, [TAKE] * 4)
    run = runs.run(Run.Trigger.CLOSING, now=NOW)

    assert run.state == Run.State.DONE
    assert [(row.player, row.rank, row.total) for row in season.standings.all()] == [
        (players[0], 1, 324),
        (players[1], 2, -108),
        (players[2], 2, -108),
        (players[3], 2, -108),
    ]
    # RATINGS.md, club rules: K = 4/√3 × 0.5 × 4 = 4.618802 against each of three, half of it each.
    assert [round(rating.micro / 1000) for rating in Rating.objects.order_by("player")] == [
        1006928, 997691, 997691, 997691,
    ]  # fmt: skip
    assert not PendingRecompute.objects.exists()


def test_partners_are_rated_together(club: Club) -> None:
    players = [a_player() for _ in range(4)]
    won = {"taker": 0, "points": 75, "last_trick": "attack"}
    an_evening_played(a_season(club, "belote"), players, [won] * 4)
    runs.run(Run.Trigger.CLOSING, now=NOW)

    # RATINGS.md, club rules: two sides, K = 4 × 0.5 × 4 = 8; each winner gains half of it.
    assert [rating.micro for rating in Rating.objects.order_by("player")] == [
        1_004_000_000, 996_000_000, 1_004_000_000, 996_000_000,
    ]  # fmt: skip


def test_nothing_counts_before_the_evening_is_closed(club: Club) -> None:
    season = a_season(club)
    table = a_table(an_evening(season))
    for _deal in range(4):
        a_deal(table)
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)

    assert not season.standings.exists()
    assert not Rating.objects.exists()


def test_an_incomplete_table_does_not_count(club: Club) -> None:
    season = a_season(club)
    an_evening_played(season, [a_player() for _ in range(4)], [TAKE] * 3)
    runs.run(Run.Trigger.CLOSING, now=NOW)

    assert not season.standings.exists()


def test_a_second_run_changes_nothing(club: Club) -> None:
    an_evening_played(a_season(club), [a_player() for _ in range(4)], [TAKE, LOST] * 2)
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    before = everything()
    second_run = runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)

    assert everything() == before
    assert [part["changed"] for part in (*second_run.seasons, *second_run.games)] == [0, 0]


def test_checkpoints_whose_days_were_deleted_are_repaired(club: Club) -> None:
    an_evening_played(a_season(club), [a_player() for _ in range(4)], [TAKE, LOST] * 2)
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    before = everything()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM players_ratingday; UPDATE players_ratingstep SET micro = 0")
    run = runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)

    assert run.state == Run.State.DONE
    assert everything() == before
    assert list(verify()) == []


def test_an_old_correction_is_as_if_recorded_right_at_first(club: Club) -> None:
    season, players = a_season(club), [a_player() for _ in range(4)]
    an_evening_played(season, players, [LOST, TAKE, TAKE, TAKE])
    an_evening_played(season, players, [LOST, LOST, TAKE, TAKE])
    runs.run(Run.Trigger.CLOSING, now=NOW)
    wrong = Deal.objects.order_by("pk")[0]
    deals.revise(wrong.pk, TAKE, client_key=uuid4(), seen_version=1, now=NOW, reason="misread")
    runs.run(Run.Trigger.NIGHT, now=PendingRecompute.objects.order_by("-not_before")[0].not_before)
    corrected = everything()

    Rating.objects.all().delete()
    RatingStep.objects.all().delete()
    FirstMeeting.objects.all().delete()
    Standing.objects.all().delete()
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    assert everything() == corrected
    assert season.standings.get(player=players[0]).total == 81 * 6 - 99 * 2


def test_points_may_be_as_large_as_weights_and_totals_make_them(club: Club) -> None:
    """One club's numbers must not end the run of all."""
    evening = an_evening(a_season(club))
    Evening.objects.filter(pk=evening.pk).update(weight=32_767)
    table = a_table(evening)
    sums = {
        0: PointsAndDeals(99_999, 4),
        1: PointsAndDeals(-33_333, 4),
        2: PointsAndDeals(-33_333, 4),
        3: PointsAndDeals(-33_333, 4),
    }
    totals.record(table.pk, sums, client_key=uuid4(), seen_version=0, now=NOW)
    evenings.close(evening.pk, now=NOW)
    runs.run(Run.Trigger.NIGHT, now=NOW)
    assert Standing.objects.order_by("-numerator")[0].total == 99_999 * 32_767


def test_guests_score_and_are_not_ranked(club: Club) -> None:
    season, players = a_season(club), [a_player() for _ in range(4)]
    evening = an_evening_played(season, players, [TAKE] * 4)
    evening.attendances.filter(player=players[0]).update(standing="guest")
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)

    assert [(row.rank, row.total) for row in season.standings.all()] == [(1, -108), (1, -108), (1, -108), (None, 324)]


def test_a_failing_run_says_so_and_keeps_what_is_due(club: Club) -> None:
    an_evening_played(a_season(club), [a_player() for _ in range(4)], [TAKE] * 4)
    Season.objects.update(game="bridge")  # no such game: as if its folder were taken away
    with pytest.raises(LookupError):
        runs.run(Run.Trigger.NIGHT, now=NOW, everything=True)

    failed = Run.objects.get()
    assert (failed.state, "bridge" in failed.error, failed.finished_at is not None) == (Run.State.FAILED, True, True)
    assert [due.game for due in PendingRecompute.objects.all()] == ["tarot"]
    assert Standing.objects.count() == 4  # completed work stays, and is no longer due
    assert not Job.objects.open().exists()


@pytest.mark.django_db(transaction=True)
def test_a_second_run_helps_the_first_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its worker died after opening it: the command does that run's work, then its own."""
    an_evening_played(a_season(a_club()), [a_player() for _ in range(4)], [TAKE] * 4)
    [*tasks] = tick(NOW)
    assert len(tasks) == 2
    second_run = runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    first = Run.objects.exclude(pk=second_run.pk).get()
    assert (first.state, second_run.state) == (Run.State.DONE, Run.State.DONE)
    assert [row["changed"] for row in first.seasons] == [4]
    assert [row["changed"] for row in second_run.seasons] == [0]
    assert not PendingRecompute.objects.exists()


@contextmanager
def locked_by_another_connection(job_ids: list[int]) -> Iterator[None]:
    second_connection = connection.copy()
    try:
        with second_connection.cursor() as cursor:
            second_connection.set_autocommit(False)
            cursor.execute("SELECT FROM league_job WHERE id = ANY(%s) FOR UPDATE", [job_ids])
            yield
    finally:
        # The server would let go of a closed connection's rows a moment later only.
        second_connection.rollback()
        second_connection.close()


@pytest.mark.django_db(transaction=True)
def test_a_task_that_somebody_else_holds_is_waited_for_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "OTHER_RUN_WAIT_SECONDS", 0.2)
    an_evening_played(a_season(a_club()), [a_player() for _ in range(4)], [TAKE] * 4)
    tasks = tick(NOW)
    with locked_by_another_connection(tasks):
        with pytest.raises(runs.RunInProgress):
            runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
        assert [jobs.work_on_job(task, now=NOW, seconds=1) for task in tasks] == [Outcome.BUSY] * len(tasks)
    assert [jobs.work_on_job(task, now=NOW, seconds=1) for task in tasks] == [Outcome.DONE] * len(tasks)
    assert Run.objects.get().state == Run.State.DONE


def test_verify_is_clean_after_a_night(club: Club) -> None:
    an_evening_played(a_season(club), [a_player() for _ in range(4)], [TAKE, LOST] * 2)
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    assert list(verify()) == []
    call_command("verify", verbosity=0)


DERIVED = [
    *((Player, field) for field in ("sort_key",)),
    *((Table, field) for field in ("recorded", "deals", "complete")),
    *((Seat, field) for field in ("points", "deals")),
    *((Score, field) for field in Score.DERIVED),
    *((Standing, field) for field in Standing.DERIVED),
    *((PlayerStatistics, field) for field in PlayerStatistics.DERIVED),
    *((Rating, field) for field in Rating.DERIVED),
    *((RatingStep, field) for field in RatingStep.DERIVED),
    *((FirstMeeting, field) for field in FirstMeeting.DERIVED),
    *((RatingDay, field) for field in RatingDay.DERIVED),
]


@pytest.fixture
def verified(club: Club) -> None:
    """One evening, computed: what verification finds here was tampered with."""
    an_evening_played(a_season(club), [a_player() for _ in range(4)], [TAKE, LOST] * 2)
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)


def differences_after(sql: str) -> set[tuple[str, str]]:
    """Return the differences that verification finds after a statement, which is undone."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(sql)
            assert cursor.rowcount == 1
        differences = {(difference.model, difference.field) for difference in verify()}
        transaction.set_rollback(True)
    return differences


def tampering(model: type[Model], field: str) -> str:
    """Return a statement that changes a column of one row."""
    table = model._meta.db_table
    replacement = {
        "CharField": f"'x' || left(\"{field}\", -1)",
        "BooleanField": f'NOT "{field}"',
        "DateField": f'"{field}" + 1',
        "JSONField": "'[0]'",
    }.get(model._meta.get_field(field).get_internal_type(), f'COALESCE("{field}", 0) + 1')
    return f'UPDATE "{table}" SET "{field}" = {replacement} WHERE ctid = (SELECT min(ctid) FROM "{table}")'


@pytest.mark.faults
def test_verify_names_each_column_that_was_tampered_with(verified: None) -> None:
    missed = [
        (model.__name__, field)
        for model, field in DERIVED
        if (model.__name__, field) not in differences_after(tampering(model, field))
    ]
    assert missed == []


def test_verify_names_a_row_that_was_taken_away(verified: None) -> None:
    models = (Score, Standing, PlayerStatistics, Rating, RatingStep, FirstMeeting)
    deletions = {}
    for model in models:
        table = model._meta.db_table
        deletions[model.__name__] = f"DELETE FROM {table} WHERE ctid = (SELECT min(ctid) FROM {table})"
    assert [name for name, sql in deletions.items() if (name, "row") not in differences_after(sql)] == []


def test_command_fails_when_verify_finds_a_difference(verified: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(tampering(Standing, "rank"))
    with pytest.raises(CommandError):
        call_command("verify", verbosity=0)


def test_due_is_left_to_the_next_run(club: Club) -> None:
    an_evening_played(a_season(club), [a_player() for _ in range(4)], [TAKE] * 4)
    assert list(verify()) == []
    assert Evening.objects.filter(state=EveningState.CLOSED).exists()


@pytest.mark.django_db(transaction=True)
def test_the_command_prints_what_it_computed_and_refuses_while_another_run_is_at_work(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(runs, "OTHER_RUN_WAIT_SECONDS", 0.2)
    season = a_season(a_club(), name="Season of the command")
    an_evening_played(season, [a_player() for _ in range(4)], [TAKE] * 4)
    tasks = tick(NOW)
    with (
        locked_by_another_connection(tasks),
        pytest.raises(CommandError, match=r"Another run is at work\. Try again when it is done\."),
    ):
        call_command("recompute")
    assert not Standing.objects.exists()
    call_command("recompute")
    output = capsys.readouterr().out
    assert "Season of the command: 4 places, 0 changed\n" in output
    assert "tarot: 1 tables, 0 ratings changed\n" in output
    assert Standing.objects.filter(season=season).count() == 4
