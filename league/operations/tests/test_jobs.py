"""The runner of background jobs, with kinds of this file's own: killed anywhere, messages lost and sent twice."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from threading import Event, Thread, current_thread
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.actions import jobs as actions
from league.actions.jobs import JobKind, TimeSource, cancel, enqueue, retry
from league.actions.refusals import WrongState
from league.models import Job
from league.models.job import JobState
from league.operations.work import jobs
from league.operations.work.jobs import MESSAGE_LOST_AFTER, JobPostponed, Outcome, WorkerDied, tick, work_on_job
from tests.build import NOW
from tests.examples import examples

pytestmark = pytest.mark.django_db

QUEUE = "of these tests"


class Killed(BaseException):
    """The end of a process: nothing of ours may catch it."""


class Broken(Exception):
    """A failure of a kind."""


class Plan:
    """Calls of the kinds' code in order, and the numbers of the calls that end badly."""

    def __init__(self) -> None:
        self.calls = 0
        self.errors: dict[int, BaseException] = {}
        self.always: BaseException | None = None

    def call(self) -> None:
        self.calls += 1
        if error := self.errors.get(self.calls) or self.always:
            raise error


@pytest.fixture
def plan(monkeypatch: pytest.MonkeyPatch) -> Plan:
    """Register two kinds of this test: one counts to 5 in steps, one notes that it was called once."""
    plan = Plan()

    def count(job: Job, now: TimeSource) -> Iterator[None]:
        first = job.progress.get("count", 0)
        for number in range(first, 5):
            if number > first:
                yield
            plan.call()
            job.progress = {"count": number + 1}
        job.result = {"counted": 5}

    def one_step(job: Job, now: TimeSource) -> None:
        plan.call()
        job.result = {"called": True}

    monkeypatch.setattr(actions, "_kinds", dict(actions.job_kinds()))
    for kind in (
        JobKind(name="count", label="", work=count, queue=QUEUE),
        JobKind(name="loose", label="", work=count, queue=QUEUE, atomic=False),
        JobKind(name="once", label="", work=one_step, queue=QUEUE, retention=timedelta(days=1)),
    ):
        actions.register_job_kind(kind)
    return plan


@pytest.fixture(autouse=True)
def _no_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(actions, "send_job", lambda pk, queue: None)


def a_job(kind: str = "count", **more: Any) -> Job:
    return enqueue(kind, now=NOW, **more)


def test_job_is_done_in_steps(plan: Plan) -> None:
    job = a_job()
    assert work_on_job(job.pk, now=NOW) is Outcome.DONE
    job.refresh_from_db()
    assert (job.state, job.steps, job.progress, job.result) == (JobState.DONE, 5, {"count": 5}, {"counted": 5})
    assert (job.attempts, job.ended_at is not None) == (0, True)
    assert work_on_job(job.pk, now=NOW) is Outcome.DONE
    assert plan.calls == 5


def test_message_without_time_does_one_step(plan: Plan) -> None:
    job = a_job()
    outcomes = [work_on_job(job.pk, now=NOW, seconds=-1.0) for _message in range(5)]
    assert outcomes == [Outcome.MORE] * 4 + [Outcome.DONE]


def test_key_has_one_open_job(plan: Plan) -> None:
    assert a_job(key="a") == a_job(key="a") != a_job(key="b")
    work_on_job(a_job(key="a").pk, now=NOW)
    assert a_job(key="a").state == JobState.WAITING


@pytest.mark.parametrize("kind", ["count", "loose"])
@given(
    kills=st.sets(st.integers(1, 14), max_size=8),
    messages=st.lists(st.sampled_from(["lost", "once", "twice"]), max_size=20),
    clock=st.lists(st.integers(-100_000, 100_000), max_size=20),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(15), deadline=None)
