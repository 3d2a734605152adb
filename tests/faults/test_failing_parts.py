"""A part of a run that always fails, and one whose workers always die: both end, and the others are computed."""

from __future__ import annotations

import pytest
from django.utils import timezone

from league.actions import pending_recomputes
from league.actions.jobs import job_kinds
from league.models import Evening, PendingRecompute, Run, Season
from players.models import Rating
from tests.faults import grip, played
from tests.faults.machines import Machines, wait_for
from tests.faults.played import GAMES

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

GAME, SECOND_GAME = GAMES


def test_a_worker_that_always_dies(machines: Machines) -> None:
    """The pool's process is killed in the same step each time; the worker itself starts it again."""
    deaths = 0
    with grip.holding(machines.database, grip.DAY, GAME, played.days(GAME)[7]) as lock:
        machines.tick()
        while not played.over():
            wait_for(lambda: lock.waiting() or played.over() or tick_if_lost(machines), "a worker in the middle")
            if lock.waiting():
                machines.kill_in_pool(lock.caught())
                lock.cut()
                deaths += 1
    assert deaths == job_kinds()["recompute"].attempts
    run = Run.objects.get()
    assert (run.state, [(row["game"], row["died"]) for row in run.failed]) == (Run.State.FAILED, [(GAME, True)])
    assert [row["game"] for row in run.games] == [SECOND_GAME]
    assert [row["season"] for row in run.seasons] == played.seasons()
    assert set(PendingRecompute.objects.values_list("game", flat=True)) == {GAME}

    PendingRecompute.objects.update(not_before=timezone.now())  # the next night
    machines.tick()
    wait_for(lambda: Run.objects.count() == 2 and played.over(), "the next run's end")
    assert Run.objects.latest("pk").state == Run.State.DONE
    assert played.wrong_rows() == []


def tick_if_lost(machines: Machines) -> bool:
    """Tick if all unfinished jobs may be treated as lost; return whether it did."""
    if played.given_up():
        machines.tick()
        return True
    return False


def test_a_part_that_always_fails(machines: Machines) -> None:
    """The game of a season is unknown, so each run fails to compute its ratings."""
    season = Season.objects.filter(game=GAME).latest("pk")
    Season.objects.filter(pk=season.pk).update(game="bridge")
    PendingRecompute.objects.filter(game=GAME, date__in=season.evenings.values("date")).update(game="bridge")
    for night in range(1, 4):
        machines.tick()
        wait_for(lambda: Run.objects.count() == night and played.over(), "the run's end")  # noqa: B023
        run = Run.objects.latest("pk")
        assert (run.state, [row["game"] for row in run.failed]) == (Run.State.FAILED, ["bridge"])
        assert set(PendingRecompute.objects.values_list("game", flat=True)) == {"bridge"}
        PendingRecompute.objects.update(not_before=timezone.now())
    first = Run.objects.earliest("pk")
    assert [row["season"] for row in first.seasons] == played.seasons()
    assert set(Rating.objects.values_list("game", flat=True)) == set(GAMES)

    Season.objects.filter(pk=season.pk).update(game=GAME)
    PendingRecompute.objects.all().delete()
    for evening in Evening.objects.filter(season=season).select_related("season"):
        pending_recomputes.mark_evening_for_recompute(
            evening, not_before=timezone.now(), why=PendingRecompute.Reason.CLOSED
        )
    machines.tick()
    wait_for(lambda: Run.objects.count() == 4 and played.over(), "the next run's end")
    assert played.wrong_rows() == []
