"""The input for a back-test of rating rules: the newest tables of a game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from django.db.models import QuerySet

from league.models import Seat, Table
from league.models.evening import EveningState
from league.ratings.queries.game_ratings import result_of
from league.sheets.queries.table_sides import is_playable_size, side_rules
from players.rating.backtest import RulesTrial, backtest_rules
from players.rating.reference import Result

MAX_BACKTEST_TABLES = 5_000  # maximum of tables; a request with so many takes two or three seconds


class BacktestTables(NamedTuple):
    trials: list[RulesTrial]
    newest: int
    total: int


def read_backtest_tables(game: str) -> BacktestTables:
    tables = Table.objects.filter(
        complete=True, round__evening__state=EveningState.CLOSED, round__evening__season__game_key=game
    )
    complete = tables.count()
    newest = tables.order_by("-round__evening__date", "-round__number", "-pk")[:MAX_BACKTEST_TABLES]
    return BacktestTables(
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
            yield result_of(sides, date, number, deals, seats)
