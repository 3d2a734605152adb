"""Laws of every season and every rule."""

import copy
import json
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from league.standings.__main__ import answer
from league.standings.tests import naive, seasons
from tests.examples import examples

PROFILE = settings(max_examples=examples(70), deadline=None)


def rows_of(request: dict[str, Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(answer(json.dumps(request).encode()))["rows"]
    return rows


def number(raw: Any) -> Fraction:
    return Fraction(*raw) if isinstance(raw, list) else Fraction(raw)


@PROFILE
@given(seasons.requests())
def test_brute_force_has_the_same_rows(request: dict[str, Any]) -> None:
    assert rows_of(request) == naive.answer(request)


@PROFILE
@given(seasons.requests(), st.permutations([*seasons.PLAYERS, "Zoe"]))
def test_relabelling_players_changes_nothing(request: dict[str, Any], shuffled_names: list[str]) -> None:
    names = dict(zip([*seasons.PLAYERS, "Zoe"], shuffled_names, strict=True))
    renamed = copy.deepcopy(request)
    for entry in [
        *(result for evening in renamed["evenings"] for result in evening["results"]),
        *renamed.get("adjustments", []),
    ]:
        entry["player"] = names[entry["player"]]
    by_player = {row["player"]: row for row in rows_of(renamed)}
    rows = rows_of(request)
    assert {names[row["player"]]: {**row, "player": names[row["player"]]} for row in rows} == by_player


@PROFILE
@given(seasons.requests(), st.randoms())
def test_order_of_evenings_and_results_changes_nothing(request: dict[str, Any], random: Any) -> None:
    shuffled = copy.deepcopy(request)
    for values in (shuffled["evenings"], *(evening["results"] for evening in shuffled["evenings"])):
        random.shuffle(values)
    assert answer(json.dumps(shuffled).encode()) == answer(json.dumps(request).encode())


@PROFILE
@given(seasons.requests(), st.integers(1, 4), seasons.results(), st.integers(0, 3), st.integers(1, 28))
def test_one_more_evening_never_lowers_who_has_n_already(
    request: dict[str, Any], n: int, results: list[dict[str, Any]], weight: int, day: int
) -> None:
    request["rules"]["counts"] = {"which": "best", "n": n}
    before = {row["player"]: row for row in rows_of(request)}
    new_evening = {"id": "more", "date": f"2026-10-{day:02}", "weight": weight, "results": results}
    after = {row["player"]: row for row in rows_of({**request, "evenings": [*request["evenings"], new_evening]})}
    for player, row in before.items():
        if len(row["counted"]) == n:
            assert number(after[player]["total"]) >= number(row["total"])


@PROFILE
@given(seasons.requests())
def test_total_is_what_the_row_says_that_counts(request: dict[str, Any]) -> None:
    weights = {evening["id"]: evening.get("weight", 1) for evening in request["evenings"]}
    mean = request["rules"].get("counts", {}).get("which") == "average"
    for row in rows_of(request):
        assert set(row["counted"]) | set(row["dropped"]) == set(row["worth"])
        assert not set(row["counted"]) & set(row["dropped"])
        values = [number(row["worth"][evening]) for evening in row["counted"]]
        counted = sum(values, Fraction())
        if mean:
            counted_weights = [weights[evening] for evening in row["counted"]]
            weighed = sum((value * weight for value, weight in zip(values, counted_weights, strict=True)), Fraction())
            counted = weighed / sum(counted_weights) if sum(counted_weights) else Fraction()
        assert number(row["total"]) == counted + row["attendance"] + row["adjustment"]
        assert row["attendance"] == request["rules"].get("attendance", 0) * row["evenings"]


@PROFILE
@given(seasons.requests())
def test_ranks_are_1_2_2_4_and_rows_in_order(request: dict[str, Any]) -> None:
    rows = rows_of(request)
    ranks = [row["rank"] for row in rows if row["rank"] is not None]
    assert ranks == [1 + sum(other_player < rank for other_player in ranks) for rank in ranks]
    assert [row["rank"] for row in rows] == ranks + [None] * (len(rows) - len(ranks))
    totals = [number(row["total"]) for row in rows]
    assert totals[: len(ranks)] == sorted(totals[: len(ranks)], reverse=True)
    assert totals[len(ranks) :] == sorted(totals[len(ranks) :], reverse=True)
    keys = [
        (row["rank"] or 0, 0 if row["rank"] else -total, row["player"]) for row, total in zip(rows, totals, strict=True)
    ]
    assert keys[: len(ranks)] == sorted(keys[: len(ranks)])
    assert keys[len(ranks) :] == sorted(keys[len(ranks) :])


@PROFILE
@given(seasons.requests(), seasons.ties())
def test_split_group_is_never_joined_again(request: dict[str, Any], ties: list[str]) -> None:
    ranked: dict[str, int] = {}
    for tie_count in range(len(ties) + 1):
        request["rules"]["ties"] = ties[:tie_count]
        rows = [row for row in rows_of(request) if row["rank"] is not None]
        finer = {row["player"]: row["rank"] for row in rows}
        for player, rank in ranked.items():
            for other_player, other_rank in ranked.items():
                assert rank >= other_rank or finer[player] < finer[other_player]
        ranked = finer


@PROFILE
@given(seasons.requests())
def test_the_named_tie_break_split_equal_totals(request: dict[str, Any]) -> None:
    rows = rows_of(request)
    for row in rows:
        level = [
            candidate for candidate in rows if candidate["total"] == row["total"] and candidate["rank"] is not None
        ]
        if row["tie_break"]:
            assert row["tie_break"] in request["rules"]["ties"]
            assert row in level
            assert len({candidate["rank"] for candidate in level}) > 1
        elif row["rank"] is not None:
            assert {candidate["rank"] for candidate in level} == {row["rank"]}
