"""The night: standings of the seasons and ratings of the games that are due, and the Run that tells of it.

Work is claimed in the database, starts from stored facts, and may be killed at any point: what is due is deleted
only in the transaction that wrote everything.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from traceback import format_exception_only

from django.db import connection, transaction

from league.counted import season_places
from league.models import Due, Season, Standing
from players.models import Rating, Run
from players.rated import game_ratings

CLAIM = 1_000_004  # the key of the advisory lock: one run at a time in this database


class Claimed(Exception):
    """Another run is at work; what is due stays due."""


def what_asks(now: datetime) -> Run.Trigger | None:
    """What a run at `now` would be for, None if nothing waits whose time has come: one cheap query."""
    whys = set(Due.objects.filter(not_before__lte=now).values_list("why", flat=True))
    if not whys:
        return None
    if "button" in whys:
        return Run.Trigger.BUTTON
    return Run.Trigger.CLOSING if whys & {"closed", "reopened"} else Run.Trigger.NIGHT


def run(trigger: Run.Trigger, *, now: datetime, everything: bool = False) -> Run:
    """Compute what is due at `now`, or every season and game, and say what it did.

    Raises Claimed when another run is at work. Any other failure is written into the Run and raised again.
    """
    with claimed():
        Run.objects.filter(state=Run.State.RUNNING).update(
            state=Run.State.FAILED,
            finished_at=now,
            error="The run was cut off before its end; the next one did its work.",
        )
        this = Run.objects.create(trigger=trigger, started_at=now)
        try:
            with transaction.atomic():
                compute(this, now=now, everything=everything)
                this.state = Run.State.DONE
        except Exception as error:
            this.state = Run.State.FAILED
            this.error = "".join(format_exception_only(error)).strip()
            raise
        finally:
            this.finished_at = now_of_database()
            this.save()
    return this


@contextmanager
def claimed() -> Iterator[None]:
    """Hold the claim on the nightly work; it ends with the connection too, so a killed run holds nothing."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [CLAIM])
        if not cursor.fetchone()[0]:
            raise Claimed
        try:
            yield
        finally:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [CLAIM])


def compute(this: Run, *, now: datetime, everything: bool) -> None:
    """Fill in the run: what was due, what each season and game came to."""
    dues = list(Due.objects.filter(not_before__lte=now).select_related("season").order_by("pk"))
    this.due = [_due(due) for due in dues]
    seasons = Season.objects.order_by("pk")
    games = set(seasons.values_list("game", flat=True))
    if not everything:
        seasons = seasons.filter(pk__in={due.season_id for due in dues if due.season_id})
        games = {due.game for due in dues if due.game}
    this.seasons = [_standings(season) for season in seasons]
    this.games = [_ratings(game) for game in sorted(games)]
    Due.objects.filter(pk__in=[due.pk for due in dues]).delete()


def _standings(season: Season) -> dict[str, object]:
    moved = Standing.objects.replace(season, season_places(season))
    return {
        "season": season.pk,
        "club": season.club_id,
        "name": season.name,
        "places": moved.rows,
        "changed": moved.changed,
    }


def _ratings(game: str) -> dict[str, object]:
    computed = game_ratings(game)
    moved = Rating.objects.replace(game, computed.ratings, computed.steps, computed.met)
    return {"game": game, "tables": computed.tables, "players": moved.rows, "changed": moved.changed}


def _due(due: Due) -> dict[str, object]:
    return {
        "season": due.season_id,
        "club": due.season.club_id if due.season else None,
        "name": due.season.name if due.season else "",
        "game": due.game,
        "date": due.date.isoformat() if due.date else None,
        "why": due.why,
    }


def now_of_database() -> datetime:
    """The clock of the database, for when a run ended."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment
