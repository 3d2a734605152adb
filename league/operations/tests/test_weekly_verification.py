"""The weekly verification: in slices, with lost messages and workers, in a queue of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from celery import current_app
from django.conf import settings
from django.db import OperationalError, connection
from django.db.models import F
from pytest_django import DjangoCaptureOnCommitCallbacks

from league.actions import evenings, totals
from league.actions.jobs import enqueue
from league.celery import DEFAULT_QUEUE, EMAIL_QUEUE, VERIFICATION_QUEUE, WEBHOOK_QUEUE, app
from league.messages import send_tick
from league.models import Check, Club, Job, Run, Score, Season, Seat, Table
from league.models.check import CheckKind
from league.operations.tasks import jobs as messages
from league.operations.work import jobs, verification, weekly_verification
from league.operations.work.clock import database_now
from league.operations.work.jobs import MESSAGE_LOST_AFTER, Outcome
from league.operations.work.verification import VerificationSlice, check_slice, next_slice, verify
from league.operations.work.weekly_verification import JOB_KIND, MAX_SLICE_ATTEMPTS
from league.ratings.queries import game_ratings
from league.recompute.work import runs
from league.sheets.queries.table_sums import PointsAndDeals
from players.models import Player, RatingStep
from players.rating.state import EMPTY_STATE
from tests.build import NOW, TAKE, a_club, a_deal, a_player, a_season, a_table, an_evening
from tests.run_jobs import weekly_verify

LOST_DEAL = {**TAKE, "points": 20}


def an_evening_played(
    season: Season, deals: Sequence[dict[str, object]], players: list[Player] | None = None, day: int = 0
) -> None:
    """One table of so many deals, at an evening so many days later."""
    evening = an_evening(season, on=NOW.date() + timedelta(days=day))
    table = a_table(evening, players)
    for facts in deals:
        a_deal(table, facts)
    evenings.close(evening.pk, now=NOW)


@pytest.fixture
def club(db: None) -> Club:
    """A club with two seasons: one of deals, one of totals only."""
    club = a_club()
    an_evening_played(a_season(club), [TAKE, LOST_DEAL] * 2)
    evening = an_evening(a_season(club))
    for points in (30, 60):
        table = a_table(evening, [a_player() for _ in range(4)])
        sums = {seat: PointsAndDeals(points * (3 if seat == 0 else -1), 4) for seat in range(4)}
        totals.record(table.pk, sums, client_key=uuid4(), seen_version=0, now=NOW)
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    return club


def slices() -> Iterator[VerificationSlice]:
    current: VerificationSlice | None = VerificationSlice()
    while current:
        yield current
        current = next_slice(current)


def seats_by_totals() -> Any:
    return Table.objects.filter(recorded=0, seats__written__isnull=False).distinct()


def tampered() -> None:
    """Something wrong in the first slice, in a season, and in a game."""
    Player.objects.filter(pk=Player.objects.earliest("pk").pk).update(sort_key="x")
    Score.objects.filter(pk=Score.objects.earliest("pk").pk).update(points=F("points") + 1)
    RatingStep.objects.filter(pk=RatingStep.objects.earliest("pk").pk).update(micro=F("micro") + 1)


def begin(now: datetime) -> Job:
    return enqueue(JOB_KIND, now=now)


def step(seconds: float = -1.0) -> Outcome:
    """One message that has time for one slice."""
    return jobs.work_on_job(Job.objects.latest("pk").pk, now=NOW, seconds=seconds)


def difference_names() -> list[str]:
    """Return the differences found so far."""
    return [row["text"] for row in Job.objects.latest("pk").progress["differences"]]


def test_one_slice_a_message_finds_what_the_command_finds(club: Club) -> None:
    tampered()
    expected = [str(difference) for difference in verify()]
    assert len(expected) >= 3
    begin(NOW)
    outcomes: list[Outcome] = []
    while not outcomes or outcomes[-1] is Outcome.MORE:
        outcomes.append(step())
    assert outcomes[-1] is Outcome.DONE
    assert len(outcomes) == len(list(slices())) + 1 >= 5
    assert difference_names() == expected
    assert Job.objects.get().result == {"number": len(expected)}
    noted = Check.objects.get()
    assert (noted.ok, noted.found, noted.summary.splitlines()) == (False, len(expected), expected[:5])


def test_killed_in_any_slice_the_next_message_goes_on_with_it(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """As by kill -9: the slice is begun, its end is never written."""
    tampered()
    expected = [str(difference) for difference in verify()]
    killed: set[VerificationSlice] = set()

    class Killed(BaseException):
        pass

    def dying(current: VerificationSlice, before: Any) -> Any:
        differences = check_slice(current, before)
        if current not in killed:
            killed.add(current)
            raise Killed
        return differences

    monkeypatch.setattr(weekly_verification, "check_slice", dying)
    begin(NOW)
    outcome = Outcome.MORE
    while outcome is Outcome.MORE:
        try:
            outcome = step(seconds=60.0)
        except Killed:
            begin(NOW + timedelta(weeks=1))  # also by the next week's message
    assert killed == set(slices())
    assert difference_names() == expected


def test_a_slice_whose_worker_always_dies_is_reported_and_the_others_are_checked(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def dying(current: VerificationSlice, before: Any) -> Any:
        if current.game:
            raise Killed
        return check_slice(current, before)

    monkeypatch.setattr(weekly_verification, "check_slice", dying)
    begin(NOW)
    died = 0
    while True:
        try:
            assert step(seconds=60.0) is Outcome.DONE
            break
        except Killed:
            died += 1
    assert died == MAX_SLICE_ATTEMPTS
    [difference] = Job.objects.get().progress["differences"]
    assert (difference["model"], difference["row"].split(",")[0]) == ("Slice", "game tarot")
    assert f"{MAX_SLICE_ATTEMPTS} times" in difference["text"]


def test_a_slice_that_fails_is_reported_and_the_others_are_checked(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    tampered()
    differences = list(verify())
    assert {difference.model for difference in differences} > {"Player", "Score", "Seat", "RatingStep"}

    def fails(season: int) -> Any:
        raise LookupError("no such rule")

    monkeypatch.setitem(verification.SEASON_CHECKS, "standings", fails)
    monkeypatch.setattr(weekly_verification, "DETAIL_LIMIT", 20)
    assert weekly_verify() == 2 + len(differences)  # two seasons' standings; what else there is hides behind neither
    summary = Check.objects.get().summary
    assert "LookupError: no such rule" in summary
    assert "RatingStep" in summary


def test_trouble_of_the_database_is_no_find_and_no_try(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    def cut_off(current: VerificationSlice, before: Any) -> Any:
        raise OperationalError("the connection was lost")

    begin(NOW)
    with monkeypatch.context() as patch:
        patch.setattr(weekly_verification, "check_slice", cut_off)
        for _time in range(MAX_SLICE_ATTEMPTS + 1):
            with pytest.raises(OperationalError):
                step()
    assert weekly_verify() == 0
    assert Check.objects.get().ok


def test_two_messages_at_the_same_slice_do_it_once(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    tampered()
    expected = [str(difference) for difference in verify()]
    outcomes: list[Outcome] = []

    def overtaken(current: VerificationSlice, before: Any) -> Any:
        outcomes.append(step(seconds=60.0))
        return check_slice(current, before)

    monkeypatch.setattr(weekly_verification, "check_slice", overtaken)
    begin(NOW)
    assert step(seconds=60.0) is Outcome.DONE
    assert set(outcomes) == {Outcome.BUSY}
    assert difference_names() == expected


def test_of_tables_without_deals_only_those_that_differ_are_checked(club: Club) -> None:
    tables = {
        current.season: verification._suspect_tables(
            verification._tables_of_slice(current), "tarot", low_wins=False
        ).count()
        for current in slices()
        if current.season and not current.check
    }
    assert sorted(tables.values()) == [0, 1]
    assert seats_by_totals().count() == 2


@pytest.mark.parametrize(
    ("model", "field", "new_value"),
    [
        (Table, "recorded", "1"),
        (Table, "deals", "deals + 1"),
        (Table, "complete", "NOT complete"),
        (Seat, "points", "points + 1"),
        (Seat, "deals", "deals + 1"),
        (Seat, "written", "written - 1"),
        (Seat, "written_deals", "written_deals + 4"),
    ],
)
def test_the_database_finds_what_differs_in_a_table_without_deals(
    club: Club, model: type[Table | Seat], field: str, new_value: str
) -> None:
    table = seats_by_totals().earliest("pk")
    pk = table.pk if model is Table else table.seats.earliest("number").pk
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE {model._meta.db_table} SET {field} = {new_value} WHERE id = %s", [pk])
    assert list(verification._table_differences(VerificationSlice(season=table.round.evening.season_id)))


def test_a_season_with_many_deals_goes_in_several_slices(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "TABLES_PER_SLICE", 1)
    table = Table.objects.filter(recorded__gt=0).get()
    for _table in range(2):
        another = a_table(table.round.evening)
        Table.objects.filter(pk=another.pk).update(recorded=7)
    Score.objects.filter(pk=Score.objects.earliest("pk").pk).update(points=F("points") + 1)
    season = table.round.evening.season_id
    assert [current.table > 0 for current in slices() if current.season == season and not current.check] == [
        False,
        True,
        True,
    ]
    differences = [(difference.model, difference.row) for difference in verify()]
    assert ("Score", differences[0][1]) == differences[0]
    assert [model for model, _row in differences].count("Table") == 2


@pytest.mark.django_db(transaction=True)
def test_a_run_between_two_slices_is_no_difference(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the slice before answered is older than the rows: a second look goes by those."""
    monkeypatch.setattr(game_ratings, "TABLES_PER_RANGE", 1)
    players = [a_player() for _ in range(4)]
    for day in (1, 2):
        an_evening_played(a_season(club), [TAKE] * 4, players, day)
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    last = list(slices())[-1]
    assert last.since > date.min
    assert verification._check_slice(last, EMPTY_STATE)[0] != []
    assert check_slice(last, EMPTY_STATE)[0] == []


