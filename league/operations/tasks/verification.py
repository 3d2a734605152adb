"""What Celery calls beside the nights: the weekly look through everything stored, by messages in a queue of its own."""

from __future__ import annotations

import structlog
from celery import shared_task

from league.models import Verification
from league.operations.work import weekly_verification
from league.operations.work.alarm import tell_of_differences
from league.operations.work.clock import Clock, database_now
from league.operations.work.weekly_verification import MessageEnd

log = structlog.get_logger(__name__)


@shared_task(name="league.operations.tasks.verification.weekly_verify")
def weekly_verify() -> int:
    """Begin to derive every stored number again, or go on with it. Answers how many differ so far."""
    weekly_verification.begin(database_now())
    return verify_slices()


@shared_task(name="league.operations.tasks.verification.verify_slices")
def verify_slices() -> int:
    """Look at as many slices as a message may; at the end log what differs, and write to the admins."""
    clock = Clock(database_now())
    outcome = weekly_verification.go_on(clock=clock, seconds=weekly_verification.MESSAGE)
    if outcome is MessageEnd.MORE:
        verify_slices.delay()
    under_way = Verification.objects.first()
    if not under_way:
        return 0
    if outcome is MessageEnd.LOOKED:
        for row in under_way.found:
            log.error("difference", **{name: text for name, text in row.items() if name != "says"})
        if under_way.number:
            tell_of_differences([row["says"] for row in under_way.found], under_way.number)
        weekly_verification.close(clock.now())
    return under_way.number


@shared_task(name="league.operations.tasks.verification.verify_tick")
def verify_tick() -> None:
    """Go on with a look whose message was lost, or whose worker was killed; cheap where there is none."""
    if weekly_verification.is_lost(database_now()):
        verify_slices.delay()


# Messages of the release before may still be in a queue. These names go with the next release.
shared_task(name="league.monitoring.tasks.weekly_verify")(weekly_verify.run)
shared_task(name="league.monitoring.tasks.verify_slices")(verify_slices.run)
shared_task(name="league.monitoring.tasks.verify_tick")(verify_tick.run)
