"""A worker killed with -9 in the middle of a run: committed steps stay, the next tick continues."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from django.utils import timezone

from league.models import Job, PendingRecompute, Run, Seat
from league.models.job import JobState
from tests.faults import grip, played
from tests.faults.machines import Machines, wait_for
from tests.faults.played import GAMES
from tests.run_jobs import parts, tick

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

GAME = GAMES[0]


def season() -> int:
    """Return a season that is not in the first job."""
    return played.seasons()[3]


def player() -> int:
    """Return a player of the season."""
    return Seat.objects.filter(table__round__evening__season=season()).values_list("player", flat=True)[0]


# The step in which the worker is killed, and the lock that stops it there. None is in a game's first step.
INSTANTS: dict[str, Callable[[], tuple[Any, ...]]] = {
    "writes a standing": lambda: (grip.STANDING, season(), player()),
    "strikes off what was due": lambda: (grip.DUE, PendingRecompute.objects.filter(season=season()).latest("pk").pk),
    "writes a date": lambda: (grip.DAY, GAME, played.days(GAME)[7]),
    "replaces the board": lambda: (grip.RATING, GAME, player()),
}


@pytest.mark.parametrize("instant", INSTANTS)
def test_a_worker_killed_when_it(machines: Machines, instant: str) -> None:
    statement, *params = INSTANTS[instant]()
    is_ratings = statement in (grip.DAY, grip.RATING)
    tasks = parts(game=GAME) if is_ratings else parts(seasons__contains=season())
    with grip.holding(machines.database, statement, *params) as lock:
        machines.tick()
        name = lock.caught()
        before = tasks.get()
        assert before.progress.get("done_until") if is_ratings else before.payload["seasons"]
        assert (before.state, before.attempts) == (JobState.RUNNING, 1)
        machines.kill(name)
    wait_for(lambda: name not in grip.connected(), "the end of its connection")
    wait_for(played.given_up, "the time after which it is lost")
    after = tasks.get()
    assert (after.state, after.progress, after.attempts) == (JobState.RUNNING, before.progress, 1)
    assert played.halfway()

    machines.tick()
    wait_for(played.over, "the run's end")
    assert played.wrong() == []


def test_a_worker_killed_when_all_is_done_but_the_end(machines: Machines) -> None:
    *first_messages, last = tick(timezone.now())
    machines.hand_out(first_messages)
    wait_for(lambda: Job.objects.open().count() == 1, "all tasks but one")
    with grip.holding(machines.database, grip.RUN, Run.objects.get().pk) as lock:
        machines.hand_out([last])
        name = lock.caught()
        assert not Job.objects.open().exists()
        machines.kill(name)
    wait_for(lambda: name not in grip.connected(), "the end of its connection")
    assert Run.objects.get().state == Run.State.RUNNING

    machines.tick()
    wait_for(played.over, "the run's end")
    assert played.wrong() == []


def test_a_worker_whose_pool_is_killed_does_it_again_without_a_tick(machines: Machines) -> None:
    with grip.holding(machines.database, grip.DAY, GAME, played.days(GAME)[7]) as lock:
        machines.tick()
        name = lock.caught()
        assert "done_until" in parts(game=GAME).get().progress
        machines.kill_in_pool(name)
    wait_for(played.over, "the run's end")
    assert played.wrong() == []


@pytest.mark.parametrize("turn", range(2))
def test_both_workers_killed_at_any_instant(machines: Machines, turn: int) -> None:
    """At a random instant; FAULT_SEED=… repeats it, as far as two processes can be repeated."""
    seed = int(os.environ.get("FAULT_SEED") or secrets.randbits(32))
    print(f"FAULT_SEED={seed}")
    rng = Random(seed)
    gate = played.days(GAME)[-1]  # so that the night can't end before
    workers = list(machines.workers)
    with grip.holding(machines.database, grip.DAY, GAME, gate):
        machines.tick()
        enough = rng.randint(1, played.PARTS // 2)
        wait_for(lambda: played.parts_done() >= enough, f"{enough} parts")
        for _ in range(2):
            time.sleep(rng.uniform(0, 0.2))
            name = rng.choice([name for name in workers if name in grip.at_work()] or workers)
            workers.remove(name)
            machines.kill(name)
        assert played.halfway()
    wait_for(lambda: not grip.at_work(), "the end of their transactions")
    wait_for(played.given_up, "the time after which they are lost")
    assert played.halfway()

    machines.tick()
    wait_for(played.over, "the run's end")
    assert played.wrong() == []
