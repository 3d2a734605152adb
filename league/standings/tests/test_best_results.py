from __future__ import annotations

from fractions import Fraction

import pytest

from league.standings.best_results import sum_of_best
from league.standings.season import Exact


@pytest.mark.parametrize(
    ("values", "number", "expected"),
    [
        ([40, 10, 30, 20], 2, 70),  # 40 + 30: neither the first two nor the lowest two
        ([40, 10, 30, 20], None, 100),
        ([-5, -20, -10], 2, -15),  # negative points count too: two of three, not "only what helps"
        ([12], 3, 12),  # fewer members than count
        ([], 2, 0),
        ([Fraction(1, 3), 2, Fraction(1, 6)], 2, Fraction(7, 3)),  # averages stay exact
    ],
)
def test_sum_of_best_adds_the_highest_values(values: list[Exact], number: int | None, expected: Exact) -> None:
    assert sum_of_best(values, number) == expected
