"""The target of the next evening: the value is enough, and one less is not."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.standings.counted_evenings import SeasonFinal
from league.standings.next_evening import (
    VALUE_LIMIT,
    EveningLimits,
    SeasonSoFar,
    next_evening_target,
    possible_values,
    total_after,
)
from league.standings.ranking import RankingRow, standings
from league.standings.rules import StandingsRules
from league.standings.season import ExactNumber, PlayerEvening, SeasonEvening
from league.standings.tests import seasons
from league.standings.worth import WORTH_RULES
from tests.examples import examples


def test_best_two_of_three_drops_the_worst_that_counts() -> None:
    rules = StandingsRules.from_json({"counts": {"which": "best", "n": 2}})
    target = next_evening_target(rules, SeasonSoFar([10, 8, 3], [1, 1, 1], SeasonFinal(), 0), 24)
    assert target is not None
    assert (target.value, target.dropped_indexes) == (15, (1,))  # 10 + 15 = 25


def test_one_evening_cannot_lift_a_mean_of_its_own_above_any_number() -> None:
    rules = StandingsRules.from_json({"counts": {"which": "average"}})
    assert next_evening_target(rules, SeasonSoFar([10], [1], SeasonFinal(), 0), 10**7) is None


ONE_BEHIND = SeasonSoFar([10], [1], SeasonFinal(), 0)
THREE_TABLES = EveningLimits(table_count=3, opponent_counts=(2, 3), never_negative=True)


@pytest.mark.parametrize(
    ("worth", "goal", "value"),
    [
        ({"by": "points"}, 10, 1),
        ({"by": "points"}, 4, 0),  # an evening costs no points in such a game
        ({"by": "wins", "win": 4, "loss": 2, "exempt": 3}, 10, 2),  # 1 is no possible value
        ({"by": "wins", "win": 4, "loss": 2, "exempt": 3}, 19, 10),
        ({"by": "wins", "win": 4, "loss": 2, "exempt": 3}, 22, None),  # three tables give 12 at most
        ({"by": "wins", "win": 4, "loss": 2, "exempt": 3, "plus_points": True}, 22, 13),
        ({"by": "opponents"}, 10, Fraction(1, 12)),
        ({"by": "opponents"}, 13, None),
        ({"by": "average"}, 10, Fraction(1, 100)),
    ],
)
def test_the_target_is_a_possible_value(worth: dict[str, Any], goal: int, value: ExactNumber | None) -> None:
    rules = StandingsRules.from_json({"worth": worth})
    target = next_evening_target(rules, ONE_BEHIND, goal, possible_values(rules, THREE_TABLES))
    assert (target and target.value) == value
    losing = THREE_TABLES._replace(never_negative=False)
    if worth == {"by": "points"}:
        lower = next_evening_target(rules, ONE_BEHIND, 4, possible_values(rules, losing))
        assert lower is not None
        assert lower.value == -5


def test_every_rule_of_worth_has_possible_values() -> None:
    rules = [StandingsRules.from_json({"worth": worth}) for worth in EXAMPLES.values()]
    assert {rule.worth.name for rule in rules} == set(WORTH_RULES)
    for rule in rules:
        possible = possible_values(rule, THREE_TABLES)
        ends = [possible.value(index) for index in (0, len(possible) - 1)]
        assert ends == sorted(ends)


EXAMPLES: Mapping[str, Mapping[str, Any]] = {
    "points": {"by": "points"},
    "average": {"by": "average"},
    "places": {"by": "places", "points": [3, 2, 1], "rest": 0},
    "wins": {"by": "wins", "win": 4, "loss": 2, "exempt": 3},
    "opponents": {"by": "opponents"},
}


@st.composite
def cases(draw: st.DrawFn) -> tuple[Mapping[str, Any], list[SeasonEvening], str, int]:
    """Rules by points, evenings with weights from 1, a player who attended one of them, and a goal."""
    rules = draw(seasons.rules()) | {"worth": {"by": "points"}, "ties": []}
    points = st.integers(-20, 20)
    rounds = draw(st.lists(st.lists(points, min_size=1, max_size=3), min_size=1, max_size=6))
    final = draw(st.integers(0, len(rounds)))
    evenings = [
        SeasonEvening(
            f"e{number}",
            f"2026-01-{number + 1:02}",
            [PlayerEvening(player, value) for player, value in zip("ABC", results, strict=False)],
            weight=draw(st.integers(1, 3)),
            final=number == final,
        )
        for number, results in enumerate(rounds)
    ]
    return rules, evenings, draw(st.sampled_from("ABC"[: len(rounds[0])])), draw(st.integers(-60, 60))


@settings(max_examples=examples(200), deadline=None)
@given(cases())
def test_value_is_enough_and_one_less_is_not(
    case: tuple[Mapping[str, Any], list[SeasonEvening], str, int],
) -> None:
    raw_rules, evenings, player, goal = case
    rules = StandingsRules.from_json(raw_rules)

    def row(value: Any) -> RankingRow:
        more = [] if value is None else [SeasonEvening("next", "2026-02-01", [PlayerEvening(player, value)])]
        return next(row for row in standings(rules, [*evenings, *more]) if row.player == player)

    current = row(None)
    attended = [evening for evening in evenings if any(result.player == player for result in evening.results)]
    position = next((index for index, evening in enumerate(attended) if evening.final), None)
    season = SeasonSoFar(
        [current.worth[evening.id] for evening in attended],
        [evening.weight for evening in attended],
        SeasonFinal(any(evening.final for evening in evenings), position) if rules.final else SeasonFinal(),
        sum(row(0).extras.values()),
    )
    target = next_evening_target(rules, season, goal)
    if target is None:
        assert row(10**6).total <= goal
    else:
        value = int(target.value)
        assert value == target.value
        after = row(value)
        assert after.total == total_after(rules, season, value)[0] > goal
        assert value == -VALUE_LIMIT or row(value - 1).total <= goal
        assert {attended[index].id for index in target.dropped_indexes} == set(current.counted) - set(after.counted)
