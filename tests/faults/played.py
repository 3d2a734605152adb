"""A league whose run has many steps: two games, a dozen seasons, each evening due; and checks of the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from random import Random
from typing import Any

from django.utils import timezone

from league.actions import pending_recomputes
from league.models import (
    Attendance,
    Club,
    Evening,
    Job,
    PendingRecompute,
    RankChange,
    Round,
    Run,
    Season,
    Seat,
    Standing,
    Table,
)
from league.models.evening import EveningState
from league.models.job import OPEN_STATES, JobState
from league.models.season import SeasonState, TableEnd
from league.operations.work.verification import verify
from league.recompute.work import runs
from players.models import FirstMeeting, Player, Rating, RatingDay, RatingStep
from scoring import registry
from tests.build import a_player
from tests.faults.sizes import LOST
from tests.run_jobs import parts

GAMES = ("tarot", "two-way-street")
SEASONS, EVENINGS, TABLES, SIZE = 6, 3, 2, 4  # of a game, of a season, of an evening, seats of a table
DEALS = 4
FIRST = date(2026, 1, 5)
PARTS = len(GAMES) * SEASONS * (1 + EVENINGS)  # of the first night: seasons and dates


def play() -> None:
    """Fill an empty database with tables' totals, as if each evening had been closed just now."""
    rng, now = Random(20), timezone.now()
    club = Club.objects.create(name="Night club", slug="night")
    players = [a_player() for _ in range(12)]
    for game in GAMES:
        day = FIRST
        for number in range(SEASONS):
            season = Season.objects.create(
                club=club,
                game=game,
                name=f"{game} {number}",
                state=SeasonState.OPEN,
                table_sizes=[SIZE],
                end=TableEnd.DEALS,
                end_number=DEALS,
            )
            for _ in range(EVENINGS):
                evening = Evening.objects.create(
                    season=season, date=day, state=EveningState.CLOSED, opened_at=now, closed_at=now, final_at=now
                )
                _seat(rng, evening, players)
                pending_recomputes.mark_evening_for_recompute(
                    evening, not_before=now, why=PendingRecompute.Reason.CLOSED
                )
                day += timedelta(days=7)


def _seat(rng: Random, evening: Evening, players: list[Player]) -> None:
    """Create a round of an evening with its totals."""
    present = rng.sample(players, TABLES * SIZE)
    Attendance.objects.bulk_create(Attendance(evening=evening, player=player) for player in present)
    seating = Round.objects.create(evening=evening, number=1)
    tables = Table.objects.bulk_create(
        Table(round=seating, number=number, size=SIZE, deals=DEALS, complete=True) for number in range(1, TABLES + 1)
    )
    for table in tables:
        points = [rng.randrange(100) for _ in range(SIZE)]
        if is_zero_sum(evening.season.game):
            points[-1] = -sum(points[:-1])
        Seat.objects.bulk_create(
            Seat(table=table, round=seating, number=number, player=present.pop(), points=point, deals=DEALS,
                 written=point, written_deals=DEALS)
            for number, point in enumerate(points)
        )  # fmt: skip


def is_zero_sum(game: str) -> bool:
    """Return whether a table's totals add up to 0 in the game."""
    return not registry.rules(game).never_negative


def correct() -> None:
    """Change a total of every table, so that everything is due again: the first seat gets one point more."""
    for seat in Seat.objects.filter(number__in=(0, SIZE - 1)).select_related("round__evening__season"):
        change = 1 if seat.number == 0 else -1 if is_zero_sum(seat.round.evening.season.game) else 0
        seat.written = seat.points = seat.points + change
        seat.save()
    for evening in Evening.objects.select_related("season"):
        pending_recomputes.mark_evening_for_recompute(
            evening, not_before=timezone.now(), why=PendingRecompute.Reason.CLOSED
        )


def days(game: str) -> list[date]:
    return list(Evening.objects.filter(season__game=game).order_by("date").values_list("date", flat=True))


def seasons() -> list[int]:
    return list(Season.objects.order_by("pk").values_list("pk", flat=True))


def parts_done() -> int:
    """Return the number of committed seasons and dates of the first run."""
    seasons = parts().filter(state=JobState.DONE).values_list("payload__seasons", flat=True)
    return sum(map(len, seasons)) + RatingDay.objects.count()


def halfway() -> bool:
    """Return whether some steps are committed and some are not."""
    jobs = list(parts())
    begun = any(job.state == JobState.DONE or "done_until" in job.progress for job in jobs)
    return begun and any(job.state in OPEN_STATES for job in jobs)


def over() -> bool:
    """Return whether a run has ended, and none is in progress."""
    return Run.objects.exists() and not Run.objects.filter(state=Run.State.RUNNING).exists()


def given_up() -> bool:
    """Return whether the next tick may treat all unfinished jobs as lost."""
    return not Job.objects.open().filter(heartbeat__gte=timezone.now() - LOST).exists()


def wrong() -> list[object]:
    """Return the errors after the only run of this league, which created every row."""
    return [*_wrong_run(Run.objects.get()), *wrong_rows()]


def _wrong_run(run: Run) -> Iterator[object]:
    """Each part was computed, and counted, once."""
    if run.state != Run.State.DONE:
        yield run.state, run.error
    per_game = SEASONS * EVENINGS * TABLES
    totals = {row["game"]: (row["tables"], row["players"], row["changed"]) for row in run.games}
    for game in GAMES:
        players = Rating.objects.filter(game=game).count()
        if totals.pop(game, None) != (per_game, players, players):
            yield game, run.games
    places = Counter(Standing.objects.values_list("season", flat=True))
    if totals or [(row["season"], row["places"], row["changed"]) for row in run.seasons] != [
        (season, places[season], places[season]) for season in seasons()
    ]:
        yield totals, run.seasons
    if RankChange.objects.count() != Standing.objects.count() + Rating.objects.count():
        yield "movements", RankChange.objects.count()


def wrong_rows() -> list[object]:
    """Return pending work, differences from the facts, and changes by another run from nothing."""
    problems: list[object] = [*PendingRecompute.objects.all(), *Job.objects.open(), *verify()]
    before = _rows()
    if not all(before.values()):
        problems.append("no rows")
    second_run = runs.run(Run.Trigger.COMMAND, now=timezone.now(), everything=True)
    problems += [row for row in (*second_run.seasons, *second_run.games) if row["changed"] or row.get("steps")]
    return problems + [name for name, rows in _rows().items() if rows != before[name]]


def _rows() -> dict[str, list[tuple[object, ...]]]:
    """Return the derived rows by model, as values."""
    models: tuple[Any, ...] = (Standing, Rating, RatingStep, FirstMeeting, RatingDay)
    return {
        model.__name__: list(model.objects.order_by(*model.KEY).values_list(*model.KEY, *model.DERIVED))
        for model in models
    }
