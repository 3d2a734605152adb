"""arrays.py computes exactly the numbers of reference.py."""

import datetime
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.rating import k_factor, tables
from players.rating.arrays import RatedTables, history, rate_tables, replace_by_expectations
from players.rating.expectation import MICRO_POINTS_PER_POINT, expected_score
from players.rating.experience import Ints, experience_factors, sort_with_indexes
from players.rating.reference import PlayerRating, Result, Side, rate_results
from players.rating.state import EMPTY_STATE, History, state_after
from players.rating.tests.leagues import DEALS, TOP, arrays, dates, leagues, lengths
from scoring.rules.interface import TableLength

DATE = datetime.date(2026, 10, 2)


def agree(results: list[Result[int]], length: TableLength) -> None:
    pure = rate_results(results, length)
    rated = rate_tables(*arrays(results), length)
    computed = history(rated)
    assert final(rated) == {
        player: (rating.micro, rating.experience) for player, rating in sorted(pure.state.ratings.items())
    }
    assert checkpoints(computed) == {(step.player, step.date): step.rating for step in pure.steps}
    assert meetings(computed) == pure.state.first_meetings


def final(rated: RatedTables) -> dict[int, tuple[int, int]]:
    columns = zip(rated.player.tolist(), rated.micro.tolist(), rated.experience.tolist(), strict=True)
    return {player: (micro, n) for player, micro, n in columns}


def checkpoints(computed: History) -> dict[tuple[int, datetime.date], PlayerRating]:
    return {
        (player, date): PlayerRating(micro, n, tables, dates, opponents, date)
        for player, date, micro, n, tables, dates, opponents in zip(
            *(column.tolist() for column in computed.steps), strict=True
        )
    }


def meetings(computed: History) -> dict[tuple[int, int], datetime.date]:
    first_meetings = zip(*(column.tolist() for column in computed.meetings), strict=True)
    return {(low, high): date for low, high, date in first_meetings}


def expected_by_lines(ratings: Ints, opponents: int) -> list[int]:
    replace_by_expectations(ratings, np.full(len(ratings), opponents), np.empty(len(ratings), dtype=np.int64))
    return [int(rating) for rating in ratings]


@given(leagues(), lengths)
def test_same_ratings_history_and_meetings(results: list[Result[int]], length: TableLength) -> None:
    agree(results, length)


@given(leagues(), lengths)
def test_blocks_of_a_few_rows_carry_over(results: list[Result[int]], length: TableLength) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "ROWS_PER_BLOCK", 5)
        agree(results, length)


@given(leagues(), lengths, st.lists(dates, max_size=3))
def test_continuing_from_any_date_equals_a_full_computation(
    results: list[Result[int]], length: TableLength, cuts: list[datetime.date]
) -> None:
    steps: dict[tuple[int, datetime.date], PlayerRating] = {}
    first_meetings: dict[tuple[int, int], datetime.date] = {}
    state = EMPTY_STATE
    for first, end in pairwise([datetime.date.min, *sorted(cuts), datetime.date.max]):
        part = [result for result in results if first <= result.date < end]
        computed = history(rate_tables(*arrays(part), length, state))
        state = state_after(state, computed)
        steps |= checkpoints(computed)
        first_meetings |= meetings(computed)
    pure = rate_results(results, length)
    assert steps == {(step.player, step.date): step.rating for step in pure.steps}
    assert first_meetings == pure.state.first_meetings
    assert state.player.tolist() == sorted(pure.state.ratings)
    assert state.ratings.micro.tolist() == [rating.micro for _player, rating in sorted(pure.state.ratings.items())]


def test_nothing_and_nothing_rated() -> None:
    agree([], DEALS)
    agree([Result(DATE, 1, (Side((1,), 5), Side((2,), 3)), 1)], DEALS)


def test_large_ids() -> None:
    agree([Result(DATE, 1, (Side((2**62,), 5), Side((7, 2**40), 3)), 20)], DEALS)


def test_keys_that_cannot_be_sorted_with_their_place_are_refused() -> None:
    with pytest.raises(ValueError, match="too many"):
        sort_with_indexes(np.array([2**62, 1]))


