"""What Celery calls. A task takes nothing but its trigger, starts from stored facts, and may run twice."""

from __future__ import annotations

import structlog
from celery import shared_task
from django.utils import timezone

from players import nightly
from players.models import Run

log = structlog.get_logger(__name__)


@shared_task(name="players.tasks.night")
def night() -> int | None:
    """The nightly run: everything, due or not. Answers the Run's id."""
    return _run(Run.Trigger.NIGHT, everything=True)


@shared_task(name="players.tasks.tick")
def tick() -> int | None:
    """Run if something is due; cheap when nothing is."""
    trigger = nightly.what_asks(timezone.now())
    return _run(trigger) if trigger else None


def _run(trigger: Run.Trigger, *, everything: bool = False) -> int | None:
    try:
        done = nightly.run(trigger, now=timezone.now(), everything=everything)
    except nightly.Claimed:
        log.info("run_claimed_elsewhere", trigger=trigger)
        return None
    log.info("run_done", run=done.pk, trigger=trigger)
    return done.pk
