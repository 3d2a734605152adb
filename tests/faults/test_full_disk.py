"""A full disk under PostgreSQL in the middle of a run."""

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
    """Fill the tmpfs of the data, if one can be mounted; else limit the files written for a worker to a byte.

    The output shows which. In both cases the run needs space: it corrects every date, and writes new row versions.
    """
    database, machines = installation
    runs.run(Run.Trigger.NIGHT, now=timezone.now())
    played.correct()
    first = Run.objects.get()
    with grip.holding(database.url, grip.OLD_DAY, GAME, played.days(GAME)[7]) as lock:
        machines.tick()
        name = lock.caught()
        assert played.halfway()
        before = parts(game=GAME).get().progress.get("done_until")
        assert before
        print(f"Full: {database.fill(name)}")
    wait_for(
        lambda: any(message in database.read_log() + machines.log_of(name) for message in NO_SPACE),
        "a write without space",
    )
    wait_for(lambda: database.has_ended() or not grip.at_work(), "the end of its transaction")
    print(f"Still there: {not database.has_ended()}")
    connection.close()
    database.give_back()
    assert Job.objects.open().filter(payload__game=GAME, progress__done_until__gte=before).exists()
    assert played.halfway()

    wait_for(played.given_up, "the time after which it is lost")
    machines.tick()
    wait_for(played.over, "the run's end")
    assert Run.objects.exclude(pk=first.pk).get().state == Run.State.DONE
    assert played.wrong_rows() == []
