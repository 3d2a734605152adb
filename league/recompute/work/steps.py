"""What a worker does for a run: one of its tasks, a step at a time.

A step is one transaction that holds the task's row, writes rows, and says in the same row how far the task is. So it
may be killed at any instant, handed out twice, or go on in another process: each step is done once, and in order.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import date
from enum import Enum
from time import monotonic
from typing import Any, NamedTuple

from django.db import InterfaceError, InternalError, OperationalError, connection, transaction
from django.db.models import F

from league.actions.season_lock import share_seasons
from league.actions.standings import replace_standings, write_counted
from league.evenings.queries.closed_evenings import ClosedEvenings
from league.models import Due, RunTask, Season, versions
from league.operations.work.clock import Clock
from league.ratings.queries import game_ratings
from league.recompute.work import movements
from league.seasons.queries.season_evenings import read_seasons
from league.seasons.queries.season_places import places_of
from players import rating_writer
from players.rating.state import StateArrays
from scoring import registry

LONGEST = 40.0  # seconds of a message's work; after that another message goes on
LOCK_TIMEOUT = "60s"  # that a step waits for a row of somebody else's; then it is tried again later
TRIES = 3  # of a step, after which its task has failed
# The database was away, cut us off or had no space: no fault of the task's, which goes on where it was.
TROUBLES = (OperationalError, InterfaceError, InternalError)


class WorkerDied(Exception):
    """Each worker that began a step ended in the middle of it, as when it needs more memory than there is."""


class Way(NamedTuple):
    """How far a game's ratings are: dates done, what everyone holds after them, and the stretches ahead."""

    until: date | None
    state: StateArrays
    ahead: list[game_ratings.Stretch]


class Outcome(Enum):
    """How a message's work ended."""

    DONE = "done"  # nothing is left of the task
    MORE = "more"  # its time is over
    BUSY = "busy"  # somebody else is at it
    OTHER = "other"  # it was opened by another version of the arithmetic, which alone may do it


def work(pk: int, *, clock: Clock, seconds: float = LONGEST) -> Outcome:
    """Do a task's steps until it is done or the time is over. Whatever a step raises, it has changed nothing."""
    end = monotonic() + seconds
    way: Way | None = None
    read: list[ClosedEvenings] = []
    if left := _begin(pk, clock):
        return left
    while True:
        with _counted(pk), transaction.atomic():
            _limit_waiting()
            task = RunTask.objects.unfinished().select_for_update(skip_locked=True, of=("self",)).filter(pk=pk).first()
            if task is None:
                return _elsewhere(pk)
            if task.game:
                way = _rate(task, way)
                task.done = not way.ahead
            else:
                task.done, read = _stand(task, read)
            if task.done:
                Due.objects.filter(pk__in=task.dues).delete()
            late = monotonic() > end
            task.touched_at, task.tries = clock.now(), 0 if task.done or late else 1
            task.save()
        if task.done:
            return Outcome.DONE
        if late:
            return Outcome.MORE


def _limit_waiting() -> None:
    """Let this transaction end with an OperationalError where it would wait for a lock for too long."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [LOCK_TIMEOUT])


@transaction.atomic
def _begin(pk: int, clock: Clock) -> Outcome | None:
    """Count a try, so that one whose worker dies is not forgotten; what is there to do where nothing is to be begun."""
    task = RunTask.objects.unfinished().select_for_update(skip_locked=True).filter(pk=pk).first()
    if task is None:
        return _elsewhere(pk)
    if task.arithmetic != own_arithmetic(task.game):
        return Outcome.OTHER
    if task.tries >= TRIES:
        raise WorkerDied(f"the worker ended in the middle of the same step, {task.tries} times")
    task.tries, task.touched_at = task.tries + 1, clock.now()
    task.save()
    return None


@contextmanager
def _counted(pk: int) -> Iterator[None]:
    """A step that trouble of the database ends was not tried: no worker has died."""
    try:
        yield
    except TROUBLES:
        with suppress(*TROUBLES):
            RunTask.objects.filter(pk=pk, tries__gt=0).update(tries=F("tries") - 1)
        raise


def _elsewhere(pk: int) -> Outcome:
    """Return what became of a task that can't be claimed."""
    return Outcome.BUSY if RunTask.objects.unfinished().filter(pk=pk).exists() else Outcome.DONE


def own_arithmetic(game: str) -> int:
    """Return the version of the arithmetic by which this process computes ratings; without a game, standings."""
    return versions.RATINGS if game else versions.STANDINGS


@contextmanager
def _collecting_nothing() -> Iterator[None]:
    """Let nobody look for circles of garbage: seasons are made of very many values, and none of them refers back."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@_collecting_nothing()
def _stand(task: RunTask, read: list[ClosedEvenings]) -> tuple[bool, list[ClosedEvenings]]:
    """Write the standings of some seasons, and in a second step statistics and records; whether that was the last.

    The standings of those that are closed are frozen. The second step goes by what the first one has `read`, unless
    another process did that: what is written meanwhile makes the season due again.
    """
    not_frozen = Season.objects.not_frozen().in_bulk(task.seasons)
    if task.result or not not_frozen:
        known = Season.objects.filter(pk__in=task.seasons, game__in=registry.slugs())
        write_counted(list(known), read)
        return True, []
    read = read_seasons(not_frozen.values())
    computed = places_of(not_frozen.values(), read=read)
    # One that was closed meanwhile keeps what it was closed with.
    places = {pk: computed[pk] for pk in share_seasons(computed)}
    before = movements.standings(places)
    changed = replace_standings(places).changed
    movements.write_seasons(task.run_id, places, before)
    task.result = [
        {
            "season": pk,
            "club": season.club_id,
            "name": season.name,
            "places": len(places[pk]),
            "changed": changed[pk],
        }
        for pk, season in sorted(not_frozen.items())
        if pk in places
    ]
    return False, read


def _rate(task: RunTask, way: Way | None) -> Way:
    """Rate a stretch more of a game; with the last of them the board is replaced, all at once."""
    assert task.since
    if way is None or way.until != task.done_until:  # at the start, or somebody else went on meanwhile
        first = game_ratings.day_after(task.done_until) if task.done_until else task.since
        way = Way(
            task.done_until, game_ratings.state_before(task.game, first), game_ratings.stretches(task.game, first)
        )
    stretch, *ahead = way.ahead
    part = game_ratings.compute(task.game, stretch, way.state)
    steps = rating_writer.replace_stretch(task.game, *stretch, part.history, part.digests, versions.RATINGS)
    counted: dict[str, Any] = task.result[0] if task.result else {"game": task.game, "tables": 0, "steps": 0}
    counted["tables"] += part.tables
    counted["steps"] += steps
    if not ahead:
        before = movements.ratings(task.game)
        moved = rating_writer.replace_ratings(task.game, part.state)
        counted |= {"players": moved.rows, "changed": moved.changed.total()}
        movements.write_game(task.run_id, task.game, part.state, before)
    task.result, task.done_until = [counted], stretch.last
    return Way(stretch.last, part.state, ahead)