def test_long_season_of_the_same_people() -> None:
    """300 rounds of two tables of four lead to a wide range of ratings and a large n."""
    random = np.random.default_rng(7)
    results = []
    for number in range(300):
        people = random.permutation(8) + 1
        for half in (people[:4], people[4:]):
            # The better player usually wins, so that rating differences grow further than with random totals.
            sides = tuple(Side((int(player),), int(player) * 3 + int(random.integers(0, 5))) for player in half)
            results.append(Result(DATE + datetime.timedelta(days=number), 1, sides, int(random.integers(3, 24))))
    agree(results, DEALS)
    agree(results, DEALS._replace(rating_equation="published"))


def cut(people: list[int], sizes: list[int], random: np.random.Generator) -> tuple[Side[int], ...]:
    """Distribute the people over sides of these sizes, with totals that sometimes tie."""
    ends = np.cumsum(sizes).tolist()
    totals = random.integers(0, 4, len(sizes)).tolist()
    return tuple(
        Side(tuple(people[end - size : end]), total) for size, end, total in zip(sizes, ends, totals, strict=True)
    )


@pytest.mark.parametrize(
    "shapes",
    [
        [[2, 2]],  # belote: all sides alike
        [[2, 2], [2, 2, 2]],  # alike, in tables of two and of three sides
        [[1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1, 1]],  # tables of three to five players
        [[2, 2], [1, 2], [3, 1], [1, 1]],  # several batches in a period, and pots with a remainder
    ],
)
def test_every_shape_of_table_in_one_round(shapes: list[list[int]]) -> None:
    """40 rounds with a table of each shape; each player sits at one table per round."""
    random = np.random.default_rng(5)
    seated = sum(map(sum, shapes))
    results = []
    for number in range(40):
        people = (random.permutation(seated) + 1).tolist()
        date = DATE + datetime.timedelta(days=7 * (number // 2))
        for shape in shapes:
            mine, people = people[: sum(shape)], people[sum(shape) :]
            results.append(Result(date, number % 2, cut(mine, shape, random), int(random.integers(3, 24))))
    for rules in ("club", "published"):
        agree(results, DEALS._replace(rating_equation=rules))


def test_two_tables_in_one_round() -> None:
    """Players with several tables in one round, alone and in pairs, get the sum of their gains."""
    random = np.random.default_rng(3)
    shapes = [[1, 1, 1, 1], [2, 2], [1, 1, 1], [2, 2]]
    agree(
        [
            Result(DATE, number, cut((random.permutation(5) + 1).tolist(), shape, random), 12)
            for number in range(20)
            for shape in shapes
        ],
        DEALS,
    )


def test_draws_on_exact_halves_round_away_from_zero() -> None:
    """With K = 4 points (eleven players) and many ties, one gain in 250 is an exact half of a micro-point."""
    random = np.random.default_rng(11)
    agree(
        [
            Result(DATE, number, tuple(Side((player,), 12 + int(random.integers(0, 2))) for player in range(11)), 9)
            for number in range(1, 61)
        ],
        TOP,
    )


@given(
    st.lists(st.integers(-1_500 * MICRO_POINTS_PER_POINT, 1_500 * MICRO_POINTS_PER_POINT), min_size=1),
    st.integers(-(10**12), 10**12),
)
def test_the_curve_as_lines_is_the_curve(differences: list[int], shift: int) -> None:
    assert expected_by_lines(np.array(differences) + shift, shift) == [
        expected_score(difference) for difference in differences
    ]


def test_the_curve_as_lines_at_its_corners() -> None:
    corners = [
        points * MICRO_POINTS_PER_POINT + rest for points in (-1201, -1200, -1, 0, 1, 1199, 1200) for rest in (-1, 0, 1)
    ]
    assert expected_by_lines(np.array(corners), 0) == [expected_score(difference) for difference in corners]


@given(st.lists(st.integers(0, 10**9), min_size=1))
def test_factors(n: list[int]) -> None:
    assert experience_factors(np.array(n)).tolist() == [k_factor.experience_factor(count) for count in n]
