"""A full disk under PostgreSQL in the middle of the night."""

from __future__ import annotations

import pytest
from django.db import connection
from django.utils import timezone

from league.models import Job, Run
from league.recompute.work import runs
from tests.faults import grip, played
from tests.faults.conftest import Installation
from tests.faults.machines import wait_for
from tests.faults.played import GAMES
from tests.run_jobs import parts

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

GAME = GAMES[0]
NO_SPACE = ("No space left on device", "File too large")


def test_a_full_disk(installation: Installation) -> None:
    """The data lie on a small tmpfs where the machine lets us mount one; it is filled to the last byte.

    Elsewhere what PostgreSQL writes for the worker in question may not be longer than a byte. The output says which.
    In both the night needs space: it corrects every date, and lays the new rows beside those that are stored.
    """
    database, machines = installation
    runs.run(Run.Trigger.NIGHT, now=timezone.now())
    played.correct()
    first = Run.objects.get()
    with grip.holding(database.url, grip.OLD_DAY, GAME, played.days(GAME)[7]) as held:
        machines.tick()
        name = held.caught()
        assert played.halfway()
        before = parts(game=GAME).get().progress.get("done_until")
        assert before
        print(f"Full: {database.fill(name)}")
    wait_for(lambda: any(words in database.said() + machines.said(name) for words in NO_SPACE), "a write without space")
    wait_for(lambda: database.ended() or not grip.at_work(), "the end of its transaction")
    print(f"Still there: {not database.ended()}")
    connection.close()
    database.give_back()
    assert Job.objects.open().filter(payload__game=GAME, progress__done_until__gte=before).exists()
    assert played.halfway()

    wait_for(played.given_up, "the time after which it is lost")
    machines.tick()
    wait_for(played.over, "the run's end")
    assert Run.objects.exclude(pk=first.pk).get().state == Run.State.DONE
    assert played.wrong_rows() == []
