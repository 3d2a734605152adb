"""What the next evening has to bring: enough, and one less is not."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.standings.choice import Final
from league.standings.next_evening import MOST, EveningLimits, OwnSeason, needed, possible, total_after
from league.standings.ranking import StandingRow, standings
from league.standings.rules import read_rules
from league.standings.season import Exact, PlayerEvening, SeasonEvening
from league.standings.tests import seasons
from league.standings.worth import WORTHS


def test_best_two_of_three_drops_the_worst_that_counts() -> None:
    rules = read_rules({"counts": {"which": "best", "n": 2}})
    found = needed(rules, OwnSeason([10, 8, 3], [1, 1, 1], Final(), 0), 24)
    assert found is not None
    assert (found.value, found.drops) == (15, (1,))  # 10 + 15 = 25


def test_one_evening_cannot_lift_a_mean_of_its_own_above_any_number() -> None:
    rules = read_rules({"counts": {"which": "average"}})
    assert needed(rules, OwnSeason([10], [1], Final(), 0), 10**7) is None


ONE_BEHIND = OwnSeason([10], [1], Final(), 0)
THREE_TABLES = EveningLimits(tables=3, opponents=(2, 3), never_negative=True)


@pytest.mark.parametrize(
    ("worth", "goal", "value"),
    [
        ({"by": "points"}, 10, 1),
        ({"by": "points"}, 4, 0),  # an evening costs no points in such a game
        ({"by": "wins", "win": 4, "loss": 2, "exempt": 3}, 10, 2),  # and not 1, which no result gives
        ({"by": "wins", "win": 4, "loss": 2, "exempt": 3}, 19, 10),
        ({"by": "wins", "win": 4, "loss": 2, "exempt": 3}, 22, None),  # three tables give 12 at most
        ({"by": "wins", "win": 4, "loss": 2, "exempt": 3, "plus_points": True}, 22, 13),
        ({"by": "opponents"}, 10, Fraction(1, 12)),
        ({"by": "opponents"}, 13, None),
        ({"by": "average"}, 10, Fraction(1, 100)),
    ],
)
def test_value_that_is_enough_is_one_that_an_evening_can_have(
    worth: dict[str, Any], goal: int, value: Exact | None
) -> None:
    rules = read_rules({"worth": worth})
    found = needed(rules, ONE_BEHIND, goal, possible(rules, THREE_TABLES))
    assert (found and found.value) == value
    losing = THREE_TABLES._replace(never_negative=False)
    if worth == {"by": "points"}:
        lower = needed(rules, ONE_BEHIND, 4, possible(rules, losing))
        assert lower is not None
        assert lower.value == -5


def test_every_rule_of_worth_says_what_an_evening_can_be_worth() -> None:
    rules = [read_rules({"worth": worth}) for worth in EXAMPLES.values()]
    assert {each.worth.name for each in rules} == set(WORTHS)
    for each in rules:
        among = possible(each, THREE_TABLES)
        ends = [among.value(at) for at in (0, len(among) - 1)]
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
    """Rules by points, evenings of weights from 1, somebody who attended one, and a number to pass."""
    rules = draw(seasons.rules()) | {"worth": {"by": "points"}, "ties": []}
    points = st.integers(-20, 20)
    rounds = draw(st.lists(st.lists(points, min_size=1, max_size=3), min_size=1, max_size=6))
    final = draw(st.integers(0, len(rounds)))
    held = [
        SeasonEvening(
            f"e{number}",
            f"2026-01-{number + 1:02}",
            [PlayerEvening(player, each) for player, each in zip("ABC", results, strict=False)],
            weight=draw(st.integers(1, 3)),
            final=number == final,
        )
        for number, results in enumerate(rounds)
    ]
    return rules, held, draw(st.sampled_from("ABC"[: len(rounds[0])])), draw(st.integers(-60, 60))


@settings(max_examples=200, deadline=None)
@given(cases())
def test_value_is_enough_and_one_less_is_not(
    case: tuple[Mapping[str, Any], list[SeasonEvening], str, int],
) -> None:
    told, held, player, goal = case
    rules = read_rules(told)

    def row(value: Any) -> StandingRow:
        more = [] if value is None else [SeasonEvening("next", "2026-02-01", [PlayerEvening(player, value)])]
        return next(row for row in standings(rules, [*held, *more]) if row.player == player)

    now = row(None)
    there = [evening for evening in held if any(each.player == player for each in evening.results)]
    at = next((at for at, evening in enumerate(there) if evening.final), None)
    own = OwnSeason(
        [now.worth[evening.id] for evening in there],
        [evening.weight for evening in there],
        Final(any(evening.final for evening in held), at) if rules.final else Final(),
        sum(row(0).extras.values()),
    )
    found = needed(rules, own, goal)
    if found is None:
        assert row(10**6).total <= goal
    else:
        value = int(found.value)
        assert value == found.value
        after = row(value)
        assert after.total == total_after(rules, own, value)[0] > goal
        assert value == -MOST or row(value - 1).total <= goal
        assert {there[at].id for at in found.drops} == set(now.counted) - set(after.counted)
