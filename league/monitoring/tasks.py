"""What Celery calls beside the nights: the weekly look through everything stored."""

from __future__ import annotations

import structlog
from celery import shared_task

from league.monitoring.alarm import tell_of_differences
from league.night.verification import look_through

log = structlog.get_logger(__name__)


@shared_task(name="league.monitoring.tasks.weekly_verify")
def weekly_verify() -> int:
    """Derive every stored number again; log those that differ, and write to the admins. Answers how many they are."""
    found = look_through()
    for difference in found:
        log.error("difference", **{name: str(value) for name, value in difference._asdict().items()})
    if found:
        tell_of_differences(found)
    return len(found)