def test_killed_anywhere_by_any_clock_each_step_is_stored_once(
    plan: Plan, kind: str, kills: set[int], messages: list[str], clock: list[int]
) -> None:
    """Never three kills in a row, which fail the job."""
    plan.calls = 0
    plan.errors = {call: Killed() for call in kills if not {call - 1, call - 2} <= kills}
    Job.objects.all().delete()
    job = a_job(kind)
    now = NOW
    for turn in range(100):
        now += timedelta(seconds=clock[turn] if turn < len(clock) else 61)
        times = {"lost": 0, "once": 1, "twice": 2}[messages[turn] if turn < len(messages) else "once"]
        for pk in tick(QUEUE, now) * times:
            try:
                work_on_job(pk, now=now, seconds=-1.0)
            except Killed:
                continue
        job.refresh_from_db()
        if job.state == JobState.DONE:
            break
        Job.objects.filter(heartbeat__gt=now + MESSAGE_LOST_AFTER).update(heartbeat=now)
    assert (job.state, job.progress, job.steps) == (JobState.DONE, {"count": 5}, 5)


@pytest.mark.parametrize("kind", ["count", "loose"])
def test_step_whose_worker_always_dies_fails_and_others_are_done(plan: Plan, kind: str) -> None:
    plan.always = Killed()
    job, now = a_job(kind), NOW
    deaths = 0
    for _minute in range(10):
        now += timedelta(minutes=2)
        for pk in tick(QUEUE, now):
            try:
                work_on_job(pk, now=now)
            except Killed:
                deaths += 1
            except WorkerDied:
                continue
    job.refresh_from_db()
    assert (job.state, deaths) == (JobState.FAILED, 3)
    assert "3 times" in job.error
    plan.always = None
    assert work_on_job(a_job("once").pk, now=now) is Outcome.DONE


def test_failure_ends_the_job_and_its_retry_continues(plan: Plan) -> None:
    plan.errors = {3: Broken("no such thing")}
    job = a_job()
    with pytest.raises(Broken):
        work_on_job(job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.state, job.progress) == (JobState.FAILED, {"count": 2})
    assert job.error.endswith("Broken: no such thing")
    assert tick(QUEUE, NOW + timedelta(days=1)) == []
    retry(job.pk, now=NOW + timedelta(days=1))
    assert work_on_job(job.pk, now=NOW + timedelta(days=1)) is Outcome.DONE
    job.refresh_from_db()
    assert (job.result, job.error, plan.calls) == ({"counted": 5}, "", 6)
    with pytest.raises(WrongState):
        retry(job.pk, now=NOW)


def test_retry_beside_a_newer_job_of_its_key_is_refused(plan: Plan) -> None:
    plan.errors = {1: Broken()}
    job = a_job()
    with pytest.raises(Broken):
        work_on_job(job.pk, now=NOW)
    a_job()
    with pytest.raises(WrongState):
        retry(job.pk, now=NOW)


def test_trouble_of_the_database_is_no_attempt_but_fails_after_an_hour(plan: Plan) -> None:
    plan.always = OperationalError("the connection was cut")
    job = a_job()
    for _time in range(5):
        with pytest.raises(OperationalError):
            work_on_job(job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.RUNNING, 0)
    with pytest.raises(OperationalError):
        work_on_job(job.pk, now=NOW + timedelta(hours=1, seconds=1))
    job.refresh_from_db()
    assert job.state == JobState.FAILED


def test_job_that_can_not_be_done_now_waits_for_its_moment(plan: Plan) -> None:
    later = NOW + timedelta(hours=1)
    plan.errors = {1: JobPostponed(later, "away")}
    job = a_job("once")
    assert work_on_job(job.pk, now=NOW) is Outcome.LATER
    job.refresh_from_db()
    assert (job.state, job.attempts, job.error) == (JobState.WAITING, 0, "away")
    assert tick(QUEUE, later - timedelta(seconds=1)) == []
    assert work_on_job(job.pk, now=NOW) is Outcome.LATER
    assert plan.calls == 1
    assert tick(QUEUE, later) == [job.pk]
    assert work_on_job(job.pk, now=later) is Outcome.DONE


