"""What Celery calls to send letters, when one was written and each minute."""

from __future__ import annotations

from celery import shared_task

from league.actions import outbox
from league.notifications.work.sending import send_unsent, send_waiting
from league.operations.work.clock import Clock, database_now


@shared_task(name="league.notifications.tasks.send")
def send() -> None:
    """Send what waits, as much of it as a message may; cheap where nothing does."""
    now = database_now()
    outbox.clear(now)
    left = [send_unsent(clock=Clock(now)), send_waiting(clock=Clock(now))]
    if any(left):
        send.delay()


# Messages of the release before may still be in a queue. These names go with the next release.
shared_task(name="league.outbox.tasks.send")(send.run)
