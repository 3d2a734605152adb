"""What a worker does for a run: one of its tasks, a step at a time.

A step is one transaction that holds the task's row, writes rows, and says in the same row how far the task is. So it
may be killed at any instant, handed out twice, or go on in another process: each step is done once, and in order.
"""

from __future__ import annotations

from collections import Counter
from datetime import date
from enum import Enum
from time import monotonic
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from league.models import Due, Run, RunTask, Season
from league.night import ledger
from league.night.standings import replace_standings
from league.results import game_ratings
from league.results.season_places import places_of
from players import rating_writer
from players.rating.state import State

SEASONS = 10  # in a step
LONGEST = 40.0  # seconds of a message's work; after that another message goes on


class Way(NamedTuple):
    """How far a game's ratings are: dates done, what everyone holds after them, and the stretches ahead."""

    until: date | None
    state: State
    ahead: list[game_ratings.Stretch]


class Outcome(Enum):
    """How a message's work ended."""

    DONE = "done"  # nothing is left of the task
    MORE = "more"  # its time is over
    BUSY = "busy"  # somebody else is at it


def work(pk: int, *, seconds: float = LONGEST) -> Outcome:
    """Do a task's steps until it is done or the time is over. Whatever a step raises, it has changed nothing."""
    end = monotonic() + seconds
    way: Way | None = None
    while True:
        with transaction.atomic():
            task = RunTask.objects.select_for_update(skip_locked=True, of=("self",)).filter(pk=pk).first()
            if task is None:
                return Outcome.BUSY if RunTask.objects.filter(pk=pk).exists() else Outcome.DONE
            if task.done or task.run.state != Run.State.RUNNING:
                return Outcome.DONE
            if task.game:
                way = _rate(task, way)
                over = not way.ahead
            else:
                over = _stand(task)
            if over:
                Due.objects.filter(pk__in=task.dues).delete()
            task.done, task.touched_at = over, timezone.now()
            task.save()
        if over:
            return Outcome.DONE
        if monotonic() > end:
            return Outcome.MORE


def _stand(task: RunTask) -> bool:
    """The standings of some seasons more; whether these were the last."""
    some = task.seasons[task.done_seasons : task.done_seasons + SEASONS]
    seasons = Season.objects.in_bulk(some)
    places = places_of(seasons)
    changes = replace_standings(places)
    ledger.write_seasons(task.run_id, changes)
    changed = Counter(row.season_id for change in changes if (row := change[1] or change[0]))
    task.result += [
        {
            "season": pk,
            "club": season.club_id,
            "name": season.name,
            "places": len(places[pk]),
            "changed": changed[pk],
        }
        for pk, season in sorted(seasons.items())
    ]
    task.done_seasons += len(some)
    return task.done_seasons == len(task.seasons)


def _rate(task: RunTask, way: Way | None) -> Way:
    """A stretch more of a game's ratings; with the last of them the board is replaced, all at once."""
    assert task.since
    if way is None or way.until != task.done_until:  # at the start, or somebody else went on meanwhile
        first = game_ratings.day_after(task.done_until) if task.done_until else task.since
        way = Way(
            task.done_until, game_ratings.state_before(task.game, first), game_ratings.stretches(task.game, first)
        )
    stretch, *ahead = way.ahead
    part = game_ratings.compute(task.game, stretch, way.state)
    steps = rating_writer.replace_stretch(task.game, *stretch, part.history, part.digests)
    counted: dict[str, Any] = task.result[0] if task.result else {"game": task.game, "tables": 0, "steps": 0}
    counted["tables"] += part.tables
    counted["steps"] += steps
    if not ahead:
        before = ledger.ratings(task.game)
        moved = rating_writer.replace_ratings(task.game, part.state)
        counted |= {"players": moved.rows, "changed": moved.changed}
        ledger.write_game(task.run_id, task.game, before)
    task.result, task.done_until = [counted], stretch.last
    return Way(stretch.last, part.state, ahead)
