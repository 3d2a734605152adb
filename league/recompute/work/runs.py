"""Runs: one recomputes all that is due, in jobs that each compute some seasons or a game (steps.py).

A job that fails stops no other; the `Due` rows that asked for it wait for the next night.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from time import monotonic, sleep
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Min, Q, QuerySet
from structlog.contextvars import bound_contextvars

from league.actions import audit
from league.actions.due import MOMENT, last_night, mark_game, mark_season, next_night
from league.actions.jobs import Cancelled, kinds
from league.messages import send_tick
from league.models import Due, Job, PlayerStatistics, Run, Season, SeasonRecord, Standing, versions
from league.models.job import CLOCK_ERROR, OPEN, JobQuerySet, JobState
from league.operations.work import jobs
from league.operations.work.alarm import after_failure
from league.operations.work.clock import Clock
from league.operations.work.heartbeat_url import call_if_healthy
from league.operations.work.jobs import TROUBLES, OtherArithmetic, Outcome, WorkerDied
from league.recompute.work import old_changes
from league.recompute.work.movements import forget
from league.recompute.work.steps import arithmetic_version
from players.models import RatingDay

KIND: Final = "recompute"
SLICE = 25  # seasons of a job: each costs some thirty statements, and takes memory as a stretch of ratings does
FIRST_NIGHT: Final = timedelta(hours=1)  # after its hour the first nightly run may begin so late
PATIENCE = 600.0  # seconds that a command waits for the run of somebody else
LONGEST_WAIT = timedelta(days=2)  # of a mark: the next night is never so far
# What is due by these doesn't wait for the night: an evening is over; something was corrected or decided.
CLOSINGS = {Due.Why.CLOSED, Due.Why.REOPENED}
CHANGES = {
    *(Due.Why.RECORDED, Due.Why.REVISED, Due.Why.VOIDED, Due.Why.TOTALS, Due.Why.SEATS, Due.Why.FINISHED),
    *(Due.Why.HOUSE_RULES, Due.Why.STANDINGS_RULES, Due.Why.ADJUSTED, Due.Why.MERGED, Due.Why.REPAIRED),
    Due.Why.ARITHMETIC,
}


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


def schedule(now: datetime, trigger: Run.Trigger | None = None) -> None:
    """Open a run if something is due, or if the night's run has not begun; end one whose worker died at its end."""
    if trigger is None and _night_is_due(now):
        trigger = Run.Trigger.NIGHT
    if run := _running() or _open(trigger, now):
        close(run.pk, now)


def _night_is_due(now: datetime) -> bool:
    """Return whether no nightly run began since tonight's hour. The first one waits for its hour."""
    night = last_night(now)
    last = Run.objects.filter(trigger=Run.Trigger.NIGHT).order_by("-pk").first()
    if last is None:
        return now - night < FIRST_NIGHT
    return not night <= last.started_at <= now + CLOCK_ERROR


def run(trigger: Run.Trigger, *, now: datetime, everything: bool = False) -> Run:
    """Compute what is due at `now`, or every season and game, in this process, and say what it did.

    Helps a run that is at work to its end first; raises Claimed if that takes too long. An error of one of its jobs is
    raised once all the others are done.
    """
    clock, patience = Clock(now), monotonic() + PATIENCE
    mine: Run | None = None
    errors: list[Exception] = []
    while not (mine and close(mine.pk, clock.now())):
        this = _running()
        if this is None:
            this = mine = _open(trigger, now, everything=everything)
        if this is None:  # another process was faster
            continue
        jobs.claim(kinds()[KIND], clock.now())
        parts = list(_parts(this.pk).open().order_by("pk").values_list("pk", flat=True))
        outcomes = []
        for part in parts if mine else reversed(parts):  # a helper begins at the other end
            try:
                outcomes.append(jobs.work(part, now=clock.now(), seconds=PATIENCE))
            except TROUBLES:
                raise
            except Exception as error:  # noqa: BLE001 (its run stores it, and the other jobs continue)
                outcomes.append(Outcome.DONE)
                errors += [error] * bool(mine)
        if not parts:
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
    """Close a run whose jobs have all ended; return whether it is over."""
    if _parts(pk).open().exists():
        return False
    with transaction.atomic():
        this = Run.objects.select_for_update(no_key=True).get(pk=pk)
        if this.state != Run.State.RUNNING:
            return True
        parts = list(_parts(pk).order_by("pk"))
        if any(part.state in OPEN for part in parts):
            return False
        done = [part for part in parts if part.state == JobState.DONE]
        failed = [part for part in parts if part.state != JobState.DONE]
        this.seasons = [row for part in parts if not part.payload["game"] for row in part.result.get("rows", ())]
        this.games = [row for part in done if part.payload["game"] for row in part.result["rows"]]
        this.failed = [row for part in failed for row in _failures(part)]
        this.error = "\n".join(dict.fromkeys(part.error for part in failed))
        this.state = Run.State.FAILED if failed else Run.State.DONE
        this.finished_at = max(now, this.started_at)
        this.save()
        _parts(pk).filter(state=JobState.DONE).delete()
        forget(min(now, this.started_at))
        old_changes.forget(now)
    if this.trigger == Run.Trigger.NIGHT:
        audit.remove_old_addresses(now)
    if this.failed:
        after_failure(this)
    elif this.trigger == Run.Trigger.NIGHT:
        call_if_healthy(now)
    return True


