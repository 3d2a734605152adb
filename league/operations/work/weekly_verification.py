"""The weekly verification of all stored numbers. Each step of its job is one slice.

A slice that raises an exception, or whose worker always dies, is reported as a difference; the other slices are still
checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Any, Final

import structlog
from django.db import connection

from league.actions.jobs import TimeSource, enqueue
from league.actions.pending_recomputes import previous_nightly_run
from league.models import Check, Job
from league.models.check import CheckKind
from league.models.job import MAX_CLOCK_ERROR
from league.operations.work.alarm import report_differences
from league.operations.work.jobs import TRANSIENT_DATABASE_ERRORS
from league.operations.work.verification import DETAIL_LIMIT, VerificationSlice, check_slice, next_slice, record_outcome
from players.derived_rows import Difference
from players.rating.state import StateArrays

log = structlog.get_logger(__name__)

JOB_KIND: Final = "verification"
MAX_SLICE_ATTEMPTS = 3  # if workers die
MAX_STORED_DIFFERENCES = 1000  # differences that are stored; further differences are only counted
# Delay after the hour of the nightly computation of standings, on Sunday; clubs seldom play on Sunday evening.
VERIFICATION_DELAY = timedelta(minutes=90)
MAX_FIRST_DELAY = timedelta(hours=6)  # the first verification begins at most so long after its regular time


def schedule_verification(now: datetime) -> None:
    """Enqueue the verification if there was none since its last regular time, on Sunday.

    An installation without any verification skips it if the regular time was more than MAX_FIRST_DELAY ago.
    """
    night = previous_nightly_run(now - VERIFICATION_DELAY)
    sunday = night - timedelta(days=night.isoweekday() % 7) + VERIFICATION_DELAY
    since = (sunday, now + MAX_CLOCK_ERROR)
    checks = Check.objects.filter(kind=CheckKind.VERIFY)
    if (
        not Job.objects.filter(kind=JOB_KIND, created_at__range=since).exists()
        and not checks.filter(ended_at__range=since).exists()
        and (now - sunday < MAX_FIRST_DELAY or checks.exists())
    ):
        enqueue(JOB_KIND, now=now)


def verify_slices(job: Job, now: TimeSource) -> Iterator[None]:
    """Job: check a slice in each step; in the last step, report the differences and store the outcome."""
    previous: StateArrays | None = None
    progress = job.progress or {"next": _slice_as_json(VerificationSlice()), "number": 0, "differences": []}
    while progress["next"]:
        current = VerificationSlice(**{**progress["next"], "since": date.fromisoformat(progress["next"]["since"])})
        differences, previous = _differences_or_failure(current, previous, job.attempts)
        later = next_slice(current)
        progress = {
            "next": later and _slice_as_json(later),
            "number": progress["number"] + len(differences),
            "differences": [*progress["differences"], *map(_difference_as_json, differences)][:MAX_STORED_DIFFERENCES],
        }
        job.progress = progress
        yield
    for row in progress["differences"]:
        log.error("difference", **{name: text for name, text in row.items() if name != "text"})
    names, number = [row["text"] for row in progress["differences"]], progress["number"]
    if number:
        report_differences(names, number)
    record_outcome(names[:DETAIL_LIMIT], number, now())
    job.result = {"number": number}


def _differences_or_failure(
    current: VerificationSlice, previous: StateArrays | None, attempts: int
) -> tuple[list[Difference], StateArrays | None]:
    """Check a slice (see `check_slice`). Return an exception as one difference; raise only errors of the database
    connection.

    `attempts` is the number of attempts, including this one. Above MAX_SLICE_ATTEMPTS the worker has died in each
    attempt: return one difference, and do not check the slice again.
    """
    if attempts > MAX_SLICE_ATTEMPTS:
        return [_failure_as_difference(current, f"the worker ended in the middle of it, {attempts - 1} times")], None
    try:
        with connection.wrap_database_errors:  # a COPY raises the driver's own errors
            return check_slice(current, previous)
    except TRANSIENT_DATABASE_ERRORS:
        raise
    except Exception as error:
        log.exception("slice_failed", slice=_slice_as_json(current))
        return [_failure_as_difference(current, f"{type(error).__name__}: {error}")], None


def _failure_as_difference(current: VerificationSlice, reason: str) -> Difference:
    name = ", ".join(f"{part} {value}" for part, value in _slice_as_json(current).items() if value)
    return Difference("Slice", name, "look", reason, "an answer")


def _difference_as_json(difference: Difference) -> dict[str, str]:
    return {**{name: str(value) for name, value in difference._asdict().items()}, "text": str(difference)}


def _slice_as_json(current: VerificationSlice) -> dict[str, Any]:
    return {**current._asdict(), "since": current.since.isoformat()}
