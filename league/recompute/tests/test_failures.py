"""A part of the night that fails, or whose workers die, ends as failed and holds up no other."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.db import OperationalError, connection
from django.test import Client

from league.actions import evenings
from league.actions import standings as standings_actions
from league.actions.pending_recomputes import next_nightly_run
from league.celery import app
from league.models import Job, PendingRecompute, RankChange, Run, Season, Standing, versions
from league.operations.tasks import jobs as jobs_messages
from league.operations.work import jobs
from league.operations.work.clock import database_now
from league.operations.work.jobs import Outcome, WorkerDied
from league.operations.work.verification import verify
from league.ratings.queries import game_ratings
from league.recompute.work import runs, steps
from league.seasons.queries import season_rankings
from league.seasons.queries.season_evenings import UnreadableRules
from players.models import Rating, RatingDay, User
from tests.build import NOW, a_club, a_deal, a_player, a_season, a_table, an_evening
from tests.run_jobs import parts, tick

pytestmark = pytest.mark.django_db

WON = {"taker": 0, "points": 75, "last_trick": "attack"}


class Broken(Exception):
    """What a part fails with."""


def played(season: Season) -> None:
    evening = an_evening(season)
    table = a_table(evening, [a_player() for _ in range(4)])
    for _ in range(4):
        a_deal(table, WON if season.game == "belote" else None)
    evenings.close(evening.pk, now=NOW)


@pytest.fixture
def seasons() -> list[Season]:
    """Return two of tarot and one of belote, each with a closed evening that is due."""
    User.objects.create_superuser("root@club.example", "a-long-enough-password")
    club = a_club()
    rows = [a_season(club), a_season(club), a_season(club, "belote")]
    for season in rows:
        played(season)
    return rows


@pytest.fixture
def belote_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    compute = game_ratings.compute_date_range

    def fail(game: str, *rest: Any) -> object:
        if game == "belote":
            raise Broken("belote is broken")
        return compute(game, *rest)

    monkeypatch.setattr(game_ratings, "compute_date_range", fail)


def a_night(days: int) -> Run:
    """Return the messages of a night, some days later: the tick, then each job's messages."""
    now = NOW + timedelta(days=days)
    for pk in tick(now, Run.Trigger.NIGHT):
        try:
            while jobs.work_on_job(pk, now=now, seconds=0) is Outcome.MORE:
                pass
        except Broken:
            continue
    return Run.objects.latest("pk")


def test_part_that_always_fails_leaves_the_others_done(seasons: list[Season], belote_fails: None) -> None:
    for day in range(1, 6):
        run = a_night(day)
        assert run.state == Run.State.FAILED
        assert [row["game"] for row in run.failed] == ["belote"]
        assert run.error == "league.recompute.tests.test_failures.Broken: belote is broken"
    first = Run.objects.earliest("pk")
    assert [row["game"] for row in first.games] == ["tarot"]
    assert [row["season"] for row in first.seasons] == [season.pk for season in seasons]
    assert set(Rating.objects.values_list("game", flat=True)) == {"tarot"}
    [due] = PendingRecompute.objects.all()
    assert (due.game, due.not_before) == ("belote", next_nightly_run(NOW + timedelta(days=5)))
    assert list(verify()) == []


