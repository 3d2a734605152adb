"""PostgreSQL or the queue gone in the middle of the night, for a moment: when it is back, the next tick goes on."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.utils import timezone

from league.actions.jobs import kinds
from league.models import Due, Job, Run
from tests.faults import grip, played
from tests.faults.conftest import Installation
from tests.faults.grip import Grip
from tests.faults.machines import wait_for
from tests.faults.played import GAMES
from tests.run_jobs import parts

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

GAME = GAMES[0]


@contextmanager
def in_the_middle(installation: Installation) -> Iterator[Grip]:
    """A worker in the middle of standings, another in the middle of ratings, neither at its task's first step.

    Gives what holds the first.
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


def caught_after(held: Grip, act: Callable[[], object]) -> bool:
    """Return whether somebody waits for it; else do something for it."""
    if not held.waiting():
        act()
    return bool(held.waiting())


def done_so_far() -> list[object]:
    """Return how far each task is."""
    return list(parts().order_by("pk").values_list("state", "progress"))


def goes_on(installation: Installation) -> None:
    """The next tick completes the night; no worker had to be started again."""
    assert played.halfway()
    wait_for(played.given_up, "the time after which they are lost")
    installation.machines.tick()
    wait_for(played.over, "the run's end")
    assert played.wrong() == []
    assert [worker.exit_text() for worker in installation.machines.workers.values()] == [None, None]


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGQUIT, signal.SIGKILL], ids=["fast", "immediate", "kill-9"])
def test_postgresql_stopped_and_started(installation: Installation, sign: signal.Signals) -> None:
    with in_the_middle(installation):
        before = done_so_far()
        connection.close()
        installation.database.stop(sign)
    installation.database.start()
    assert done_so_far() == before
    goes_on(installation)


def test_connections_cut_by_a_server_that_stays(installation: Installation) -> None:
    with in_the_middle(installation):
        before = done_so_far()
        assert cut() == 2
    assert done_so_far() == before
    goes_on(installation)


def test_a_run_that_is_cut_off_after_an_hour_fails_and_stays_due(installation: Installation) -> None:
    with in_the_middle(installation) as standings:
        assert cut() == 2
        Job.objects.update(due_at=timezone.now() - kinds()["recompute"].patience)
        wait_for(played.given_up, "the time after which they are lost")
        installation.machines.tick()
        standings.caught()
        cut()
        wait_for(played.over, "the run's end")
    failed = Run.objects.get()
    assert (failed.state, "terminating connection" in failed.error) == (Run.State.FAILED, True)
    assert Due.objects.filter(season=played.seasons()[3]).count() == played.EVENINGS


def cut() -> int:
    """End the connections of the workers, from the server's side; how many they were."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name ~ '^worker'")
        ended = [pid for pid, _signalled in cursor.fetchall()]
    # Not until no worker is at work: one may have begun again over a new connection.
    wait_for(lambda: not still_there(ended), "the end of their connections")
    return len(ended)


def still_there(pids: list[int]) -> bool:
    """Return whether the server still has one of these connections."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = ANY (%s))", [pids])
        return bool(cursor.fetchone()[0])


def test_the_queue_killed_and_started_empty(installation: Installation) -> None:
    with in_the_middle(installation):
        assert Job.objects.open().count() >= 2
        installation.machines.lose_queue()
    goes_on(installation)
