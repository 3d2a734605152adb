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
from league.models.job import CLOCK_ERROR
from league.operations.work.alarm import report_differences
from league.operations.work.jobs import DATABASE_TROUBLES
from league.operations.work.verification import DETAIL_LIMIT, VerificationSlice, check_slice, next_slice, record_outcome
from players.derived_rows import Difference
from players.rating.state import StateArrays

log = structlog.get_logger(__name__)

KIND: Final = "verification"
TRIES = 3  # attempts of a slice, if workers die
MAX_STORED_DIFFERENCES = 1000  # differences that are stored; further differences are only counted
AFTER_NIGHT = timedelta(minutes=90)  # on Sunday morning; clubs seldom play on the evening that follows
MAX_FIRST_DELAY = timedelta(hours=6)  # the first verification begins at most so long after its regular time


def schedule(now: datetime) -> None:
    night = previous_nightly_run(now - AFTER_NIGHT)
    sunday = night - timedelta(days=night.isoweekday() % 7) + AFTER_NIGHT
    since = (sunday, now + CLOCK_ERROR)
    checks = Check.objects.filter(kind=CheckKind.VERIFY)
    if (
        not Job.objects.filter(kind=KIND, created_at__range=since).exists()
        and not checks.filter(ended_at__range=since).exists()
        and (now - sunday < MAX_FIRST_DELAY or checks.exists())
    ):
        enqueue(KIND, now=now)


def verify_slices(job: Job, now: TimeSource) -> Iterator[None]:
    previous: StateArrays | None = None
    progress = job.progress or {"next": _as_json(VerificationSlice()), "number": 0, "differences": []}
    while progress["next"]:
        current = VerificationSlice(**{**progress["next"], "since": date.fromisoformat(progress["next"]["since"])})
        differences, previous = _check(current, previous, job.attempts)
        later = next_slice(current)
        progress = {
            "next": later and _as_json(later),
            "number": progress["number"] + len(differences),
            "differences": [*progress["differences"], *map(_describe, differences)][:MAX_STORED_DIFFERENCES],
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


def _check(
    current: VerificationSlice, previous: StateArrays | None, attempts: int
) -> tuple[list[Difference], StateArrays | None]:
    if attempts > TRIES:
        return [_failure_as_difference(current, f"the worker ended in the middle of it, {attempts - 1} times")], None
    try:
        with connection.wrap_database_errors:  # a COPY raises the driver's own errors
            return check_slice(current, previous)
    except DATABASE_TROUBLES:
        raise
    except Exception as error:
        log.exception("slice_failed", slice=_as_json(current))
        return [_failure_as_difference(current, f"{type(error).__name__}: {error}")], None


def _failure_as_difference(current: VerificationSlice, reason: str) -> Difference:
    name = ", ".join(f"{part} {value}" for part, value in _as_json(current).items() if value)
    return Difference("Slice", name, "look", reason, "an answer")


def _describe(difference: Difference) -> dict[str, str]:
    return {**{name: str(value) for name, value in difference._asdict().items()}, "text": str(difference)}


def _as_json(current: VerificationSlice) -> dict[str, Any]:
    return {**current._asdict(), "since": current.since.isoformat()}
