"""The night: a Run, the tasks that it is cut into, and its end. What a task does is in steps.py.

What is due stands in the database, and so does how far a run is: messages only say that there is something to do. A
task that fails ends as failed, and stops no other: its marks wait for the next night.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date, datetime, timedelta
from time import monotonic, sleep
from traceback import format_exception_only

from django.db import IntegrityError, connection, transaction
from django.db.models import Min, Q, QuerySet
from structlog.contextvars import bound_contextvars

from league.actions.due import MOMENT, mark_game, mark_season, next_night
from league.models import Due, PlayerStatistics, Run, RunTask, Season, SeasonRecord, Standing, versions
from league.operations.work.alarm import after_failure
from league.operations.work.clock import Clock
from league.operations.work.heartbeat_url import call_if_healthy
from league.recompute.work import old_changes
from league.recompute.work.movements import forget
from league.recompute.work.steps import TROUBLES, Outcome, WorkerDied, own_arithmetic, work
from players.models import RatingDay

SLICE = 25  # seasons of a task: each costs some thirty statements, and takes memory as a stretch of ratings does
LOST = timedelta(seconds=60)  # without a step, after which a task is handed out again
PATIENCE = 600.0  # seconds that a command waits for the run of somebody else
LONGEST_WAIT = timedelta(days=2)  # of a mark: the next night is never so far
# What is due by these doesn't wait for the night: an evening is over; something was corrected or decided.
CLOSINGS = {Due.Why.CLOSED, Due.Why.REOPENED}
CHANGES = {
    *(Due.Why.RECORDED, Due.Why.REVISED, Due.Why.VOIDED, Due.Why.TOTALS, Due.Why.SEATS, Due.Why.FINISHED),
    *(Due.Why.HOUSE_RULES, Due.Why.STANDINGS_RULES, Due.Why.ADJUSTED, Due.Why.MERGED, Due.Why.REPAIRED),
    Due.Why.ARITHMETIC,
}
TROUBLE = timedelta(hours=1)  # after its run's start, a task fails by trouble of the database as by anything else


class Claimed(Exception):
    """Another run is at work, and has been for too long to wait for it."""


def what_asks(now: datetime) -> Run.Trigger | None:
    """Return what a run at `now` would be for, None if nothing waits whose time has come."""
    whys = set(_ready(now).values_list("why", flat=True))
    if not whys:
        return None
    if Due.Why.BUTTON in whys:
        return Run.Trigger.BUTTON
    if whys & CLOSINGS:
        return Run.Trigger.CLOSING
    return Run.Trigger.CHANGE if whys & CHANGES else Run.Trigger.NIGHT


def tick(now: datetime, trigger: Run.Trigger | None = None) -> list[int]:
    """Return the ids of the tasks that are to be handed out, of the run at work or of a new one if something is due.

    With a trigger a run is opened even when nothing is due: the night says that it was there.
    """
    this = _at_work() or _open(trigger, now)
    if this is None:
        return []
    tasks = _hand_out(this, now)
    close(this.pk, now)
    return tasks


def attempt(pk: int, *, now: datetime, seconds: float) -> Outcome:
    """Work on a task; with the last one the run is closed. What goes wrong is written into the task and raised again.

    Trouble of the database is only raised: the task is given up for lost, and the next tick hands it out again.
    """
    clock = Clock(now)
    found = Run.objects.filter(tasks=pk).values_list("pk", "started_at").first()
    if found is None:
        return Outcome.DONE
    run, started_at = found
    with bound_contextvars(run=run):
        try:
            with connection.wrap_database_errors:  # a COPY raises the driver's own
                outcome = work(pk, clock=clock, seconds=seconds)
        except Exception as error:
            young = timedelta(0) <= clock.now() - started_at <= TROUBLE
            if not (young and isinstance(error, TROUBLES)):
                _fail(pk, error, clock.now())
                close(run, clock.now())
            raise
        if outcome is Outcome.DONE:
            close(run, clock.now())
    return outcome


def run(trigger: Run.Trigger, *, now: datetime, everything: bool = False) -> Run:
    """Compute what is due at `now`, or every season and game, in this process, and say what it did.

    Helps a run that is at work to its end first; raises Claimed if that takes too long. An error of a task of its own
    is raised once all the others are done.
    """
    clock, patience = Clock(now), monotonic() + PATIENCE
    mine: Run | None = None
    errors: list[Exception] = []
    while not (mine and close(mine.pk, clock.now())):
        this = _at_work()
        if this is None:
            this = mine = _open(trigger, now, everything=everything)
        if this is None:  # somebody else was faster
            continue
        _hand_out(this, clock.now())
        tasks = list(this.tasks.unfinished().values_list("pk", flat=True))
        outcomes = []
        for task in tasks if mine else reversed(tasks):  # who helps begins at the other end
            try:
                outcomes.append(attempt(task, now=clock.now(), seconds=PATIENCE))
            except TROUBLES:
                raise
            except Exception as error:  # noqa: BLE001 (its run has it, and the other tasks go on)
                outcomes.append(Outcome.DONE)
                errors += [error] * bool(mine)
        if not tasks:
            close(this.pk, clock.now())
        elif all(outcome in (Outcome.BUSY, Outcome.OTHER) for outcome in outcomes):
            if monotonic() > patience:
                raise Claimed
            sleep(0.1)
    if errors:
        raise errors[0]
    mine.refresh_from_db()
    return mine


def close(pk: int, now: datetime) -> bool:
    """Close a run all of whose tasks are done or failed; whether it is over."""
    if RunTask.objects.filter(run=pk).unfinished().exists():
        return False
    with transaction.atomic():
        this = Run.objects.select_for_update(no_key=True).get(pk=pk)
        if this.state != Run.State.RUNNING:
            return True
        tasks = list(this.tasks.all())
        if not all(task.done or task.error for task in tasks):
            return False
        this.seasons = [row for task in tasks if not task.game for row in task.result]
        this.games = [row for task in tasks if task.game and task.done for row in task.result]
        this.failed = [row for task in tasks if task.error for row in _failures(task)]
        this.error = "\n".join(dict.fromkeys(task.error for task in tasks if task.error))
        this.state = Run.State.FAILED if this.failed else Run.State.DONE
        this.finished_at = max(now, this.started_at)
        this.save()
        this.tasks.all().delete()
        forget(min(now, this.started_at))
        old_changes.forget(now)
    if this.failed:
        after_failure(this)
    elif this.trigger == Run.Trigger.NIGHT:
        call_if_healthy(now)
    return True


def _at_work() -> Run | None:
    """Return the run that is at work: the constraint lets it be one."""
    return Run.objects.filter(state=Run.State.RUNNING).first()


def _hand_out(this: Run, now: datetime) -> list[int]:
    """Take the tasks that nobody was given, or that had no step for a while; a time in the future says nothing."""
    with transaction.atomic():
        silent = Q(touched_at=None) | Q(touched_at__lt=now - LOST) | Q(touched_at__gt=now + LOST)
        found = this.tasks.unfinished().filter(silent).select_for_update(skip_locked=True)
        tasks = []
        for task in found:
            if task.arithmetic == own_arithmetic(task.game):
                tasks.append(task.pk)
            else:  # nobody is left who may do it: a run is done by the arithmetic that opened it, or ends
                task.error = "The arithmetic was changed on the way. All of it is due by the new one."
                task.save()
        RunTask.objects.filter(pk__in=tasks).update(touched_at=now)
    return tasks


def _open(trigger: Run.Trigger | None, now: datetime, *, everything: bool = False) -> Run | None:
    """Open a run, and cut it into tasks: seasons by slices, ratings by game.

    None where another was opened first; without a trigger, also where nothing is due.
    """
    _mark_other_arithmetic(now)
    trigger = trigger or what_asks(now)
    if trigger is None:
        return None
    with transaction.atomic():
        try:
            with transaction.atomic():
                this: Run = Run.objects.create(trigger=trigger, started_at=now)
        except IntegrityError:  # the constraint that lets one be at work
            return None
        _cut(this, now, everything=everything)
    return this


def _cut(this: Run, now: datetime, *, everything: bool) -> None:
    # What was corrected a moment ago comes along: several corrections in a row are one run.
    dues = list(_ready(now, MOMENT).select_related("season").order_by("pk"))
    seasons = {due.season_id for due in dues if due.season_id}
    games = {due.game: date.max for due in dues if due.date}
    for due in dues:
        if due.date:
            games[due.game] = min(games[due.game], due.date)
    if everything:
        seasons = set(Season.objects.values_list("pk", flat=True))
        games = dict.fromkeys(Season.objects.order_by().values_list("game", flat=True).distinct(), date.min)
    for game in games.keys() & _other_games():  # what goes on from another arithmetic would mix two
        games[game] = date.min
    ordered = sorted(seasons)
    for start in range(0, len(ordered), SLICE):
        some = ordered[start : start + SLICE]
        marks = [due.pk for due in dues if due.season_id in some]
        RunTask.objects.create(run=this, seasons=some, dues=marks, arithmetic=own_arithmetic(""))
    for game, since in sorted(games.items()):
        marks = [due.pk for due in dues if due.game == game]
        RunTask.objects.create(run=this, game=game, since=since, dues=marks, arithmetic=own_arithmetic(game))
    this.due = [_due(due) for due in dues]
    this.save(update_fields=["due"])


@transaction.atomic
def _mark_other_arithmetic(now: datetime) -> None:
    """Have everything that another version of the arithmetic computed be computed again, whole; mark it once."""
    marked = Due.objects.filter(why=Due.Why.ARITHMETIC)
    standings = Standing.objects.filter(_other(versions.STANDINGS), season__closing=None).values("season")
    statistics = PlayerStatistics.objects.filter(_other(versions.STATISTICS)).values("season")
    records = SeasonRecord.objects.filter(_other(versions.STATISTICS)).values("season")
    computed = Q(pk__in=standings) | Q(pk__in=statistics) | Q(pk__in=records)
    others = Season.objects.filter(computed).exclude(pk__in=marked.values("season"))
    for season in others.order_by("pk"):
        mark_season(season, not_before=now, why=Due.Why.ARITHMETIC)
    for game in sorted(_other_games() - set(marked.values_list("game", flat=True))):
        first = RatingDay.objects.filter(game=game).aggregate(first=Min("date"))["first"]
        mark_game(game, first, not_before=now, why=Due.Why.ARITHMETIC)


def _other_games() -> set[str]:
    """Return the games of which some ratings are by another arithmetic."""
    others = RatingDay.objects.filter(_other(versions.RATINGS)).order_by()
    return set(others.values_list("game", flat=True).distinct())


def _other(version: int) -> Q:
    return Q(arithmetic__lt=version) | Q(arithmetic__gt=version)  # by its index, which "not equal" would not use


def _ready(now: datetime, moment: timedelta = timedelta(0)) -> QuerySet[Due]:
    """Return what is due at `now` or in a moment; what waits for longer than a night, a clock that was ahead marked."""
    return Due.objects.filter(Q(not_before__lte=now + moment) | Q(not_before__gt=now + LONGEST_WAIT))


@transaction.atomic
def _fail(pk: int, error: Exception, now: datetime) -> None:
    """End a task that can't go on: what its steps did stays, what was still due waits for the next night.

    One of several seasons is cut into one task a season instead, so that no season fails for another.
    """
    task = RunTask.objects.unfinished().select_for_update(skip_locked=True).filter(pk=pk).first()
    if task is None:  # another worker has taken it up
        return
    if len(task.seasons) > 1 and not isinstance(error, TROUBLES):
        of_season: dict[int | None, list[int]] = defaultdict(list)
        for mark, season in Due.objects.filter(pk__in=task.dues).order_by("pk").values_list("pk", "season"):
            of_season[season].append(mark)
        RunTask.objects.bulk_create(
            RunTask(run_id=task.run_id, seasons=[season], dues=of_season[season], arithmetic=task.arithmetic)
            for season in task.seasons
        )
        task.delete()
        return
    Due.objects.filter(pk__in=task.dues).update(not_before=next_night(now))
    task.error = "".join(format_exception_only(error)).strip()
    task.died = isinstance(error, WorkerDied)
    task.save()


def _failures(task: RunTask) -> list[dict[str, object]]:
    """Return what a run keeps of a task that failed: a row a season, or the game's."""
    what: dict[str, object] = {"game": task.game, "error": task.error, "died": task.died}
    if task.game:
        return [{"season": None, "club": None, "name": "", **what}]
    seasons = Season.objects.filter(pk__in=task.seasons).order_by("pk")
    return [{"season": season.pk, "club": season.club_id, "name": season.name, **what} for season in seasons]


def _due(due: Due) -> dict[str, object]:
    return {
        "season": due.season_id,
        "club": due.season.club_id if due.season else None,
        "name": due.season.name if due.season else "",
        "game": due.game,
        "date": due.date.isoformat() if due.date else None,
        "why": due.why,
    }
