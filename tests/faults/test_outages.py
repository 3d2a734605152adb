"""PostgreSQL or the queue fails for a moment in the middle of a run; the next tick continues it."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.utils import timezone

from league.actions.jobs import job_kinds
from league.models import Job, PendingRecompute, Run
from tests.faults import grip, played
from tests.faults.conftest import Installation
from tests.faults.grip import Grip
from tests.faults.machines import wait_for
from tests.faults.played import GAMES
from tests.run_jobs import parts

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

GAME = GAMES[0]
CONNECTIONS = 4  # two workers, each with a connection for its job's lock beside its own


@contextmanager
def in_the_middle(installation: Installation) -> Iterator[Grip]:
    """Stop a worker in the middle of standings, and another in the middle of ratings, neither at its first step.

    Yield the grip on the first.
    """
    database, machines = installation
    with (
        grip.holding(database.url, grip.SEASON, played.seasons()[3]) as standings,
        grip.holding(database.url, grip.DAY, GAME, played.days(GAME)[7]) as ratings,
    ):
        machines.tick()
        standings.caught()
        # The first worker may have this message as well, and keep it for later: a repeated one reaches the other.
        number = parts(game=GAME).get().pk
        wait_for(lambda: caught_after(ratings, lambda: machines.hand_out([number])), "the other worker in the middle")
        assert played.halfway()
        yield standings


def caught_after(lock: Grip, act: Callable[[], object]) -> bool:
    """Return whether a worker waits for the lock; if not, `act`."""
    if not lock.waiting():
        act()
    return bool(lock.waiting())


def job_states() -> list[object]:
    """Return the state of each job."""
    return list(parts().order_by("pk").values_list("state", "progress"))


def check_it_continues(installation: Installation) -> None:
    """Check that the next tick completes the run, with the same workers."""
    assert played.halfway()
    wait_for(played.given_up, "the time after which they are lost")
    installation.machines.tick()
    wait_for(played.over, "the run's end")
    assert played.wrong() == []
    assert [worker.exit_text() for worker in installation.machines.workers.values()] == [None, None]


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGQUIT, signal.SIGKILL], ids=["fast", "immediate", "kill-9"])
def test_postgresql_stopped_and_started(installation: Installation, sign: signal.Signals) -> None:
    with in_the_middle(installation):
        before = job_states()
        connection.close()
        installation.database.stop(sign)
    installation.database.start()
    assert job_states() == before
    check_it_continues(installation)


def test_connections_cut_by_a_server_that_stays(installation: Installation) -> None:
    with in_the_middle(installation):
        before = job_states()
        assert cut() == CONNECTIONS
    assert job_states() == before
    check_it_continues(installation)


def test_a_run_that_is_cut_off_after_an_hour_fails_and_stays_due(installation: Installation) -> None:
    with in_the_middle(installation) as standings:
        assert cut() == CONNECTIONS
        Job.objects.update(due_at=timezone.now() - job_kinds()["recompute"].database_retry_period)
        wait_for(played.given_up, "the time after which they are lost")
        installation.machines.tick()
        standings.caught()
        cut()
        wait_for(played.over, "the run's end")
    failed = Run.objects.get()
    assert (failed.state, "terminating connection" in failed.error) == (Run.State.FAILED, True)
    assert PendingRecompute.objects.filter(season=played.seasons()[3]).count() == played.EVENINGS


def cut() -> int:
    """End the connections of the workers on the server; return their number."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ~ '^worker'")
        pids = [pid for pid, _signalled in cursor.fetchall()]
    # Workers may already work again over new connections.
    wait_for(lambda: not still_there(pids), "the end of their connections")
    return len(pids)


def still_there(pids: list[int]) -> bool:
    """Return whether the server still has one of these connections."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = ANY (%s))", [pids])
        return bool(cursor.fetchone()[0])


def test_the_queue_killed_and_started_empty(installation: Installation) -> None:
    with in_the_middle(installation):
        assert Job.objects.open().count() >= 2
        installation.machines.lose_queue()
    check_it_continues(installation)
