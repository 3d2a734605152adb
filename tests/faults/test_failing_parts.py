"""A part of the night that always fails, and one whose workers always die: each ends, and the others are done."""

from __future__ import annotations

import pytest
from django.utils import timezone

from league.actions import due
from league.actions.jobs import kinds
from league.models import Due, Evening, Run, Season
from players.models import Rating
from tests.faults import grip, played
from tests.faults.machines import Machines, wait_for
from tests.faults.played import GAMES

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

GAME, OTHER = GAMES


def test_a_worker_that_always_dies(machines: Machines) -> None:
    """The process that does the work is killed in the same step each time; the worker itself takes it up again."""
    deaths = 0
    with grip.holding(machines.database, grip.DAY, GAME, played.days(GAME)[7]) as held:
        machines.tick()
        while deaths < kinds()["recompute"].attempts:
            wait_for(lambda: held.waiting() or tick_if_lost(machines), "a worker in the middle")
            if held.waiting():
                machines.kill_in_pool(held.caught())
                held.cut()
                deaths += 1
        wait_for(lambda: played.over() or tick_if_lost(machines), "the time after which it is lost")
        wait_for(played.over, "the run's end")
    run = Run.objects.get()
    assert (run.state, [(row["game"], row["died"]) for row in run.failed]) == (Run.State.FAILED, [(GAME, True)])
    assert [row["game"] for row in run.games] == [OTHER]
    assert [row["season"] for row in run.seasons] == played.seasons()
    assert set(Due.objects.values_list("game", flat=True)) == {GAME}

    Due.objects.update(not_before=timezone.now())  # the next night
    machines.tick()
    wait_for(lambda: Run.objects.count() == 2 and played.over(), "the next run's end")
    assert Run.objects.latest("pk").state == Run.State.DONE
    assert played.wrong_rows() == []


def tick_if_lost(machines: Machines) -> bool:
    """Tick once what was begun may be taken for lost; whether it was."""
    if played.given_up():
        machines.tick()
        return True
    return False


def test_a_part_that_always_fails(machines: Machines) -> None:
    """A season's game is none that there is: its ratings can't be computed, night after night."""
    season = Season.objects.filter(game=GAME).latest("pk")
    Season.objects.filter(pk=season.pk).update(game="bridge")
    Due.objects.filter(game=GAME, date__in=season.evenings.values("date")).update(game="bridge")
    for night in range(1, 4):
        machines.tick()
        wait_for(lambda: Run.objects.count() == night and played.over(), "the run's end")  # noqa: B023
        run = Run.objects.latest("pk")
        assert (run.state, [row["game"] for row in run.failed]) == (Run.State.FAILED, ["bridge"])
        assert set(Due.objects.values_list("game", flat=True)) == {"bridge"}
        Due.objects.update(not_before=timezone.now())
    first = Run.objects.earliest("pk")
    assert [row["season"] for row in first.seasons] == played.seasons()
    assert set(Rating.objects.values_list("game", flat=True)) == set(GAMES)

    Season.objects.filter(pk=season.pk).update(game=GAME)
    Due.objects.all().delete()
    for evening in Evening.objects.filter(season=season).select_related("season"):
        due.mark_evening(evening, not_before=timezone.now(), why=Due.Why.CLOSED)
    machines.tick()
    wait_for(lambda: Run.objects.count() == 4 and played.over(), "the next run's end")
    assert played.wrong_rows() == []
