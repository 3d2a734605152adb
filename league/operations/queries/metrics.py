"""Numbers about the whole installation for a monitoring program. They have no names of people or clubs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.db.models import Count, Max, Min, Q

from league.models import Check, Club, Job, Notification, Run
from league.models.check import CheckKind
from league.models.job import JobState
from league.models.notification import NotificationState

REPORTED_STATES = (JobState.WAITING, JobState.RUNNING, JobState.FAILED)


@dataclass(frozen=True)
class Metrics:
    jobs: dict[tuple[str, str], int]  # by kind and state
    oldest_waiting: dict[str, float]  # seconds since the oldest waiting job was due, by kind; 0 if none is due
    emails_waiting: int
    last_night: datetime | None  # end of the last successful nightly run
    last_backup: datetime | None  # end of the last successful backup
    database_bytes: int
    clubs: int


def read_metrics(kinds: list[str], now: datetime) -> Metrics:
    """Return the metrics of the installation. `kinds` are the names of all kinds of jobs: a kind without jobs has 0."""
    jobs = {(kind, state.value): 0 for kind in kinds for state in REPORTED_STATES}
    oldest = dict.fromkeys(kinds, 0.0)
    rows = Job.objects.filter(state__in=REPORTED_STATES, kind__in=kinds).order_by().values_list("kind", "state")
    for kind, state, count, due_at in rows.annotate(count=Count("pk"), first=Min("due_at")):
        jobs[kind, state] = count
        if state == JobState.WAITING:
            oldest[kind] = max((now - due_at).total_seconds(), 0.0)
    good_night = Q(trigger=Run.Trigger.NIGHT, state=Run.State.DONE)
    return Metrics(
        jobs=jobs,
        oldest_waiting=oldest,
        emails_waiting=Notification.objects.filter(state=NotificationState.WAITING).count(),
        last_night=Run.objects.aggregate(last=Max("finished_at", filter=good_night))["last"],
        last_backup=Check.objects.filter(kind=CheckKind.BACKUP, ok=True).aggregate(last=Max("ended_at"))["last"],
        database_bytes=_database_bytes(),
        clubs=Club.objects.filter(delete_at=None).count(),
    )


def _database_bytes() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_database_size(current_database())")
        row = cursor.fetchone()
    return int(row[0])
