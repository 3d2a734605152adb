"""A worker killed with -9 in the middle of a list of results: nothing of it is there, and another brings it in."""

from __future__ import annotations

import pytest
from django.utils import timezone

from league.actions import result_imports
from league.imports import tasks
from league.models import ResultImport, Table
from league.models.result_import import ImportState
from league.models.rights import Role
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
CHOSEN = {"taker": 5, "contract": 6, "oudlers": 7, "points": 8, "day": 0, **{f"player.{n}": n for n in range(1, 5)}}
DEALS = "LOCK TABLE league_deal IN EXCLUSIVE MODE"  # its tables and seats are written, its deals are not


def test_a_worker_killed_in_the_middle_of_a_list(machines: Machines) -> None:
    before = Table.objects.count()
    club = a_club()
    made = result_imports.ask(
        a_season(club),
        by=user_of(a_member(club, Role.ADMIN)),
        deals=True,
        text=LIST,
        chosen={f"column-{name}": str(place) for name, place in CHOSEN.items()},
        answers={},
        as_counted=False,
        now=timezone.now(),
    )
    with grip.holding(machines.database, DEALS) as held:
        machines.send(tasks.bring_in.name, made.pk)
        name = held.caught()
        machines.kill(name)
        held.cut()
    assert Table.objects.count() == before
    made.refresh_from_db()
    assert (made.state, made.attempts) == (ImportState.WAITING, 1)
    machines.send(tasks.tick.name)
    wait_for(lambda: not ResultImport.objects.waiting().exists(), "the list")
    made.refresh_from_db()
    assert (made.state, made.new) == (ImportState.DONE, 1)
    [table] = Table.objects.filter(round__evening__season__club=club)
    assert table.recorded == 2
    assert list(verify()) == []
