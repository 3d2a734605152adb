"""The weekly look through everything stored, its worker killed with -9 in a slice: the next tick has the rest done."""

from __future__ import annotations

import time

import pytest
from django.db.models import F

from league.actions.jobs import enqueue
from league.models import Check, Job, Seat
from league.operations.tasks import jobs as messages
from league.operations.work.clock import database_now
from tests.faults import grip, sizes
from tests.faults.machines import Machines, wait_for

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]


def test_a_worker_killed_in_a_slice(machines: Machines) -> None:
    Seat.objects.filter(pk=Seat.objects.earliest("pk").pk).update(points=F("points") + 1)
    with grip.holding(machines.database, grip.SEATS) as lock:
        job = enqueue("verification", now=database_now())
        machines.send(messages.work_on_job.name, job.pk)
        name = lock.caught()
        job.refresh_from_db()
        assert (job.steps, job.attempts) == (1, 1)
        machines.kill(name)
        lock.cut()
    time.sleep(2 * sizes.LOST.total_seconds())
    machines.send(messages.tick.name, "verification")
    wait_for(lambda: not Job.objects.open().exists(), "the end of the verification")
    noted = Check.objects.get()
    assert not noted.ok
    assert noted.summary.startswith("Seat ")
