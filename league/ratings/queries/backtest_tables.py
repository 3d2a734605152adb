"""A back-test of rating rules with the newest tables of a game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from django.db.models import QuerySet

from league.models import Seat, Table
from league.models.evening import EveningState
from league.ratings.queries.game_ratings import table_result
from league.sheets.queries.table_sides import is_playable_size, side_rules
from players.rating.backtest import RulesTrial, backtest_rules
from players.rating.reference import Result

MAX_BACKTEST_TABLES = 5_000  # a request with so many tables takes two or three seconds


class BacktestResult(NamedTuple):
    trials: list[RulesTrial]
    tables_used: int  # the newest complete tables of the game
    tables_available: int  # all complete tables of the game


def backtest_game(game: str) -> BacktestResult:
    """Back-test the rating rules with the newest complete tables of closed evenings, at most MAX_BACKTEST_TABLES."""
    tables = Table.objects.filter(
        complete=True, round__evening__state=EveningState.CLOSED, round__evening__season__game_key=game
    )
    complete = tables.count()
    newest = tables.order_by("-round__evening__date", "-round__number", "-pk")[:MAX_BACKTEST_TABLES]
    return BacktestResult(
        backtest_rules(_results(game, newest), side_rules(game).rules.length),
        min(complete, MAX_BACKTEST_TABLES),
        complete,
    )


def _results(game: str, tables: QuerySet[Table]) -> Iterator[Result[int]]:
    rows = (
        Seat.objects.filter(table__in=tables.values("pk"))
        .order_by("table_id", "number")
        .values_list("table_id", "round__evening__date", "round__number", "table__deals", "player_id", "points")
    )
    sides = side_rules(game)
    for (_table, date, number, deals), table_rows in groupby(rows, key=lambda row: row[:4]):
        seats = [row[4:] for row in table_rows]
        if is_playable_size(sides, len(seats)):
            yield table_result(sides, date, number, deals, seats)
