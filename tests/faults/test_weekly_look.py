"""The weekly look through everything stored, its worker killed with -9 in a slice: the next tick has the rest done."""

from __future__ import annotations

import time

import pytest
from django.db.models import F

from league.models import Check, Seat, Verification
from league.operations.tasks.verification import verify_tick, weekly_verify
from tests.faults import grip, sizes
from tests.faults.machines import Machines, wait_for

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]


def test_a_worker_killed_in_a_slice(machines: Machines) -> None:
    Seat.objects.filter(pk=Seat.objects.earliest("pk").pk).update(points=F("points") + 1)
    with grip.holding(machines.database, grip.SEATS) as held:
        machines.send(weekly_verify.name)
        name = held.caught()
        before = Verification.objects.get()
        assert (before.done, before.tries) == (1, 1)
        machines.kill(name)
        held.cut()
    time.sleep(2 * sizes.LOST.total_seconds())
    machines.send(verify_tick.name)
    wait_for(lambda: not Verification.objects.exists(), "the end of the look")
    noted = Check.objects.get()
    assert not noted.ok
    assert noted.summary.startswith("Seat ")