def test_part_that_failed_is_computed_by_the_next_night(
    seasons: list[Season], belote_fails: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_night(1)
    monkeypatch.undo()
    now = NOW + timedelta(days=1)
    assert tick(now) == []  # it waits for the night, not for the next tick
    assert a_night(2).state == Run.State.DONE
    assert set(Rating.objects.values_list("game", flat=True)) == {"belote", "tarot"}
    assert not PendingRecompute.objects.exists()


def test_run_of_others_between_two_failures_does_not_hide_them(seasons: list[Season], belote_fails: None) -> None:
    a_night(1)
    assert mail.outbox == []
    played(seasons[0])
    assert runs.run(Run.Trigger.CLOSING, now=NOW + timedelta(days=1)).state == Run.State.DONE
    a_night(2)
    [letter] = mail.outbox
    assert "belote failed in the last 2 runs that were to compute it." in letter.body
    a_night(3)
    assert len(mail.outbox) == 1


def test_statistics_that_fail_leave_the_standings_done(seasons: list[Season], monkeypatch: pytest.MonkeyPatch) -> None:
    write = standings_actions.write_statistics_and_records

    def fail(some: Collection[Season], *read: Any) -> None:
        if seasons[2] in some:
            raise Broken("belote is broken")
        write(some, *read)

    monkeypatch.setattr(steps, "write_statistics_and_records", fail)
    with pytest.raises(Broken):
        runs.run(Run.Trigger.NIGHT, now=NOW)
    run = Run.objects.get()
    assert [row["season"] for row in run.failed] == [seasons[2].pk]
    assert {season.standings.count() for season in seasons} == {4}
    assert [season.player_statistics.count() for season in seasons] == [4, 4, 0]
    assert [due.season for due in PendingRecompute.objects.all()] == [seasons[2]]
    monkeypatch.undo()
    a_night(2)
    assert seasons[2].player_statistics.count() == 4
    assert seasons[2].records.exists()
    assert list(verify()) == []


def test_season_of_unreadable_rules_fails_alone_and_is_said(seasons: list[Season], client: Client) -> None:
    Season.objects.filter(pk=seasons[0].pk).update(standings_rules={"counts": {"which": "best"}})
    with pytest.raises(UnreadableRules):
        runs.run(Run.Trigger.NIGHT, now=NOW)
    run = Run.objects.get()
    assert [row["season"] for row in run.failed] == [seasons[0].pk]
    assert f"The standings rules of {seasons[0]} can't be read. rules.counts.n: " in run.error
    assert {row["season"] for row in run.seasons} == {season.pk for season in seasons[1:]}
    PendingRecompute.objects.all().delete()
    [difference] = verify()
    assert (difference.model, difference.row, difference.field) == (
        "Season", f"id {seasons[0].pk}", "standings_rules",
    )  # fmt: skip


def test_season_that_fails_leaves_the_others_of_its_slice_done(
    seasons: list[Season], monkeypatch: pytest.MonkeyPatch
) -> None:
    compute = season_rankings.rank_seasons

    def fail(wanted: Collection[Season], **read: Any) -> object:
        if seasons[0] in wanted:
            raise Broken("a season is broken")
        return compute(wanted, **read)

    monkeypatch.setattr(steps, "rank_seasons", fail)
    with pytest.raises(Broken):
        runs.run(Run.Trigger.NIGHT, now=NOW)
    run = Run.objects.get()
    assert [row["season"] for row in run.failed] == [seasons[0].pk]
    assert [row["season"] for row in run.seasons] == [season.pk for season in seasons[1:]]
    assert set(Standing.objects.values_list("season", flat=True)) == {season.pk for season in seasons[1:]}
    assert [due.season_id for due in PendingRecompute.objects.all()] == [seasons[0].pk]


def test_page_says_what_failed_and_what_was_done(seasons: list[Season], belote_fails: None, client: Client) -> None:
    run = a_night(1)
    client.force_login(User.objects.get(is_superuser=True))
    text = client.get(run.get_absolute_url()).content.decode()
    assert text.count(" could not be computed.") == 1
    assert text.count("belote is broken") == 2  # of the run, and at its board
    assert "rank was computed" in text or "ranks were computed" in text


class Killed(BaseException):
    """The end of a process: nothing of ours may catch it."""


def test_step_whose_worker_always_dies_fails_after_three_tries(
    seasons: list[Season], monkeypatch: pytest.MonkeyPatch
) -> None:
    compute = game_ratings.compute_date_range
    deaths = []

    def die(game: str, *rest: Any) -> object:
        if game == "belote":
            deaths.append(game)
            raise Killed
        return compute(game, *rest)

    monkeypatch.setattr(game_ratings, "compute_date_range", die)
    now, last = NOW, None
    for _minute in range(10):
        for pk in tick(now):
            try:
                jobs.work_on_job(pk, now=now, seconds=40)
            except Killed:
                continue
            except WorkerDied as error:
                last = error
        now += timedelta(minutes=2)
    assert len(deaths) == 3
    assert last
    [run] = Run.objects.all()
    assert [(row["game"], row["died"]) for row in run.failed] == [("belote", True)]
    assert [row["game"] for row in run.games] == ["tarot"]
    assert [due.game for due in PendingRecompute.objects.all()] == ["belote"]
    [letter] = mail.outbox  # at the first failure: three deaths are no chance
    assert "belote failed in the last run that was to compute it." in letter.body


def test_trouble_of_the_database_is_no_try(seasons: list[Season], monkeypatch: pytest.MonkeyPatch) -> None:
    def trouble(*_args: object) -> object:
        raise OperationalError("the connection was cut")

    monkeypatch.setattr(game_ratings, "compute_date_range", trouble)
    pk = parts(game="belote").get(pk__in=tick(NOW)).pk
    for _time in range(5):
        with pytest.raises(OperationalError):
            jobs.work_on_job(pk, now=NOW, seconds=40)
    assert Job.objects.get(pk=pk).attempts == 0
    monkeypatch.undo()
    assert jobs.work_on_job(pk, now=NOW, seconds=40) is Outcome.DONE


def test_steps_that_go_on_are_no_tries(seasons: list[Season], monkeypatch: pytest.MonkeyPatch) -> None:
    for _number in range(5):
        played(seasons[2])
    monkeypatch.setattr(game_ratings, "TABLES_PER_RANGE", 1)
    assert a_night(1).state == Run.State.DONE


def test_task_touched_in_the_future_is_lost(seasons: list[Season]) -> None:
    handed = tick(NOW)
    assert tick(NOW) == []
    Job.objects.update(heartbeat=NOW + timedelta(days=365))
    assert tick(NOW) == handed


def test_worker_whose_clock_is_a_year_ahead_goes_by_the_database(seasons: list[Season]) -> None:
    runs.run(Run.Trigger.CLOSING, now=database_now())
    count = RankChange.objects.count()
    assert count
    played(seasons[0])
    with time_machine.travel(database_now() + timedelta(days=365)):
        jobs_messages.tick()
    assert Run.objects.latest("pk").started_at < database_now()
    assert RankChange.objects.filter(run=Run.objects.earliest("pk")).count() == count


def test_mark_further_ahead_than_any_night_is_due(seasons: list[Season]) -> None:
    """A clock that was ahead wrote it: the next night is never more than two days away."""
    PendingRecompute.objects.update(not_before=NOW + timedelta(days=2))
    assert runs.pending_trigger(NOW) is None
    assert tick(NOW) == []
    PendingRecompute.objects.update(not_before=NOW + timedelta(days=2, seconds=1))
    assert runs.pending_trigger(NOW) is Run.Trigger.CLOSING
    assert runs.run(Run.Trigger.NIGHT, now=NOW).state == Run.State.DONE
    assert not PendingRecompute.objects.exists()


def test_who_moved_is_kept_for_90_days_and_the_runs_for_ever(seasons: list[Season]) -> None:
    first = runs.run(Run.Trigger.CLOSING, now=NOW)
    count = RankChange.objects.filter(run=first).count()
    assert count
    later_run = runs.run(Run.Trigger.NIGHT, now=NOW + timedelta(days=90))
    assert RankChange.objects.filter(run=first).count() == count
    last = runs.run(Run.Trigger.NIGHT, now=NOW + timedelta(days=90, seconds=1))
    assert not RankChange.objects.filter(run=first).exists()
    first.refresh_from_db()
    assert [row["changed"] for row in first.seasons] == [4, 4, 4]
    assert set(Run.objects.all()) == {first, later_run, last}


def test_trouble_of_a_run_begun_in_the_future_fails_its_task(
    seasons: list[Season], monkeypatch: pytest.MonkeyPatch
) -> None:
    def trouble(*_args: object) -> object:
        raise OperationalError("the connection was cut")

    monkeypatch.setattr(game_ratings, "compute_date_range", trouble)
    handed = tick(NOW)
    Job.objects.update(created_at=NOW + timedelta(days=365), due_at=NOW + timedelta(days=365))
    for pk in handed:
        try:
            jobs.work_on_job(pk, now=NOW, seconds=40)
        except OperationalError:
            continue
    assert {row["game"] for row in Run.objects.get().failed} == {"belote", "tarot"}


def an_upgrade(monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of the ratings' arithmetic."""
    monkeypatch.setattr(versions, "RATINGS", versions.RATINGS + 1)


def test_another_arithmetic_makes_everything_due_whole_at_the_first_tick(
    seasons: list[Season], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs.run(Run.Trigger.CLOSING, now=NOW)
    assert tick(NOW) == []
    an_upgrade(monkeypatch)
    handed = [job.payload for job in Job.objects.filter(pk__in=tick(NOW)).order_by("key")]
    assert [(payload["game"], payload["since"], payload["arithmetic"]) for payload in handed] == [
        (game, date.min.isoformat(), versions.RATINGS) for game in ("belote", "tarot")
    ]
    runs.run(Run.Trigger.COMMAND, now=NOW)
    assert set(RatingDay.objects.values_list("arithmetic", flat=True)) == {versions.RATINGS}
    assert list(verify()) == []
    assert tick(NOW) == []


def test_correction_after_an_upgrade_mixes_no_arithmetics(
    seasons: list[Season], monkeypatch: pytest.MonkeyPatch
) -> None:
    runs.run(Run.Trigger.CLOSING, now=NOW)
    an_upgrade(monkeypatch)
    now = NOW + timedelta(days=1)
    PendingRecompute.objects.create(
        game="tarot", date=NOW.date() + timedelta(days=1), not_before=now, why=PendingRecompute.Reason.CLOSED
    )
    tick(now)
    assert parts(game="tarot").get().payload["since"] == date.min.isoformat()


def test_run_is_not_gone_on_with_by_another_arithmetic(seasons: list[Season], monkeypatch: pytest.MonkeyPatch) -> None:
    handed = tick(NOW)
    an_upgrade(monkeypatch)
    rated = parts().exclude(payload__game="")
    assert {jobs.work_on_job(task.pk, now=NOW, seconds=40) for task in rated} == {Outcome.OTHER_VERSION}
    later = NOW + timedelta(minutes=2)
    messages = tick(later)
    assert set(messages) == set(handed) - {task.pk for task in rated}
    for pk in messages:
        jobs.work_on_job(pk, now=later, seconds=40)
    run = Run.objects.get()
    assert (run.state, {row["game"] for row in run.failed}) == (Run.State.FAILED, {"belote", "tarot"})
    assert mail.outbox == []
    assert runs.run(Run.Trigger.CLOSING, now=later).state == Run.State.DONE
    assert set(RatingDay.objects.values_list("arithmetic", flat=True)) == {versions.RATINGS}
    assert not PendingRecompute.objects.exists()
    assert list(verify()) == []


@pytest.mark.django_db(transaction=True)
def test_step_that_waits_for_a_lock_too_long_is_tried_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "LOCK_TIMEOUT", "100ms")
    played(a_season(a_club()))
    pk = parts(game="tarot").get(pk__in=tick(NOW)).pk
    second_connection = connection.copy()
    try:
        with second_connection.cursor() as cursor:
            second_connection.set_autocommit(False)
            cursor.execute("SELECT FROM league_due FOR UPDATE")
            with pytest.raises(OperationalError):
                jobs.work_on_job(pk, now=NOW, seconds=40)
    finally:
        second_connection.rollback()
        second_connection.close()
    assert (Job.objects.get(pk=pk).attempts, Job.objects.get(pk=pk).error) == (0, "")
    assert jobs.work_on_job(pk, now=NOW, seconds=40) is Outcome.DONE


def test_messages_of_the_clock_expire() -> None:
    """Messages of a weekend without a worker expire, but for the newest: the database has the pending work."""
    for entry in app.conf.beat_schedule.values():
        assert 0 < entry["options"]["expires"] <= timedelta(hours=6).total_seconds()
    for entry in app.conf.beat_schedule.values():
        assert entry["options"]["expires"] < entry["schedule"]