def test_message_is_sent_again_after_a_minute_of_silence_or_a_heartbeat_in_the_future(plan: Plan) -> None:
    job = a_job()
    assert tick(QUEUE, NOW + MESSAGE_LOST_AFTER / 2) == []
    assert tick(QUEUE, NOW + 2 * MESSAGE_LOST_AFTER) == [job.pk]
    assert tick(QUEUE, NOW + 2 * MESSAGE_LOST_AFTER) == []
    Job.objects.update(heartbeat=NOW + timedelta(days=365))
    assert tick(QUEUE, NOW + 2 * MESSAGE_LOST_AFTER) == [job.pk]


def test_job_added_by_a_clock_that_was_ahead_is_due(plan: Plan) -> None:
    job = enqueue("once", now=NOW + timedelta(days=365))
    assert tick(QUEUE, NOW) == [job.pk]
    assert work_on_job(job.pk, now=NOW) is Outcome.DONE


def test_other_worker_between_two_steps_is_noticed(plan: Plan) -> None:
    """The generator of the first worker has outdated variables: it starts again from the progress."""
    job = a_job()
    call = plan.call

    def overtaken() -> None:
        call()
        if plan.calls == 2:
            Job.objects.update(progress={"count": 4}, steps=4)  # as by a worker that had the row a moment earlier

    plan.call = overtaken  # type: ignore[method-assign]
    assert work_on_job(job.pk, now=NOW) is Outcome.BUSY
    assert work_on_job(job.pk, now=NOW) is Outcome.DONE
    job.refresh_from_db()
    assert (job.progress, plan.calls) == ({"count": 5}, 3)


def test_cancelled_job_ends_and_a_cancelled_failure_leaves_the_list(plan: Plan) -> None:
    job = a_job()
    cancel(job.pk, now=NOW)
    job.refresh_from_db()
    assert (job.state, job.error) == (JobState.CANCELLED, "Cancelled.")
    assert work_on_job(job.pk, now=NOW) is Outcome.DONE
    with pytest.raises(WrongState):
        cancel(job.pk, now=NOW)
    plan.errors = {1: Broken()}
    failed = a_job()
    with pytest.raises(Broken):
        work_on_job(failed.pk, now=NOW)
    cancel(failed.pk, now=NOW)
    assert not Job.objects.failed().exists()


def test_kind_whose_schedule_fails_stops_no_other(plan: Plan) -> None:
    def fails(now: Any) -> None:
        raise Broken

    actions.register_job_kind(JobKind(name="broken", label="", work=lambda job, now: None, queue=QUEUE, schedule=fails))
    actions._kinds["once"] = actions._kinds.pop("once")  # after the broken kind
    job = a_job("once", due_at=NOW)
    assert tick(QUEUE, NOW) == [job.pk]


def test_job_of_another_arithmetic_is_left_to_its_workers_and_fails_without_them(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = a_job()
    kind = actions.job_kinds()["count"]
    actions._kinds["count"] = JobKind(name="count", label="", work=kind.work, queue=QUEUE, is_current=lambda job: False)
    assert work_on_job(job.pk, now=NOW) is Outcome.OTHER_VERSION
    assert tick(QUEUE, NOW) == []
    assert Job.objects.open().exists()
    assert tick(QUEUE, NOW + 2 * MESSAGE_LOST_AFTER) == []
    job.refresh_from_db()
    assert (job.state, job.error) == (
        JobState.FAILED,
        "The arithmetic was changed on the way. All of it is due by the new one.",
    )


def test_ended_jobs_are_deleted_after_their_time(plan: Plan) -> None:
    job = a_job("once")
    work_on_job(job.pk, now=NOW)
    Job.objects.update(ended_at=NOW)
    tick(QUEUE, NOW + timedelta(hours=23))
    assert Job.objects.exists()
    tick(QUEUE, NOW + timedelta(days=1))
    assert not Job.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["count", "loose"])