def _parts(run: int) -> JobQuerySet:
    parts: JobQuerySet = Job.objects.filter(kind=KIND, payload__run=run)
    return parts


def _running() -> Run | None:
    """Return the run that is at work: the constraint lets it be one."""
    return Run.objects.filter(state=Run.State.RUNNING).first()


def _open(trigger: Run.Trigger | None, now: datetime, *, everything: bool = False) -> Run | None:
    """Open a run, and split it into jobs: slices of seasons, and games.

    None if another was opened first; without a trigger, also if nothing is due.
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
        _split(this, now, everything=everything)
    return this


def _split(this: Run, now: datetime, *, everything: bool) -> None:
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
    for job in Job.objects.failed().filter(kind=KIND):  # this run computes it again
        if job.payload["game"] in games or (seasons.issuperset(job.payload["seasons"]) and not job.payload["game"]):
            job.delete()
    ordered = sorted(seasons)
    for start in range(0, len(ordered), SLICE):
        some = ordered[start : start + SLICE]
        _add_part(this.pk, now, seasons=some, dues=[due.pk for due in dues if due.season_id in some])
    for game, since in sorted(games.items()):
        _add_part(this.pk, now, game=game, since=since, dues=[due.pk for due in dues if due.game == game])
    this.due = [_due(due) for due in dues]
    this.save(update_fields=["due"])


def _add_part(
    run: int,
    now: datetime,
    *,
    seasons: Sequence[int] = (),
    game: str = "",
    since: date | None = None,
    dues: Sequence[int],
    arithmetic: int | None = None,
) -> None:
    """Add a job without a message: the tick that opened the run sends it, or the command works on it itself."""
    Job.objects.create(
        kind=KIND,
        key=f"game {game}" if game else f"seasons {seasons[0]}-{seasons[-1]}",
        payload={
            "run": run,
            "seasons": list(seasons),
            "game": game,
            "since": since and since.isoformat(),
            "dues": list(dues),
            "arithmetic": arithmetic_version(game) if arithmetic is None else arithmetic,
        },
        created_at=now,
        due_at=now,
    )


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


def on_failure(job: Job, error: Exception, now: datetime) -> bool:
    """Leave what is still due to the next night; split several seasons into one job each, so that one fails alone."""
    payload = job.payload
    is_to_split = not isinstance(error, (*TROUBLES, OtherArithmetic, Cancelled))
    if is_to_split and len(payload["seasons"]) > 1:
        marks: dict[int | None, list[int]] = defaultdict(list)
        for mark, season in Due.objects.filter(pk__in=payload["dues"]).order_by("pk").values_list("pk", "season"):
            marks[season].append(mark)
        for season in payload["seasons"]:
            _add_part(payload["run"], now, seasons=[season], dues=marks[season], arithmetic=payload["arithmetic"])
        return True
    if not isinstance(error, OtherArithmetic):
        Due.objects.filter(pk__in=payload["dues"]).update(not_before=next_night(now))
    job.progress["died"] = isinstance(error, WorkerDied)
    return False


def on_end(job: Job, now: datetime) -> None:
    run = job.payload["run"]
    with bound_contextvars(run=run):
        close(run, now)


def on_retry(job: Job, now: datetime) -> None:
    """Have the next tick open a run for what the job left due."""
    Due.objects.filter(pk__in=job.payload["dues"]).update(not_before=now)
    transaction.on_commit(send_tick)


def _failures(part: Job) -> list[dict[str, object]]:
    """Return what a run stores of a job that failed: a row a season, or the game's."""
    what: dict[str, object] = {
        "game": part.payload["game"],
        "error": part.error,
        "died": part.progress.get("died", False),
    }
    if what["game"]:
        return [{"season": None, "club": None, "name": "", **what}]
    seasons = Season.objects.filter(pk__in=part.payload["seasons"]).order_by("pk")
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
