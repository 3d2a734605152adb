"""Between the rows and the rating arithmetic: reads a game's tables into arrays, makes rows of what comes out."""

from __future__ import annotations

import datetime
from typing import NamedTuple

import numpy as np

from league.models import Seat
from league.models.evening import EveningState
from players import rating_arrays
from players.models import Met, Rating, RatingRules, RatingStep
from players.rating import Held
from players.rating_careers import Days
from players.rating_tables import Seats
from scoring import registry
from scoring.game import Length


class GameRatings(NamedTuple):
    """The rows of a game's ratings, unsaved, and how many tables were read for them."""

    ratings: list[Rating]
    steps: list[RatingStep]
    met: list[Met]
    tables: int


def game_length(game: str) -> Length:
    """A game's lengths with the rating rules that the installation's admin chose for it."""
    length = registry.rules(game).LENGTH
    chosen = RatingRules.objects.filter(game=game).values_list("rules", flat=True).first()
    return length._replace(rules=chosen) if chosen else length


def game_ratings(game: str) -> GameRatings:
    """A full recomputation of a game's ratings from the seats of complete tables of closed evenings."""
    seats, dates, tables = _seats(game)
    history = rating_arrays.history(rating_arrays.rate(seats, dates, game_length(game)))
    steps = [
        RatingStep(
            game=game,
            player_id=player,
            date=date,
            micro=micro,
            weight=n,
            tables=number,
            dates=days,
            opponents=opponents,
        )
        for player, date, micro, n, number, days, opponents in zip(
            *(column.tolist() for column in history.steps), strict=True
        )
    ]
    met = [
        Met(game=game, first_id=low, second_id=high, date=date)
        for low, high, date in zip(*(column.tolist() for column in history.met), strict=True)
    ]
    return GameRatings(_last(steps), steps, met, tables)


def _last(steps: list[RatingStep]) -> list[Rating]:
    newest: dict[int, RatingStep] = {}
    for step in steps:
        known = newest.get(step.player_id)
        if known is None or known.date < step.date:
            newest[step.player_id] = step
    return [_rating(step) for step in newest.values()]


def _rating(step: RatingStep) -> Rating:
    held = Held(step.micro, step.weight, step.tables, step.dates, step.opponents, step.date)
    return Rating(
        game=step.game,
        player_id=step.player_id,
        micro=step.micro,
        weight=step.weight,
        tables=step.tables,
        dates=step.dates,
        opponents=step.opponents,
        provisional=held.provisional,
        last_date=step.date,
    )


def _seats(game: str) -> tuple[Seats, Days, int]:
    """One row a seat, sorted as rating_arrays wants it; the date of each period; the number of tables."""
    rows = list(
        Seat.objects.filter(
            table__complete=True,
            round__evening__state=EveningState.CLOSED,
            round__evening__season__game=game,
        )
        .order_by("round__evening__date", "round__number")
        .values_list(
            "round__evening__date",
            "round__number",
            "table_id",
            "number",
            "player_id",
            "points",
            "table__deals",
            "table__size",
        )
    )
    periods: dict[tuple[datetime.date, int], int] = {}
    side_of = {size: _side_of(game, size) for size in {row[7] for row in rows}}
    columns = np.array(
        [
            (periods.setdefault((date, number), len(periods)), table, side_of[size][seat], player, points, deals)
            for date, number, table, seat, player, points, deals, size in rows
        ],
        dtype=np.int64,
    ).reshape(-1, 6)
    order = np.lexsort((columns[:, 3], columns[:, 2], columns[:, 1], columns[:, 0]))
    period, table, side, player, points, deals = columns[order].T.copy()
    new_side = np.ones(len(period), dtype=bool)
    new_side[1:] = (table[1:] != table[:-1]) | (side[1:] != side[:-1])
    starts = np.flatnonzero(new_side)
    totals = np.add.reduceat(points, starts) if len(starts) else points
    total = totals[np.cumsum(new_side) - 1] if len(starts) else points
    dates = np.array([date for date, _number in periods], dtype="datetime64[D]")
    return Seats(period, table, side, player, total, deals), dates, len(np.unique(table))


def _side_of(game: str, size: int) -> dict[int, int]:
    """The side of each seat."""
    sides = registry.rules(game).sides(size)
    return {seat: side for side, seats in enumerate(sides) for seat in seats}
