"""Columns between the database and arrays, as they are sent and as they come back."""

from __future__ import annotations

import datetime
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from django.conf import settings
from django.db import connection

from league.models import Adjustment, Evening, Standing
from league.standings.ranking import RankingRow
from players.columns import Beside, Columns, Query, read, read_together, write
from players.derived_rows import Moved, replace, rows_of
from players.models import Met, RatingStep
from tests.build import a_club, a_player, a_season

DAY = np.datetime64("2026-10-02", "D")
DATES: dict[str, str | tuple[datetime.date, datetime.date]] = {
    "game": "tarot",
    "date": (datetime.date(2026, 10, 2), datetime.date(2026, 10, 3)),
}


def steps(players: list[int], micro: list[int], day: np.datetime64 = DAY) -> Columns:
    """Checkpoints of a date, all else alike."""
    ones = np.ones(len(players), np.int64)
    return {
        "game": "tarot",
        "player_id": np.array(players, np.int64),
        "date": np.full(len(players), day),
        "micro": np.array(micro, np.int64),
        **dict.fromkeys(("weight", "tables", "dates", "opponents"), ones),
    }


def stored() -> list[tuple[int, int]]:
    return list(RatingStep.objects.order_by("date", "player").values_list("player", "micro"))


def versions() -> list[tuple[int, str]]:
    """Each row's player, and the transaction and command that wrote it: a row written again has others."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT player_id, xmin::text || ctid::text FROM players_ratingstep ORDER BY player_id")
        return list(cursor.fetchall())


def test_number_that_is_too_large_is_refused(db: None) -> None:
    columns = {**steps([a_player().pk], [1]), "opponents": np.array([40_000])}
    with pytest.raises(OverflowError):
        write(RatingStep, columns)
    assert not RatingStep.objects.exists()


def test_numbers_days_and_flags_come_back(db: None) -> None:
    rows = "(1, -4611686018427387904, '1999-12-31'::date, true), (2, 0, '2100-02-28', false)"
    query = f"SELECT * FROM (VALUES {rows}) AS found"
    number, large, day, flag = read(query, [], ["integer", "bigint", "date", "boolean"])
    assert number.tolist() == [1, 2]
    assert large.tolist() == [-(2**62), 0]
    assert day.tolist() == [datetime.date(1999, 12, 31), datetime.date(2100, 2, 28)]
    assert flag.tolist() == [True, False]
    assert number.dtype == large.dtype == np.int64
    assert flag.dtype == np.bool_


def test_parameters_are_given_also_while_statements_are_watched(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "DEBUG", True)
    [found] = read("SELECT number FROM generate_series(1, %s) number", [5], ["integer"])
    assert found.tolist() == [1, 2, 3, 4, 5]


def test_nothing_is_an_array_of_nothing(db: None) -> None:
    numbers, days = read("SELECT id, date FROM league_evening", [], ["bigint", "date"])
    assert (numbers.tolist(), days.tolist()) == ([], [])
    assert not Evening.objects.exists()


def test_what_stands_beside_is_named_by_several_queries(db: None) -> None:
    beside = [Beside("few", "SELECT number FROM generate_series(1, %s) number", [3])]
    queries = [Query(f"SELECT number {sign} %s FROM few", [5], ["smallint"]) for sign in "+-"]
    more, less = read_together(*queries, beside=beside)
    assert (more[0].tolist(), less[0].tolist()) == ([6, 7, 8], [-4, -3, -2])


def test_null_is_refused(db: None) -> None:
    with pytest.raises(ValueError, match="NULL"):
        read("SELECT * FROM (VALUES (1), (NULL)) AS found", [], ["integer"])


def test_rows_with_nothing_in_a_column(db: None) -> None:
    season, player = a_season(a_club()), a_player()
    row = RankingRow(player.pk, None, -5, 0, (1, 2), (), {1: Fraction(1, 2)}, {}, 0, "", 0, 0, 0, True)
    columns = Standing.columns({season.pk: [row]}, 1)
    assert write(Standing, columns) == 1
    standing = Standing.objects.get()
    assert (standing.rank, standing.total, standing.counted, standing.worths) == (None, -5, [1, 2], {1: Fraction(1, 2)})
    assert not Adjustment.objects.exists()


def test_columns_replace_what_differs_and_nothing_else(db: None) -> None:
    players = sorted(a_player().pk for _ in range(4))
    before = steps(players[:3], [1, 2, 3])
    after = steps([players[0], players[2], players[3]], [1, 30, 4])
    for each in (before, before, after):
        moved = replace(RatingStep, DATES, each, RatingStep.KEY)
    assert moved == Moved(rows=3, changed=Counter(tarot=3))  # one went, one changed, one came
    assert stored() == [(players[0], 1), (players[2], 30), (players[3], 4)]
    kept = versions()
    assert replace(RatingStep, DATES, after, RatingStep.KEY).changed.total() == 0
    assert versions() == kept


def test_only_the_dates_named_are_replaced(db: None) -> None:
    player = a_player().pk
    write(RatingStep, steps([player], [1], DAY - 7))
    write(RatingStep, steps([player], [2]))
    replace(RatingStep, DATES, steps([], []), RatingStep.KEY)
    assert stored() == [(player, 1)]


def test_rows_one_by_one() -> None:
    columns: Columns = {"game": "tarot", "first_id": np.array([1]), "second_id": np.array([2]), "date": np.array([DAY])}
    [row] = rows_of(Met, columns)
    assert (row.game, row.first_id, row.second_id, row.date) == ("tarot", 1, 2, datetime.date(2026, 10, 2))
