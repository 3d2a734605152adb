"""Standings beyond a request: partners, rests, dates and ranks before; and unchanged input."""

import copy
from dataclasses import FrozenInstanceError
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings

from league.standings.ranking import standings, standings_with_ranks_before
from league.standings.rules import StandingsRules
from league.standings.season import PlayerEvening, SeasonEvening
from league.standings.tests import seasons
from tests.examples import examples


def evening(number: int, weight: int = 1, final: bool = False, **points: int) -> SeasonEvening:
    results = [PlayerEvening(player, number_of_points, deals=4) for player, number_of_points in points.items()]
    return SeasonEvening(number, f"2026-09-{number:02}", results, weight, final)


def test_empty_rules_are_the_defaults() -> None:
    assert StandingsRules.from_json({}) == StandingsRules()
    defaults: dict[str, Any] = {
        "worth": {"by": "points"},
        "counts": {"which": "all"},
        "minimum": {"evenings": 0},
        "ties": [],
    }
    assert StandingsRules.from_json(defaults) == StandingsRules()


def test_rules_are_frozen_and_can_be_looked_up() -> None:
    raw = {"worth": {"by": "places", "points": [3, 2, 1]}, "ties": ["wins"]}
    rules = StandingsRules.from_json(raw)
    assert {rules: "value"}[StandingsRules.from_json(raw)] == "value"
    with pytest.raises(FrozenInstanceError):
        rules.ties = ()  # type: ignore[misc]


def test_ids_may_be_integers() -> None:
    first, second = standings(StandingsRules(), [evening(2, a=1, b=5), evening(1, a=3)])
    assert (first.player, first.counted, first.worth) == ("b", (2,), {2: 5})
    assert (second.player, second.counted, second.worth) == ("a", (1, 2), {1: 3, 2: 1})


def test_whole_totals_are_integers_and_others_fractions() -> None:
    rules = StandingsRules.from_json({"counts": {"which": "average"}})
    first, second = standings(rules, [evening(1, a=1, b=2), evening(2, a=2, b=2)])
    assert (first.player, first.total, type(first.total)) == ("b", 2, int)
    assert (second.player, second.total, type(second.total)) == ("a", Fraction(3, 2), Fraction)


def test_too_few_partners_leave_a_row_without_a_rank() -> None:
    rows = standings(StandingsRules.from_json({"partners": 2}), [evening(1, a=1, b=2, c=3)], partners={"a": 2, "b": 1})
    assert [(row.player, row.rank, row.missing, row.missing_partners) for row in rows] == [
        ("a", 1, 0, 0),
        ("c", None, 0, 2),
        ("b", None, 0, 1),
    ]


@pytest.mark.parametrize(("rest_points", "points"), [(0, 7), (20, 47), (-3, 1)])
def test_rests_are_compensated_by_the_rules(rest_points: int, points: int) -> None:
    rested_evening = SeasonEvening(1, "2026-09-01", [PlayerEvening("a", 7, rests=2)])
    (row,) = standings(StandingsRules.from_json({"rests": rest_points}), [rested_evening])
    assert (row.total, row.worth) == (points, {1: points})


def test_a_final_without_results_counts_as_held() -> None:
    rules = StandingsRules.from_json({"counts": {"which": "best", "n": 2, "final": True}})
    evenings = [evening(1, a=1), evening(2, a=2), evening(3, a=3)]
    assert standings(rules, evenings)[0].counted == (2, 3)
    assert standings(rules, [*evenings, evening(4, final=True)])[0].counted == (3,)


@settings(max_examples=examples(100), deadline=None)
@given(seasons.requests())
def test_rows_with_ranks_before_are_otherwise_the_same(request: dict[str, Any]) -> None:
    facts = (
        StandingsRules.from_json(request["rules"]),
        [*map(seasons.season_evening, request["evenings"])],
        seasons.points_given(request),
    )
    rows = standings_with_ranks_before(*facts)
    assert [row._replace(rank_before=None) for row in rows] == standings(*facts)


@settings(max_examples=examples(100), deadline=None)
@given(seasons.requests())
def test_input_is_not_changed(request: dict[str, Any]) -> None:
    facts = (
        StandingsRules.from_json(request["rules"]),
        [*map(seasons.season_evening, request["evenings"])],
        seasons.points_given(request),
    )
    before = copy.deepcopy((request, facts))
    assert standings(*facts) == standings(*facts)
    assert (request, facts) == before