def test_a_lost_message_is_sent_again_and_a_young_one_is_not(club: Club, queued: Callable[[str], list[str]]) -> None:
    begin(database_now())
    messages.tick(VERIFICATION_QUEUE)
    assert queued(VERIFICATION_QUEUE) == []
    for touched in (-1, 1):  # a time in the future says nothing
        Job.objects.update(heartbeat=database_now() + touched * 2 * MESSAGE_LOST_AFTER)
        messages.tick(VERIFICATION_QUEUE)
        assert queued(VERIFICATION_QUEUE) == ["league.operations.tasks.jobs.work"]


def test_no_closing_stands_behind_it_in_a_queue(
    club: Club,
    queued: Callable[[str], list[str]],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        begin(NOW)
    send_tick()
    assert queued(VERIFICATION_QUEUE) == ["league.operations.tasks.jobs.work"]
    assert queued(DEFAULT_QUEUE) == ["league.operations.tasks.jobs.tick"]
    queues = {DEFAULT_QUEUE, VERIFICATION_QUEUE, EMAIL_QUEUE, WEBHOOK_QUEUE}
    assert set(app.amqp.queues) == queues  # the queues of a worker without options
    assert {entry["options"]["queue"] for entry in app.conf.beat_schedule.values()} == queues


def test_it_is_due_once_after_the_night_to_sunday(db: None) -> None:
    sunday = datetime(2026, 10, 4, settings.NIGHT_HOUR, 0, tzinfo=ZoneInfo(settings.TIME_ZONE)) + timedelta(minutes=90)
    minute, week = timedelta(minutes=1), timedelta(days=7)

    def begins(now: datetime) -> bool:
        before = Job.objects.count()
        weekly_verification.schedule_verification(now)
        return Job.objects.count() > before

    assert not begins(sunday - minute)  # a new installation waits for its first Sunday
    assert begins(sunday)
    Job.objects.all().delete()
    Check.objects.create(kind=CheckKind.VERIFY, ended_at=sunday + minute, ok=True)
    assert not begins(sunday + 2 * minute)
    assert not begins(sunday + week - minute)
    assert begins(sunday + week + timedelta(days=2))  # the machine was off
    Job.objects.update(state="failed", error="x", ended_at=sunday + week)
    assert not begins(sunday + week + timedelta(days=3))


@pytest.fixture
def queued() -> Callable[[str], list[str]]:
    """Take the messages out of a queue; answers the names of their tasks."""
    app.control.purge()

    def tasks_in(name: str) -> list[str]:
        tasks = []
        with current_app.connection_for_read() as broker, broker.SimpleQueue(name) as queue, suppress(queue.Empty):
            while message := queue.get_nowait():
                message.ack()
                tasks.append(message.headers["task"])
        return tasks

    return tasks_in
