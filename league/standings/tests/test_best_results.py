from __future__ import annotations

from fractions import Fraction

import pytest

from league.standings.best_results import rank_groups, sum_of_best
from league.standings.season import ExactNumber


@pytest.mark.parametrize(
    ("values", "number", "expected"),
    [
        ([40, 10, 30, 20], 2, 70),  # 40 + 30: neither the first two nor the lowest two
        ([40, 10, 30, 20], None, 100),
        ([-5, -20, -10], 2, -15),  # negative points count too: two of three, not "only what helps"
        ([12], 3, 12),  # fewer members than count
        ([Fraction(1, 3), 2, Fraction(1, 6)], 2, Fraction(7, 3)),  # averages stay exact
    ],
)
def test_highest_values_are_added(values: list[ExactNumber], number: int | None, expected: ExactNumber) -> None:
    assert sum_of_best({index: (value,) for index, value in enumerate(values)}, number).totals == (expected,)


def test_second_value_chooses_and_separates_members_of_equal_score() -> None:
    groups = {
        "a": {1: (3, 50), 2: (2, 90), 3: (2, 95)},  # 3 + 2 wins, 50 + 95 points
        "b": {4: (4, 60), 5: (1, 80)},  # 5 wins, 140 points
        "c": {6: (5, 145)},  # as "a"
        "d": {},
    }
    rows = [(row.group, row.rank, row.best.totals, row.best.counted) for row in rank_groups(groups, 2)]
    assert rows == [("a", 1, (5, 145), (1, 3)), ("c", 1, (5, 145), (6,)), ("b", 3, (5, 140), (4, 5))]
