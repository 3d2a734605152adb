"""The nightly reset of a public demo: delete all rows and create the demo club again, in one transaction.

Other transactions see the old rows until the end. Visitors' writes are refused meanwhile (league/actions/demo_lock.py),
and other jobs wait for the locks on the tables. A reset that is killed has changed nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final

from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.actions.demo_lock import block_visitor_writes
from league.actions.jobs import JobError, JobKind, TimeSource, enqueue
from league.actions.pending_recomputes import previous_nightly_run
from league.demo import club
from league.models import Check, Club, DemoInstallation, Job, Run
from league.models.job import MAX_CLOCK_ERROR
from league.operations.queries.demo_state import DatabaseState, database_state
from league.operations.work.jobs import JobPostponed
from league.recompute.work import runs

JOB_KIND: Final = "demo"
# Without random letters, so that links to the demo still work on the next day.
DEMO_CLUB_SLUG: Final = "le-petit-au-bout"
RETRY_DELAY: Final = timedelta(minutes=1)  # the next try, if a recompute is in progress
# Rows that migrations create, and the state of the installation. `Job` contains the job of the reset itself.
PERMANENT_MODELS: Final[frozenset[type[Model]]] = frozenset((ContentType, Permission, Check, DemoInstallation, Job))


class NotADemo(JobError):
    """The reset was refused: DEMO is not true, or the database has rows that no demo created."""

    def __init__(self) -> None:
        super().__init__("DEMO is not true, or the database has rows that no demo created: nothing was deleted.")


def schedule_reset(now: datetime) -> None:
    """In demo mode, enqueue the reset if there was none since the last NIGHT_HOUR.

    After a failure, wait until the next night.
    """
    if not settings.DEMO:
        return
    night = previous_nightly_run(now)
    mark = DemoInstallation.objects.first()
    is_recent = mark is not None and night <= mark.filled_at <= now + MAX_CLOCK_ERROR
    if not is_recent and not Job.objects.failed().filter(kind=JOB_KIND, created_at__gte=night).exists():
        enqueue(JOB_KIND, now=now)


def run_reset_job(job: Job, now: TimeSource) -> None:
    reset_demo(now(), job)


@transaction.atomic
def reset_demo(now: datetime, job: Job | None = None) -> None:
    """Delete all rows except PERMANENT_MODELS and `job` (the job of the reset itself), and create the demo club.

    Raise NotADemo, or JobPostponed while a recompute is in progress.
    """
    block_visitor_writes()
    if not settings.DEMO or database_state() is DatabaseState.FOREIGN:
        raise NotADemo
    with _without_triggers():
        if Run.objects.filter(state=Run.State.RUNNING).exists():
            raise JobPostponed(now + RETRY_DELAY)
        for model in _emptied_models():
            _delete_all_rows(model)
        other_jobs = Job.objects.exclude(pk=job.pk) if job else Job.objects.all()
        other_jobs.delete()
    demo_club = club.make_demo_club(timezone.localdate(now), password=None)
    Club.objects.filter(pk=demo_club.pk).update(slug=DEMO_CLUB_SLUG)
    runs.run(Run.Trigger.COMMAND, now=now, everything=True)
    DemoInstallation.objects.update_or_create(defaults={"filled_at": now})


@contextmanager
def _without_triggers() -> Iterator[None]:
    """Disable the triggers that write and protect the history, until the block ends. This also locks the tables.

    PostgreSQL refuses to disable and enable triggers while deferred foreign keys are unchecked.
    """
    tables = [model._meta.db_table for model in _emptied_models() if model is not Session]
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in tables:
            cursor.execute(f'ALTER TABLE "{table}" DISABLE TRIGGER USER')
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        yield
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for table in tables:
            cursor.execute(f'ALTER TABLE "{table}" ENABLE TRIGGER USER')
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def _emptied_models() -> list[type[Model]]:
    models = apps.get_models(include_auto_created=True)
    return [
        model for model in models if model._meta.managed and not model._meta.proxy and model not in PERMANENT_MODELS
    ]


def _delete_all_rows(model: type[Model]) -> None:
    """Delete all rows without Django's collector, which would load them. PostgreSQL checks foreign keys afterwards."""
    with connection.cursor() as cursor:
        cursor.execute(f'DELETE FROM "{model._meta.db_table}"')  # noqa: S608  the name of a model's table


JOB_DEFINITION: Final = JobKind(
    name=JOB_KIND, label=_("Reset of the demo"), work=run_reset_job, schedule=schedule_reset
)
