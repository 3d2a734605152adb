"""What Celery calls to send letters, when one was written and each minute."""

from __future__ import annotations

from celery import shared_task

from league.actions import outbox
from league.night.clock import Clock, database_now
from league.outbox.sending import send_unsent, send_waiting


@shared_task(name="league.outbox.tasks.send")
def send() -> None:
    """Send what waits, as much of it as a message may; cheap where nothing does."""
    now = database_now()
    outbox.clear(now)
    left = [send_unsent(clock=Clock(now)), send_waiting(clock=Clock(now))]
    if any(left):
        send.delay()
