"""Properties that hold for any results: the laws of RATINGS.md."""

import datetime
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.rating.expectation import CERTAINTY, expected_score
from players.rating.reference import START_RATING, PlayerRating, Result, Side, State, rate_period, rate_results
from players.rating.tests.leagues import leagues, lengths, states, tables
from scoring import registry
from scoring.rules.interface import TableLength

FRIDAY = datetime.date(2026, 10, 2)
EMPTY_STATE: State[int] = State({}, {})
periods = st.lists(tables(FRIDAY, 1), min_size=1, max_size=4)


@pytest.mark.parametrize("slug", registry.slugs())
def test_every_game_has_lengths_that_can_be_rated(slug: str) -> None:
    length = registry.rules(slug).length
    assert length.length_unit in ("deals", "top")
    assert length.rating_equation in ("club", "published")
    assert length.minimum < length.middle < length.full


@given(st.integers(-3_000_000_000, 3_000_000_000))
def test_two_sides_expect_one_point_together(difference: int) -> None:
    assert expected_score(difference) + expected_score(-difference) == CERTAINTY


@given(st.integers(-1_300_000_000, 1_300_000_000), st.integers(0, 2_000_000))
def test_the_stronger_never_expects_less(difference: int, increase: int) -> None:
    assert expected_score(difference + increase) >= expected_score(difference)


@given(leagues(), lengths)
def test_ratings_add_up_to_1000_a_player(results: list[Result[int]], length: TableLength) -> None:
    ratings = rate_results(results, length).state.ratings
    assert sum(rating.micro for rating in ratings.values()) == START_RATING * len(ratings)


@given(states(), periods, lengths)
def test_every_move_is_a_line_and_lines_cancel(
    state: State[int], results: list[Result[int]], length: TableLength
) -> None:
    changes = rate_period(state, results, length)
    assert sum(sum(line.gains) for line in changes.lines) == 0
    for player, after in changes.ratings.items():
        lines = [line for line in changes.lines if player in line.side]
        assert after.micro - state.ratings[player].micro == sum(line.gains[line.side.index(player)] for line in lines)


@given(states(), periods, lengths, st.data())
def test_order_never_matters(
    state: State[int], results: list[Result[int]], length: TableLength, data: st.DataObject
) -> None:
    def shuffled(result: Result[int]) -> Result[int]:
        sides = [Side(tuple(data.draw(st.permutations(side.players))), side.total) for side in result.sides]
        return result._replace(sides=tuple(data.draw(st.permutations(sides))))

    shuffled_results = data.draw(st.permutations([shuffled(result) for result in results]))
    changes, shuffled_changes = rate_period(state, results, length), rate_period(state, shuffled_results, length)
    assert (changes.ratings, changes.first_meetings) == (shuffled_changes.ratings, shuffled_changes.first_meetings)
    assert sorted(changes.lines) == sorted(shuffled_changes.lines)


@given(states(), periods, lengths, st.data())
def test_a_better_place_never_costs_rating(
    state: State[int], results: list[Result[int]], length: TableLength, data: st.DataObject
) -> None:
    result = results[0]
    index = data.draw(st.integers(0, len(result.sides) - 1))
    side = result.sides[index]
    better = side._replace(total=side.total + data.draw(st.integers(1, 20)))
    improved = result._replace(sides=(*result.sides[:index], better, *result.sides[index + 1 :]))
    before = rate_period(state, results, length).ratings
    after = rate_period(state, [improved, *results[1:]], length).ratings
    for player in side.players:
        assert after.get(player, state.ratings[player]).micro >= before.get(player, state.ratings[player]).micro


@given(tables(FRIDAY, 1), lengths, st.integers(-900_000_000, 3_500_000_000))
def test_equals_who_all_tie_stay(result: Result[int], length: TableLength, micro: int) -> None:
    tied = result._replace(sides=tuple(side._replace(total=20) for side in result.sides))
    state = State({player: PlayerRating(micro) for side in tied.sides for player in side.players}, {})
    assert {ratings.micro for ratings in rate_period(state, [tied], length).ratings.values()} <= {micro}


@given(states(), periods, lengths, st.integers(-(10**9), 10**9))
def test_shifting_everyone_shifts_everyone(
    state: State[int], results: list[Result[int]], length: TableLength, shift: int
) -> None:
    def shifted(ratings: dict[int, PlayerRating]) -> dict[int, PlayerRating]:
        return {player: rating._replace(micro=rating.micro + shift) for player, rating in ratings.items()}

    shifted_changes = rate_period(State(shifted(dict(state.ratings)), {}), results, length)
    assert shifted_changes.ratings == shifted(dict(rate_period(state, results, length).ratings))


@given(leagues(), lengths, st.data())
def test_resuming_from_a_checkpoint_is_the_full_recompute(
    results: list[Result[int]], length: TableLength, data: st.DataObject
) -> None:
    full = rate_results(results, length)
    cut = data.draw(st.sampled_from([result.date for result in results]))
    earlier = rate_results([result for result in results if result.date < cut], length)
    # The state by the checkpoints: each player's last step, and the pairs who met before the cut.
    ratings = {step.player: step.rating for step in full.steps if step.date < cut}
    first_meetings = {pair: date for pair, date in full.state.first_meetings.items() if date < cut}
    assert State(ratings, first_meetings) == earlier.state
    later = rate_results([result for result in results if result.date >= cut], length, State(ratings, first_meetings))
    assert later.state == full.state
    assert earlier.steps + later.steps == full.steps


@given(states(), periods, lengths)
def test_arguments_stay_as_they_are(state: State[int], results: Sequence[Result[int]], length: TableLength) -> None:
    ratings, first_meetings = dict(state.ratings), dict(state.first_meetings)
    rate_period(state, results, length)
    rate_results(results, length, state)
    assert (state.ratings, state.first_meetings) == (ratings, first_meetings)
