"""Recompute runs. A run computes all pending work (`PendingRecompute` rows) in jobs; a job computes some seasons, or
one game (steps.py).

A failed job does not stop the others. Its `PendingRecompute` rows wait for the next night.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from time import monotonic, sleep
from typing import Final

from django.db import IntegrityError, connection, transaction
from django.db.models import Min, Q, QuerySet
from structlog.contextvars import bound_contextvars

from league.actions import audit
from league.actions.jobs import JobCancelled, job_kinds
from league.actions.pending_recomputes import (
    CORRECTION_DELAY,
    mark_game,
    mark_season,
    next_nightly_run,
    previous_nightly_run,
)
from league.messages import send_tick
from league.models import (
    ClubChange,
    Job,
    PendingRecompute,
    PlayerStatistics,
    Run,
    Season,
    SeasonRecord,
    Standing,
    versions,
)
from league.models.club_change import ALL_CLUBS_ID
from league.models.job import MAX_CLOCK_ERROR, OPEN_STATES, JobQuerySet, JobState
from league.operations.work import jobs
from league.operations.work.alarm import report_failure
from league.operations.work.clock import Clock
from league.operations.work.heartbeat_url import call_heartbeat_url_if_healthy
from league.operations.work.jobs import TRANSIENT_DATABASE_ERRORS, ArithmeticChanged, Outcome, WorkerDied
from league.recompute.work.rank_changes import delete_old_rank_changes
from league.recompute.work.steps import arithmetic_version
from players.models import RatingDay

JOB_KIND: Final = "recompute"
# Each season costs thirty statements; 25 seasons need as much memory as a range of dates of ratings.
SEASONS_PER_JOB = 25
MAX_FIRST_NIGHT_DELAY: Final = timedelta(hours=1)  # longest delay of the first nightly run after its hour
OTHER_RUN_WAIT_SECONDS = 600.0  # seconds that a command waits for the run of another process
# Pending work may start in the next night at the latest. If it may start later than this, a wrong clock marked it.
MAX_WORK_DELAY = timedelta(days=2)
# These reasons do not wait for the night: an evening is closed; facts or rules have changed.
CLOSING_REASONS = {PendingRecompute.Reason.CLOSED, PendingRecompute.Reason.REOPENED}
CHANGE_REASONS = {
    PendingRecompute.Reason.RECORDED,
    PendingRecompute.Reason.REVISED,
    PendingRecompute.Reason.VOIDED,
    PendingRecompute.Reason.TOTALS,
    PendingRecompute.Reason.SEATS,
    PendingRecompute.Reason.FINISHED,
    PendingRecompute.Reason.HOUSE_RULES,
    PendingRecompute.Reason.STANDINGS_RULES,
    PendingRecompute.Reason.ADJUSTED,
    PendingRecompute.Reason.MERGED,
    PendingRecompute.Reason.REPAIRED,
    PendingRecompute.Reason.ARITHMETIC,
}


class RunInProgress(Exception):
    """Another run is in progress, and did not end within the time that a command waits."""


def pending_trigger(now: datetime) -> Run.Trigger | None:
    """Return the trigger of a run that would compute the pending work; None if no work may start yet."""
    whys = set(_pending_work(now).values_list("why", flat=True))
    if not whys:
        return None
    if PendingRecompute.Reason.BUTTON in whys:
        return Run.Trigger.BUTTON
    if whys & CLOSING_REASONS:
        return Run.Trigger.CLOSING
    return Run.Trigger.CHANGE if whys & CHANGE_REASONS else Run.Trigger.NIGHT


def start_due_run(now: datetime, trigger: Run.Trigger | None = None) -> None:
    """Start a run if work is pending, or if the nightly run has not started yet.

    If a run is in progress, no other run starts. If the run in progress has no open jobs, its worker died before it
    closed the run: it is closed here.
    """
    if trigger is None and _nightly_run_is_due(now):
        trigger = Run.Trigger.NIGHT
    if run := _current_run() or _open_run(trigger, now):
        close_run(run.pk, now)


def _nightly_run_is_due(now: datetime) -> bool:
    night = previous_nightly_run(now)
    last = Run.objects.filter(trigger=Run.Trigger.NIGHT).order_by("-pk").first()
    if last is None:
        return now - night < MAX_FIRST_NIGHT_DELAY
    return not night <= last.started_at <= now + MAX_CLOCK_ERROR


def run(trigger: Run.Trigger, *, now: datetime, everything: bool = False) -> Run:
    """Compute pending work (or with `everything` all standings and ratings) in this process. Return the run.

    If a run of another process is in progress, finish its jobs first; raise RunInProgress if that takes too long. If a
    job of the own run fails, its error is raised after the other jobs are done.
    """
    clock, patience = Clock(now), monotonic() + OTHER_RUN_WAIT_SECONDS
    own_run: Run | None = None
    errors: list[Exception] = []
    while not (own_run and close_run(own_run.pk, clock.now())):
        current = _current_run()
        if current is None:
            current = own_run = _open_run(trigger, now, everything=everything)
        if current is None:  # another process has just created a run
            continue
        jobs.claim_jobs(job_kinds()[JOB_KIND], clock.now())
        parts = list(_jobs_of_run(current.pk).open().order_by("pk").values_list("pk", flat=True))
        outcomes = []
        for part in parts if own_run else reversed(parts):  # in another process's run, begin with its last job
            try:
                outcomes.append(jobs.work_on_job(part, now=clock.now(), seconds=OTHER_RUN_WAIT_SECONDS))
            except TRANSIENT_DATABASE_ERRORS:
                raise
            except Exception as error:  # noqa: BLE001 (its run stores it, and the other jobs continue)
                outcomes.append(Outcome.DONE)
                errors += [error] * bool(own_run)
        if not parts:
            close_run(current.pk, clock.now())
        elif all(outcome in (Outcome.BUSY, Outcome.OTHER_VERSION) for outcome in outcomes):
            if monotonic() > patience:
                raise RunInProgress
            sleep(0.1)
    if errors:
        raise errors[0]
    own_run.refresh_from_db()
    return own_run


def close_run(pk: int, now: datetime) -> bool:
    """Close the run if all its jobs have ended. Return whether the run is closed now.

    The outcome is stored in the run, and old rows are deleted. A failure is reported to the installation's admins; a
    successful nightly run calls HEARTBEAT_URL.
    """
    if _jobs_of_run(pk).open().exists():
        return False
    with transaction.atomic():
        current = Run.objects.select_for_update(no_key=True).get(pk=pk)
        if current.state != Run.State.RUNNING:
            return True
        parts = list(_jobs_of_run(pk).order_by("pk"))
        if any(part.state in OPEN_STATES for part in parts):
            return False
        succeeded = [part for part in parts if part.state == JobState.DONE]
        failed = [part for part in parts if part.state != JobState.DONE]
        current.seasons = [row for part in parts if not part.payload["game"] for row in part.result.get("rows", ())]
        current.games = [row for part in succeeded if part.payload["game"] for row in part.result["rows"]]
        current.failed = [row for part in failed for row in _failure_rows(part)]
        current.error = "\n".join(dict.fromkeys(part.error for part in failed))
        current.state = Run.State.FAILED if failed else Run.State.DONE
        current.finished_at = max(now, current.started_at)
        current.save()
        _jobs_of_run(pk).filter(state=JobState.DONE).delete()
        delete_old_rank_changes(min(now, current.started_at))
        delete_outdated_changes(now)
    if current.trigger == Run.Trigger.NIGHT:
        audit.remove_old_ip_addresses(now)
    if current.failed:
        report_failure(current)
    elif current.trigger == Run.Trigger.NIGHT:
        call_heartbeat_url_if_healthy(now)
    return True


def _jobs_of_run(run: int) -> JobQuerySet:
    parts: JobQuerySet = Job.objects.filter(kind=JOB_KIND, payload__run=run)
    return parts


def _current_run() -> Run | None:
    return Run.objects.filter(state=Run.State.RUNNING).first()


def delete_outdated_changes(now: datetime) -> None:
    """Delete old ClubChange rows whose club has a later row. If any was deleted, add a row for all clubs.

    Call it in a transaction. Without the added row, the newest remaining row could be older than a change that was
    committed late.
    """
    if ClubChange.objects.outdated(now).delete()[0]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT league_note_change(%s)", [ALL_CLUBS_ID])


def _open_run(trigger: Run.Trigger | None, now: datetime, *, everything: bool = False) -> Run | None:
    """Create a run with its jobs: one for each group of seasons, one for each game.

    Return None if another process has created a run at the same time, or if there is no trigger and no pending work.
    """
    _mark_outdated(now)
    trigger = trigger or pending_trigger(now)
    if trigger is None:
        return None
    with transaction.atomic():
        try:
            with transaction.atomic():
                new: Run = Run.objects.create(trigger=trigger, started_at=now)
        except IntegrityError:  # the constraint allows only one running run
            return None
        _create_jobs(new, now, everything=everything)
    return new


def _create_jobs(new: Run, now: datetime, *, everything: bool) -> None:
    # Include corrections whose delay is not over yet, so that several corrections are computed by one run.
    pending_recomputes = list(_pending_work(now, CORRECTION_DELAY).select_related("season").order_by("pk"))
    seasons = {row.season_id for row in pending_recomputes if row.season_id}
    games = {row.game: date.max for row in pending_recomputes if row.date}
    for row in pending_recomputes:
        if row.date:
            games[row.game] = min(games[row.game], row.date)
    if everything:
        seasons = set(Season.objects.values_list("pk", flat=True))
        games = dict.fromkeys(Season.objects.order_by().values_list("game_key", flat=True).distinct(), date.min)
    for game in games.keys() & _outdated_games():  # start anew, because a history must not mix two arithmetics
        games[game] = date.min
    for job in Job.objects.failed().filter(kind=JOB_KIND):  # delete failed jobs whose work this run computes again
        if job.payload["game"] in games or (seasons.issuperset(job.payload["seasons"]) and not job.payload["game"]):
            job.delete()
    ordered = sorted(seasons)
    for start in range(0, len(ordered), SEASONS_PER_JOB):
        some = ordered[start : start + SEASONS_PER_JOB]
        _add_job(new.pk, now, seasons=some, pending_pks=[row.pk for row in pending_recomputes if row.season_id in some])
    for game, since in sorted(games.items()):
        _add_job(
            new.pk, now, game=game, since=since, pending_pks=[row.pk for row in pending_recomputes if row.game == game]
        )
    new.due = [_pending_recompute_as_json(row) for row in pending_recomputes]
    new.save(update_fields=["due"])


def _add_job(
    run: int,
    now: datetime,
    *,
    seasons: Sequence[int] = (),
    game: str = "",
    since: date | None = None,
    pending_pks: Sequence[int],
    arithmetic: int | None = None,
) -> None:
    """Create a job without sending a message. The tick that opened the run sends it, or the command works on the job
    itself.
    """
    Job.objects.create(
        kind=JOB_KIND,
        key=f"game {game}" if game else f"seasons {seasons[0]}-{seasons[-1]}",
        payload={
            "run": run,
            "seasons": list(seasons),
            "game": game,
            "since": since and since.isoformat(),
            "dues": list(pending_pks),
            "arithmetic": arithmetic_version(game) if arithmetic is None else arithmetic,
        },
        created_at=now,
        due_at=now,
    )


@transaction.atomic
def _mark_outdated(now: datetime) -> None:
    """Mark seasons and games as pending work if another version of the arithmetic computed their stored results.

    A season or game that is already marked for this reason is left out.
    """
    marked = PendingRecompute.objects.filter(why=PendingRecompute.Reason.ARITHMETIC)
    standings = Standing.objects.filter(_other_version_condition(versions.STANDINGS), season__closing=None).values(
        "season"
    )
    statistics = PlayerStatistics.objects.filter(_other_version_condition(versions.STATISTICS)).values("season")
    records = SeasonRecord.objects.filter(_other_version_condition(versions.STATISTICS)).values("season")
    computed = Q(pk__in=standings) | Q(pk__in=statistics) | Q(pk__in=records)
    outdated = Season.objects.filter(computed).exclude(pk__in=marked.values("season"))
    for season in outdated.order_by("pk"):
        mark_season(season, not_before=now, why=PendingRecompute.Reason.ARITHMETIC)
    for game in sorted(_outdated_games() - set(marked.values_list("game", flat=True))):
        first = RatingDay.objects.filter(game=game).aggregate(first=Min("date"))["first"]
        mark_game(game, first, not_before=now, why=PendingRecompute.Reason.ARITHMETIC)


def _outdated_games() -> set[str]:
    days = RatingDay.objects.filter(_other_version_condition(versions.RATINGS)).order_by()
    return set(days.values_list("game", flat=True).distinct())


def _other_version_condition(version: int) -> Q:
    return Q(arithmetic__lt=version) | Q(arithmetic__gt=version)  # PostgreSQL can't use the index for <>


def _pending_work(now: datetime, delay: timedelta = timedelta(0)) -> QuerySet[PendingRecompute]:
    """Return the pending work that may start at `now` + `delay`.

    Work that may only start after MAX_WORK_DELAY is included, since a wrong clock marked it.
    """
    return PendingRecompute.objects.filter(Q(not_before__lte=now + delay) | Q(not_before__gt=now + MAX_WORK_DELAY))


def on_failure(job: Job, error: Exception, now: datetime) -> bool:
    """Handle the failure of a job. Return True if new jobs replace it.

    If the job has several seasons, each season gets a job of its own, so that only the failing season fails again.
    Otherwise return False, and the work of the job waits for the next night. Jobs are not replaced after an error of
    the database connection, or if they were cancelled. If the arithmetic has changed, the job is not replaced either,
    and its work stays pending without a delay.
    """
    payload = job.payload
    is_to_split = not isinstance(error, (*TRANSIENT_DATABASE_ERRORS, ArithmeticChanged, JobCancelled))
    if is_to_split and len(payload["seasons"]) > 1:
        marks: dict[int | None, list[int]] = defaultdict(list)
        for mark, season in (
            PendingRecompute.objects.filter(pk__in=payload["dues"]).order_by("pk").values_list("pk", "season")
        ):
            marks[season].append(mark)
        for season in payload["seasons"]:
            _add_job(payload["run"], now, seasons=[season], pending_pks=marks[season], arithmetic=payload["arithmetic"])
        return True
    if not isinstance(error, ArithmeticChanged):
        PendingRecompute.objects.filter(pk__in=payload["dues"]).update(not_before=next_nightly_run(now))
    job.progress["died"] = isinstance(error, WorkerDied)
    return False


def on_end(job: Job, now: datetime) -> None:
    run = job.payload["run"]
    with bound_contextvars(run=run):
        close_run(run, now)


def on_retry(job: Job, now: datetime) -> None:
    """Let the job's pending work start now, so that the next tick opens a run for it."""
    PendingRecompute.objects.filter(pk__in=job.payload["dues"]).update(not_before=now)
    transaction.on_commit(send_tick)


def _failure_rows(part: Job) -> list[dict[str, object]]:
    failure: dict[str, object] = {
        "game": part.payload["game"],
        "error": part.error,
        "died": part.progress.get("died", False),
    }
    if failure["game"]:
        return [{"season": None, "club": None, "name": "", **failure}]
    seasons = Season.objects.filter(pk__in=part.payload["seasons"]).order_by("pk")
    return [{"season": season.pk, "club": season.club_id, "name": season.name, **failure} for season in seasons]


def _pending_recompute_as_json(row: PendingRecompute) -> dict[str, object]:
    return {
        "season": row.season_id,
        "club": row.season.club_id if row.season else None,
        "name": row.season.name if row.season else "",
        "game": row.game,
        "date": row.date.isoformat() if row.date else None,
        "why": row.why,
    }
