"""Bulk reads and writes of columns, and the replacement of derived rows."""

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
from players.columns import Columns, CommonTable, Query, read_columns, read_snapshot, write_columns
from players.derived_rows import Replacement, replace_rows, unsaved_rows
from players.models import FirstMeeting, RatingStep
from tests.build import a_club, a_player, a_season

DAY = np.datetime64("2026-10-02", "D")
DATES: dict[str, str | tuple[datetime.date, datetime.date]] = {
    "game": "tarot",
    "date": (datetime.date(2026, 10, 2), datetime.date(2026, 10, 3)),
}


def steps(players: list[int], micro: list[int], day: np.datetime64 = DAY) -> Columns:
    """Return checkpoints of a date that differ only by player and rating."""
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
    """Return the version of each row by its player; a row that is written again has another version."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT player_id, xmin::text || ctid::text FROM players_ratingstep ORDER BY player_id")
        return list(cursor.fetchall())


def test_number_that_is_too_large_is_refused(db: None) -> None:
    columns = {**steps([a_player().pk], [1]), "opponents": np.array([40_000])}
    with pytest.raises(OverflowError):
        write_columns(RatingStep, columns)
    assert not RatingStep.objects.exists()


def test_numbers_days_and_flags_come_back(db: None) -> None:
    rows = "(1, -4611686018427387904, '1999-12-31'::date, true), (2, 0, '2100-02-28', false)"
    query = f"SELECT * FROM (VALUES {rows}) AS found"
    number, large, day, flag = read_columns(query, [], ["integer", "bigint", "date", "boolean"])
    assert number.tolist() == [1, 2]
    assert large.tolist() == [-(2**62), 0]
    assert day.tolist() == [datetime.date(1999, 12, 31), datetime.date(2100, 2, 28)]
    assert flag.tolist() == [True, False]
    assert number.dtype == large.dtype == np.int64
    assert flag.dtype == np.bool_


def test_read_passes_parameters_in_debug_mode(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "DEBUG", True)
    [numbers] = read_columns("SELECT number FROM generate_series(1, %s) number", [5], ["integer"])
    assert numbers.tolist() == [1, 2, 3, 4, 5]


def test_no_rows_are_empty_arrays(db: None) -> None:
    numbers, days = read_columns("SELECT id, date FROM league_evening", [], ["bigint", "date"])
    assert (numbers.tolist(), days.tolist()) == ([], [])
    assert not Evening.objects.exists()


def test_several_queries_use_one_common_table(db: None) -> None:
    common_tables = [CommonTable("few", "SELECT number FROM generate_series(1, %s) number", [3])]
    queries = [Query(f"SELECT number {sign} %s FROM few", [5], ["smallint"]) for sign in "+-"]
    sums, differences = read_snapshot(*queries, common_tables=common_tables)
    assert (sums[0].tolist(), differences[0].tolist()) == ([6, 7, 8], [-4, -3, -2])


def test_null_is_refused(db: None) -> None:
    with pytest.raises(ValueError, match="NULL"):
        read_columns("SELECT * FROM (VALUES (1), (NULL)) AS found", [], ["integer"])


def test_rows_with_null_in_a_column(db: None) -> None:
    season, player = a_season(a_club()), a_player()
    row = RankingRow(player.pk, None, -5, 0, (1, 2), (), {1: Fraction(1, 2)}, {}, 0, "", 0, 0, 0, True)
    columns = Standing.columns({season.pk: [row]}, 1)
    assert write_columns(Standing, columns) == 1
    standing = Standing.objects.get()
    assert (standing.rank, standing.total, standing.counted, standing.worths) == (None, -5, [1, 2], {1: Fraction(1, 2)})
    assert not Adjustment.objects.exists()


def test_replace_writes_only_different_rows(db: None) -> None:
    players = sorted(a_player().pk for _ in range(4))
    before = steps(players[:3], [1, 2, 3])
    after = steps([players[0], players[2], players[3]], [1, 30, 4])
    for columns in (before, before, after):
        replacement = replace_rows(RatingStep, DATES, columns, RatingStep.KEY)
    assert replacement == Replacement(rows=3, changes=Counter(tarot=3))  # one deleted, one updated, one inserted
    assert stored() == [(players[0], 1), (players[2], 30), (players[3], 4)]
    row_versions = versions()
    assert replace_rows(RatingStep, DATES, after, RatingStep.KEY).changes.total() == 0
    assert versions() == row_versions


def test_replace_changes_only_rows_that_match_the_filter(db: None) -> None:
    player = a_player().pk
    write_columns(RatingStep, steps([player], [1], DAY - 7))
    write_columns(RatingStep, steps([player], [2]))
    replace_rows(RatingStep, DATES, steps([], []), RatingStep.KEY)
    assert stored() == [(player, 1)]


def test_columns_as_unsaved_rows() -> None:
    columns: Columns = {"game": "tarot", "first_id": np.array([1]), "second_id": np.array([2]), "date": np.array([DAY])}
    [row] = unsaved_rows(FirstMeeting, columns)
    assert (row.game, row.first_id, row.second_id, row.date) == ("tarot", 1, 2, datetime.date(2026, 10, 2))
