"""A worker killed with -9 in the middle of a list of results: nothing of it is there, and another brings it in."""

from __future__ import annotations

import pytest
from django.utils import timezone

from league.actions import imports
from league.models import Job, Table
from league.models.job import JobState
from league.models.rights import Role
from league.operations.tasks import jobs as tasks
from league.operations.work.verification import verify
from tests.build import a_club, a_member, a_season
from tests.faults import grip
from tests.faults.machines import Machines, wait_for
from tests.readers import user_of

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

LIST = """Date;Player 1;Player 2;Player 3;Player 4;Taker;Contract;Oudlers;Points
2024-01-05;Anne Roy;Bob Gros;Cy Mince;Dan Fort;Cy;Petite;2;43
;;;;;Anne;Garde;1;56
"""
COLUMNS = {
    "taker": 5,
    "contract": 6,
    "oudlers": 7,
    "points": 8,
    "day": 0,
    **{f"player.{n}": n for n in range(1, 5)},
}
DEALS = "LOCK TABLE league_deal IN EXCLUSIVE MODE"  # its tables and seats are written, its deals are not


def test_a_worker_killed_in_the_middle_of_a_list(machines: Machines) -> None:
    before = Table.objects.count()
    club = a_club()
    job = imports.request_result_import(
        a_season(club),
        user=user_of(a_member(club, Role.ADMIN)),
        deals=True,
        text=LIST,
        columns={f"column-{name}": str(place) for name, place in COLUMNS.items()},
        answers={},
        accept_other_points=False,
        now=timezone.now(),
    )
    with grip.holding(machines.database, DEALS) as lock:
        machines.send(tasks.work_on_job.name, job.pk)
        name = lock.caught()
        machines.kill(name)
        lock.cut()
    assert Table.objects.count() == before
    job.refresh_from_db()
    assert (job.state, job.attempts) == (JobState.RUNNING, 1)
    Job.objects.update(heartbeat=None)  # as a minute later
    machines.send(tasks.tick.name, "verification")
    wait_for(lambda: not Job.objects.open().exists(), "the list")
    job.refresh_from_db()
    assert (job.state, job.result["new"]) == (JobState.DONE, 1)
    [table] = Table.objects.filter(round__evening__season__club=club)
    assert table.recorded == 2
    assert list(verify()) == []
