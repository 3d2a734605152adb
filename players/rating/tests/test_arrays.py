"""The form on arrays gives the numbers of the pure form, bit for bit."""

import datetime
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.rating import k_factor, tables
from players.rating.arrays import Rated, expectations, history, rate
from players.rating.careers import Ints, factors, in_order
from players.rating.expectation import POINT, expected
from players.rating.reference import Held, Result, Side, recompute
from players.rating.state import NOBODY, History, after
from players.rating.tests.leagues import DEALS, TOP, arrays, dates, leagues, lengths
from scoring.rules.interface import Length

DATE = datetime.date(2026, 10, 2)


def agree(results: list[Result[int]], length: Length) -> None:
    """Compare everything that either form can say."""
    pure = recompute(results, length)
    rated = rate(*arrays(results), length)
    kept = history(rated)
    assert final(rated) == {player: (held.micro, held.n) for player, held in sorted(pure.state.held.items())}
    assert checkpoints(kept) == {(step.player, step.date): step.held for step in pure.steps}
    assert meetings(kept) == pure.state.met


def final(rated: Rated) -> dict[int, tuple[int, int]]:
    columns = zip(rated.player.tolist(), rated.micro.tolist(), rated.n.tolist(), strict=True)
    return {player: (micro, n) for player, micro, n in columns}


def checkpoints(kept: History) -> dict[tuple[int, datetime.date], Held]:
    return {
        (player, date): Held(micro, n, tables, dates, opponents, date)
        for player, date, micro, n, tables, dates, opponents in zip(
            *(column.tolist() for column in kept.steps), strict=True
        )
    }


def meetings(kept: History) -> dict[tuple[int, int], datetime.date]:
    met = zip(*(column.tolist() for column in kept.met), strict=True)
    return {(low, high): date for low, high, date in met}


def expected_by_lines(ratings: Ints, opponents: int) -> list[int]:
    expectations(ratings, np.full(len(ratings), opponents), np.empty(len(ratings), dtype=np.int64))
    return [int(each) for each in ratings]


@given(leagues(), lengths)
def test_same_ratings_history_and_meetings(results: list[Result[int]], length: Length) -> None:
    agree(results, length)


@given(leagues(), lengths)
def test_blocks_of_a_few_rows_carry_over(results: list[Result[int]], length: Length) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "BLOCK", 5)
        agree(results, length)


@given(leagues(), lengths, st.lists(dates, max_size=3))
def test_going_on_from_a_date_is_the_same_as_from_the_first(
    results: list[Result[int]], length: Length, cuts: list[datetime.date]
) -> None:
    """Wherever a history is cut into parts, each from the state that the one before left."""
    steps: dict[tuple[int, datetime.date], Held] = {}
    met: dict[tuple[int, int], datetime.date] = {}
    state = NOBODY
    for first, end in pairwise([datetime.date.min, *sorted(cuts), datetime.date.max]):
        part = [result for result in results if first <= result.date < end]
        kept = history(rate(*arrays(part), length, state))
        state = after(state, kept)
        steps |= checkpoints(kept)
        met |= meetings(kept)
    pure = recompute(results, length)
    assert steps == {(step.player, step.date): step.held for step in pure.steps}
    assert met == pure.state.met
    assert state.player.tolist() == sorted(pure.state.held)
    assert state.held.micro.tolist() == [held.micro for _player, held in sorted(pure.state.held.items())]


def test_nothing_and_nothing_rated() -> None:
    agree([], DEALS)
    agree([Result(DATE, 1, (Side((1,), 5), Side((2,), 3)), 1)], DEALS)


def test_large_ids() -> None:
    agree([Result(DATE, 1, (Side((2**62,), 5), Side((7, 2**40), 3)), 20)], DEALS)


def test_keys_that_cannot_be_sorted_with_their_place_are_refused() -> None:
    with pytest.raises(ValueError, match="too many"):
        in_order(np.array([2**62, 1]))


def test_long_season_of_the_same_people() -> None:
    """300 rounds of two tables of four: ratings far apart, n large."""
    random = np.random.default_rng(7)
    results = []
    for number in range(300):
        people = random.permutation(8) + 1
        for half in (people[:4], people[4:]):
            # The better player usually wins, so that differences grow past what random totals would give.
            sides = tuple(Side((int(who),), int(who) * 3 + int(random.integers(0, 5))) for who in half)
            results.append(Result(DATE + datetime.timedelta(days=number), 1, sides, int(random.integers(3, 24))))
    agree(results, DEALS)
    agree(results, DEALS._replace(rules="published"))


def cut(people: list[int], sizes: list[int], random: np.random.Generator) -> tuple[Side[int], ...]:
    """Return the people in turn on sides of these sizes, with totals that sometimes tie."""
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
        [[1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1, 1]],  # tables of three to five, as thirteen people sit
        [[2, 2], [1, 2], [3, 1], [1, 1]],  # several batches in a period, and pots that don't share out evenly
    ],
)
def test_every_shape_of_table_in_one_round(shapes: list[list[int]]) -> None:
    """40 rounds with a table of each shape, everyone at one of them."""
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
        agree(results, DEALS._replace(rules=rules))


def test_two_tables_in_one_round() -> None:
    """The same people at several tables of one round, alone and in pairs: each gets the sum of all."""
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
    """With K = 4 points one pair in 250 moves by an exact half of a micro-point: eleven people, nearly always tied."""
    random = np.random.default_rng(11)
    agree(
        [
            Result(DATE, number, tuple(Side((who,), 12 + int(random.integers(0, 2))) for who in range(11)), 9)
            for number in range(1, 61)
        ],
        TOP,
    )


@given(st.lists(st.integers(-1_500 * POINT, 1_500 * POINT), min_size=1), st.integers(-(10**12), 10**12))
def test_the_curve_as_lines_is_the_curve(differences: list[int], shift: int) -> None:
    assert expected_by_lines(np.array(differences) + shift, shift) == [expected(each) for each in differences]


def test_the_curve_as_lines_at_its_corners() -> None:
    near = [whole * POINT + rest for whole in (-1201, -1200, -1, 0, 1, 1199, 1200) for rest in (-1, 0, 1)]
    assert expected_by_lines(np.array(near), 0) == [expected(each) for each in near]


@given(st.lists(st.integers(0, 10**9), min_size=1))
def test_factors(n: list[int]) -> None:
    assert factors(np.array(n)).tolist() == [k_factor.factor(each) for each in n]
