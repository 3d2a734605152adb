"""Messages that come twice, never or all at once: the database has the pending work, so each step is done once."""

from __future__ import annotations

import signal

import pytest
from django.utils import timezone

from league.models import Job
from tests.faults import grip, played
from tests.faults.machines import Machines, wait_for
from tests.processes import processes_of
from tests.run_jobs import tick

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]


def test_two_workers_and_two_clocks_make_one_night(machines: Machines) -> None:
    game = played.GAMES[0]
    with grip.holding(machines.database, grip.DAY, game, played.days(game)[-1]) as lock:
        machines.tick_along(clocks=2)
        wait_for(lambda: min(machines.ticks()) > 0 and lock.waiting(), "both clocks, and a worker in the middle")
        assert played.halfway()
        before = machines.ticks()
        wait_for(lambda: all(now > then for now, then in zip(machines.ticks(), before, strict=True)), "more ticks")
    wait_for(played.over, "the run's end")
    after = machines.ticks()
    wait_for(lambda: all(now > then for now, then in zip(machines.ticks(), after, strict=True)), "ticks afterwards")
    machines.rest()
    assert played.wrong() == []


def test_a_worker_with_the_clock_ticks_and_its_clock_ends_with_it(machines: Machines) -> None:
    worker = machines.start_with_clock()
    try:
        wait_for(lambda: "Sending due task tick of celery" in worker.log.read_text(), "its first tick")
        wait_for(played.over, "the run that the tick began")
    finally:
        worker.stop(signal.SIGTERM, 60)
    assert not [line for line in processes_of(machines.folder) if "--beat" in line]
    assert played.wrong() == []


def test_messages_that_come_three_times_are_done_once(machines: Machines) -> None:
    numbers = tick(timezone.now())
    with grip.holding(machines.database, grip.SEASON, played.seasons()[3]) as lock:
        machines.hand_out(numbers, times=3)
        lock.caught()
        wait_for(played.halfway, "the end of another task, which the other worker may still be at")
        machines.hand_out(numbers)  # to the other worker as well, while the first is at it
        wait_for(lambda: Job.objects.open().count() == 1, "the other worker's end")
        assert len(lock.waiting()) == 1
    wait_for(played.over, "the run's end")
    assert played.wrong() == []


def test_what_was_lost_on_the_way_is_handed_out_by_the_next_tick(machines: Machines) -> None:
    numbers = tick(timezone.now())
    machines.signal(signal.SIGSTOP)  # so each worker still gets the one message that it waits for, and no other
    machines.hand_out(numbers)
    lost = machines.purge()
    assert 0 < lost < len(numbers)
    machines.signal(signal.SIGCONT)
    wait_for(lambda: Job.objects.open().count() == lost, "those that came")
    assert not Job.objects.open().filter(progress__has_key="done_until").exists()

    wait_for(played.given_up, "the time after which they are lost")
    machines.tick()
    wait_for(played.over, "the run's end")
    assert played.wrong() == []
