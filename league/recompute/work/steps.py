"""The steps of a job in a recompute run: the standings of some seasons, or the ratings of a game since a date.

Each step is one transaction, which also stores the job's progress.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date

from structlog.contextvars import bound_contextvars

from league.actions import webhooks
from league.actions.jobs import TimeSource
from league.actions.season_lock import lock_seasons_shared
from league.actions.standings import replace_standings, write_statistics_and_records
from league.actions.tournament_ranks import update_final_ranks
from league.evenings.queries.closed_evenings import ClosedEvenings
from league.models import Job, PendingRecompute, Season, Tournament, versions
from league.ratings.queries import game_ratings
from league.recompute.work import rank_changes
from league.seasons.queries.season_evenings import read_closed_evenings_of
from league.seasons.queries.season_rankings import rank_seasons
from players import rating_writer
from scoring import registry


def recompute(job: Job, now: TimeSource) -> Iterator[None]:
    """Compute the seasons or the game of the job, step by step. The last step deletes the job's `PendingRecompute`
    rows.
    """
    with bound_contextvars(run=job.payload["run"]):
        yield from _compute_ratings(job) if job.payload["game"] else _compute_standings(job, now)
        PendingRecompute.objects.filter(pk__in=job.payload["dues"]).delete()


def arithmetic_version(game: str) -> int:
    """Return the version of the arithmetic of ratings, or of standings if `game` is empty."""
    return versions.RATINGS if game else versions.STANDINGS


def has_current_arithmetic(job: Job) -> bool:
    version: int = job.payload["arithmetic"]
    return version == arithmetic_version(job.payload["game"])


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Switch off garbage collection in the `with` block. It would be slow, because seasons have very many objects."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _compute_standings(job: Job, now: TimeSource) -> Iterator[None]:
    """Store the standings of the job's seasons, except closed ones; then statistics, records and ranks of tournaments.

    The second step uses the evenings that the first step read. If another process did the first step, the second step
    reads them again. If results change between the steps, the season becomes pending work again.
    """
    seasons = job.payload["seasons"]
    read: list[ClosedEvenings] = []
    not_frozen = Season.objects.not_frozen().in_bulk(seasons)
    if not_frozen and "rows" not in job.result:
        with _without_garbage_collection():
            read = _write_standings(job, not_frozen, now)
        yield
    # Before the other rows: actions lock a tournament before its season.
    update_final_ranks(list(Tournament.objects.filter(season__in=seasons).values_list("pk", flat=True)))
    with _without_garbage_collection():
        write_statistics_and_records(
            list(Season.objects.filter(pk__in=seasons, game__in=[*registry.slugs(), registry.TOTALS])), read
        )


def _write_standings(job: Job, seasons: dict[int, Season], now: TimeSource) -> list[ClosedEvenings]:
    """Compute and store the standings of `seasons` (by id). Return the evenings from which they were computed."""
    read = read_closed_evenings_of(seasons.values())
    computed = rank_seasons(seasons.values(), closed_evenings=read)
    # Skip seasons that were closed during the computation: their standings must stay as they are.
    rankings = {pk: computed[pk] for pk in lock_seasons_shared(computed)}
    before = rank_changes.current_standings(rankings)
    changes = replace_standings(rankings).changes
    rank_changes.write_standing_changes(job.payload["run"], rankings, before)
    webhooks.record_standings_changed([pk for pk in rankings if changes[pk]], now=now())
    job.result["rows"] = [
        {
            "season": pk,
            "club": season.club_id,
            "name": season.name,
            "places": len(rankings[pk]),
            "changed": changes[pk],
        }
        for pk, season in sorted(seasons.items())
        if pk in rankings
    ]
    return read


def _compute_ratings(job: Job) -> Iterator[None]:
    game, first = job.payload["game"], date.fromisoformat(job.payload["since"])
    if "done_until" in job.progress:
        first = game_ratings.day_after(date.fromisoformat(job.progress["done_until"]))
    state = game_ratings.state_before(game, first)
    [totals] = job.result.setdefault("rows", [{"game": game, "tables": 0, "steps": 0}])
    for number, date_range in enumerate(game_ratings.date_ranges(game, first)):
        if number:
            yield
        part = game_ratings.compute_date_range(game, date_range, state)
        steps = rating_writer.replace_rating_steps(game, *date_range, part.history, part.digests, versions.RATINGS)
        totals["tables"] += part.tables
        totals["steps"] += steps
        state = part.state
        job.progress["done_until"] = date_range.last.isoformat()
    before = rank_changes.current_ratings(game)
    replaced = rating_writer.replace_ratings(game, state)
    totals |= {"players": replaced.rows, "changed": replaced.changes.total()}
    rank_changes.write_rating_changes(job.payload["run"], game, state, before)