def test_job_that_another_worker_has_is_left_to_it(plan: Plan, kind: str) -> None:
    job = a_job(kind)
    second = connection.copy()
    try:
        with second.cursor() as cursor:
            second.set_autocommit(False)
            if kind == "count":
                cursor.execute("SELECT FROM league_job WHERE id = %s FOR UPDATE", [job.pk])
            else:
                cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"job {job.pk}"])
            assert work_on_job(job.pk, now=NOW) is Outcome.BUSY
            assert tick(QUEUE, NOW + 2 * MESSAGE_LOST_AFTER) == []
    finally:
        second.rollback()
        second.close()
    assert Job.objects.get().attempts == 0
    assert work_on_job(job.pk, now=NOW) is Outcome.DONE


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["count", "loose"])
def test_second_message_before_the_first_step_is_no_attempt(
    plan: Plan, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second worker begins between the begin of the first and its first step; then the first one dies."""
    job = a_job(kind)
    outcomes: list[Outcome] = []
    is_second_ready, is_first_locked = Event(), Event()

    def second() -> None:
        try:
            outcomes.append(work_on_job(job.pk, now=NOW))
        finally:
            is_second_ready.set()
            connection.close()  # this thread's own

    thread = Thread(target=second)
    current_job = jobs._read_open_job

    def current(pk: int, kind: JobKind) -> Job | None:
        if current_thread() is thread:  # it has begun
            is_second_ready.set()
            is_first_locked.wait()
            return current_job(pk, kind)
        thread.start()
        is_second_ready.wait()
        locked = current_job(pk, kind)
        is_first_locked.set()
        thread.join()
        return locked

    monkeypatch.setattr(jobs, "_read_open_job", current)
    plan.always = Killed()
    with pytest.raises(Killed):
        work_on_job(job.pk, now=NOW)
    job.refresh_from_db()
    assert (outcomes, job.attempts, plan.calls) == ([Outcome.BUSY], 1, 1)
    monkeypatch.setattr(jobs, "_read_open_job", current_job)
    plan.always = None
    assert work_on_job(job.pk, now=NOW) is Outcome.DONE


@pytest.mark.django_db(transaction=True)
def test_message_that_can_not_connect_is_no_attempt_less(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    plan.errors = {1: Killed()}
    job = a_job()
    with pytest.raises(Killed):
        work_on_job(job.pk, now=NOW)

    def refuse() -> None:
        raise psycopg.OperationalError("too many clients already")

    monkeypatch.setattr(jobs, "connect", refuse)
    with pytest.raises(OperationalError):
        work_on_job(job.pk, now=NOW)
    assert Job.objects.get().attempts == 1


@pytest.mark.django_db(transaction=True)
def test_step_that_waits_for_a_lock_too_long_is_tried_again_later(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "LOCK_TIMEOUT", "100ms")
    job = a_job("once")

    def wait() -> None:
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE league_club IN ACCESS EXCLUSIVE MODE")

    monkeypatch.setattr(plan, "call", wait)
    second = connection.copy()
    try:
        with second.cursor() as cursor:
            second.set_autocommit(False)
            cursor.execute("LOCK TABLE league_club IN ACCESS EXCLUSIVE MODE")
            with pytest.raises(OperationalError):
                work_on_job(job.pk, now=NOW)
    finally:
        second.rollback()
        second.close()
    assert (Job.objects.get().attempts, Job.objects.get().error) == (0, "")
    assert work_on_job(job.pk, now=NOW) is Outcome.DONE


@pytest.mark.django_db(transaction=True)
def test_message_is_sent_after_the_commit(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[tuple[int, str]] = []
    monkeypatch.setattr(actions, "send_job", lambda pk, queue: sent.append((pk, queue)))
    job = a_job()
    a_job(key="later", due_at=NOW + timedelta(days=1))
    assert sent == [(job.pk, QUEUE)]
