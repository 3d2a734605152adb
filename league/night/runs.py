"""The night: a Run, the tasks that it is cut into, and its end. What a task does is in night_tasks.py.

What is due stands in the database, and so does how far a run is: messages only say that there is something to do.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from time import monotonic, sleep
from traceback import format_exception_only

from django.db import InterfaceError, InternalError, OperationalError, connection, transaction
from django.utils import timezone
from structlog.contextvars import bound_contextvars

from league.models import Due, Run, RunTask, Season
from league.monitoring.alarm import after_failure
from league.night.ledger import forget
from league.night.steps import Outcome, work

CLAIM = 1_000_004  # the key of the advisory lock: a run is opened by one at a time
SLICE = 50  # seasons of a task: some seconds
LOST = timedelta(seconds=60)  # without a step, after which a task is handed out again
PATIENCE = 600.0  # seconds that a command waits for the run of somebody else
AT_ONCE = {"rules changed", "merged", "repaired"}  # what is due by these doesn't wait for the night
AGAIN = timedelta(minutes=10)  # after a run that failed
# The database was away, cut us off or had no space: no fault of the run's, which goes on where it was.
TROUBLES = (OperationalError, InterfaceError, InternalError)
TROUBLE = timedelta(hours=1)  # after its start, a run fails by these as by anything else, so that somebody hears of it


class Claimed(Exception):
    """Another run is at work, and has been for too long to wait for it."""


def what_asks(now: datetime) -> Run.Trigger | None:
    """What a run at `now` would be for, None if nothing waits whose time has come."""
    whys = set(Due.objects.filter(not_before__lte=now).values_list("why", flat=True))
    if not whys:
        return None
    if "button" in whys:
        return Run.Trigger.BUTTON
    if whys & {"closed", "reopened"}:
        return Run.Trigger.CLOSING
    return Run.Trigger.CHANGE if whys & AT_ONCE else Run.Trigger.NIGHT


def tick(now: datetime, trigger: Run.Trigger | None = None) -> list[int]:
    """The ids of the tasks that are to be handed out: those of a new run if something is due, or lost ones of the last.

    With a trigger a run is opened even when nothing is due: the night says that it was there.
    """
    with transaction.atomic():
        if not _claimed(wait=False):
            return []
        running = Run.objects.filter(state=Run.State.RUNNING).first()
        if running:
            lost = running.tasks.filter(done=False, touched_at__lt=now - LOST).select_for_update(skip_locked=True)
            tasks = list(lost)
            RunTask.objects.filter(pk__in=[task.pk for task in tasks]).update(touched_at=now)
        elif trigger := trigger or _worth_a_try(now):
            running = _open(trigger, now, everything=False)
            tasks = list(running.tasks.all())
        else:
            return []
    close(running.pk)
    return [task.pk for task in tasks]


def attempt(pk: int, *, seconds: float) -> Outcome:
    """Work on a task; with the last one the run is closed. What goes wrong is written into the run and raised again.

    Trouble of the database is only raised: the task is given up for lost, and the next tick hands it out again.
    """
    found = Run.objects.filter(tasks=pk).values_list("pk", "started_at").first()
    if found is None:
        return Outcome.DONE
    run, started_at = found
    with bound_contextvars(run=run):
        try:
            with connection.wrap_database_errors:  # a COPY raises the driver's own
                outcome = work(pk, seconds=seconds)
        except Exception as error:
            if not isinstance(error, TROUBLES) or timezone.now() - started_at > TROUBLE:
                _fail(run, error)
            raise
        if outcome is Outcome.DONE:
            close(run)
    return outcome


def run(trigger: Run.Trigger, *, now: datetime, everything: bool = False) -> Run:
    """Compute what is due at `now`, or every season and game, in this process, and say what it did.

    Helps a run that is at work to its end first; raises Claimed if that takes too long.
    """
    end = monotonic() + PATIENCE
    while True:
        with transaction.atomic():
            _claimed(wait=True)
            this = Run.objects.filter(state=Run.State.RUNNING).first()
            mine = this is None
            if this is None:
                this = _open(trigger, now, everything=everything)
        while not close(this.pk):
            tasks = _undone(this) if mine else _undone(this)[::-1]  # who helps begins at the other end
            outcomes = [attempt(task, seconds=PATIENCE) for task in tasks]
            if all(outcome is Outcome.BUSY for outcome in outcomes):
                if monotonic() > end:
                    raise Claimed
                sleep(0.1)
        if mine:
            this.refresh_from_db()
            return this


def close(pk: int) -> bool:
    """Close a run all of whose tasks are done; whether it is over."""
    with transaction.atomic():
        this = Run.objects.select_for_update(no_key=True).get(pk=pk)
        if this.state != Run.State.RUNNING:
            return True
        tasks = list(this.tasks.all())
        if not all(task.done for task in tasks):
            return False
        this.seasons = [row for task in tasks if not task.game for row in task.result]
        this.games = [row for task in tasks if task.game for row in task.result]
        this.state = Run.State.DONE
        _end(this)
        forget(this.started_at)
    return True


def _claimed(*, wait: bool) -> bool:
    """Whether this transaction alone may open a run."""
    with connection.cursor() as cursor:
        if wait:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [CLAIM])
            return True
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [CLAIM])
        return bool(cursor.fetchone()[0])


def _worth_a_try(now: datetime) -> Run.Trigger | None:
    """What asks for a run, unless the last one failed just now and nobody pressed a button."""
    trigger = what_asks(now)
    last = Run.objects.exclude(finished_at=None).order_by("-finished_at").first()
    failed = last is not None and last.state == Run.State.FAILED and now - (last.finished_at or now) < AGAIN
    return None if failed and trigger != Run.Trigger.BUTTON else trigger


def _open(trigger: Run.Trigger, now: datetime, *, everything: bool) -> Run:
    """A run, and the tasks that it is cut into: seasons by slices, ratings by game."""
    dues = list(Due.objects.filter(not_before__lte=now).select_related("season").order_by("pk"))
    this = Run.objects.create(trigger=trigger, started_at=now, due=[_due(due) for due in dues])
    seasons = {due.season_id for due in dues if due.season_id}
    games = {due.game: date.max for due in dues if due.date}
    for due in dues:
        if due.date:
            games[due.game] = min(games[due.game], due.date)
    if everything:
        seasons = set(Season.objects.values_list("pk", flat=True))
        games = dict.fromkeys(Season.objects.order_by().values_list("game", flat=True).distinct(), date.min)
    ordered = sorted(seasons)
    for start in range(0, len(ordered), SLICE):
        some = ordered[start : start + SLICE]
        marks = [due.pk for due in dues if due.season_id in some]
        RunTask.objects.create(run=this, seasons=some, dues=marks, touched_at=now)
    for game, since in sorted(games.items()):
        marks = [due.pk for due in dues if due.game == game]
        RunTask.objects.create(run=this, game=game, since=since, dues=marks, touched_at=now)
    return this


def _undone(this: Run) -> list[int]:
    return list(this.tasks.filter(done=False).order_by("pk").values_list("pk", flat=True))


def _fail(pk: int, error: Exception) -> None:
    """End a run that can't go on: what its steps did stays, what was still due stays due."""
    with transaction.atomic():
        this = Run.objects.select_for_update(no_key=True).get(pk=pk)
        if this.state != Run.State.RUNNING:
            return
        this.state = Run.State.FAILED
        this.error = "".join(format_exception_only(error)).strip()
        _end(this)
    after_failure(this)


def _end(this: Run) -> None:
    this.finished_at = max(timezone.now(), this.started_at)
    this.save()
    this.tasks.all().delete()


def _due(due: Due) -> dict[str, object]:
    return {
        "season": due.season_id,
        "club": due.season.club_id if due.season else None,
        "name": due.season.name if due.season else "",
        "game": due.game,
        "date": due.date.isoformat() if due.date else None,
        "why": due.why,
    }
