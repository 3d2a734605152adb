"""What holds for any results: the laws of RATINGS.md."""

import datetime
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from players.rating.expectation import CERTAIN, expected
from players.rating.reference import START, Held, Result, Side, State, rate_period, recompute
from players.rating.tests.leagues import leagues, lengths, states, tables
from scoring import registry
from scoring.rules.interface import Length

FRIDAY = datetime.date(2026, 10, 2)
NOBODY: State[int] = State({}, {})
periods = st.lists(tables(FRIDAY, 1), min_size=1, max_size=4)


@pytest.mark.parametrize("slug", registry.slugs())
def test_every_game_has_lengths_that_can_be_rated(slug: str) -> None:
    length = registry.rules(slug).length
    assert length.measure in ("deals", "top")
    assert length.rules in ("club", "published")
    assert length.minimum < length.middle < length.full


@given(st.integers(-3_000_000_000, 3_000_000_000))
def test_two_sides_expect_one_point_together(difference: int) -> None:
    assert expected(difference) + expected(-difference) == CERTAIN


@given(st.integers(-1_300_000_000, 1_300_000_000), st.integers(0, 2_000_000))
def test_the_stronger_never_expects_less(difference: int, more: int) -> None:
    assert expected(difference + more) >= expected(difference)


@given(leagues(), lengths)
def test_ratings_add_up_to_1000_a_player(results: list[Result[int]], length: Length) -> None:
    held = recompute(results, length).state.held
    assert sum(each.micro for each in held.values()) == START * len(held)


@given(states(), periods, lengths)
def test_every_move_is_a_line_and_lines_cancel(state: State[int], results: list[Result[int]], length: Length) -> None:
    changes = rate_period(state, results, length)
    assert sum(sum(line.moved) for line in changes.lines) == 0
    for player, after in changes.held.items():
        lines = [line for line in changes.lines if player in line.side]
        assert after.micro - state.held[player].micro == sum(line.moved[line.side.index(player)] for line in lines)


@given(states(), periods, lengths, st.data())
def test_order_never_matters(
    state: State[int], results: list[Result[int]], length: Length, data: st.DataObject
) -> None:
    def shuffled(result: Result[int]) -> Result[int]:
        sides = [Side(tuple(data.draw(st.permutations(side.players))), side.total) for side in result.sides]
        return result._replace(sides=tuple(data.draw(st.permutations(sides))))

    others = data.draw(st.permutations([shuffled(result) for result in results]))
    one, other = rate_period(state, results, length), rate_period(state, others, length)
    assert (one.held, one.met) == (other.held, other.met)
    assert sorted(one.lines) == sorted(other.lines)


@given(states(), periods, lengths, st.data())
def test_a_better_place_never_costs_rating(
    state: State[int], results: list[Result[int]], length: Length, data: st.DataObject
) -> None:
    result = results[0]
    at = data.draw(st.integers(0, len(result.sides) - 1))
    side = result.sides[at]
    better = side._replace(total=side.total + data.draw(st.integers(1, 20)))
    improved = result._replace(sides=(*result.sides[:at], better, *result.sides[at + 1 :]))
    before = rate_period(state, results, length).held
    after = rate_period(state, [improved, *results[1:]], length).held
    for player in side.players:
        assert after.get(player, state.held[player]).micro >= before.get(player, state.held[player]).micro


@given(tables(FRIDAY, 1), lengths, st.integers(-900_000_000, 3_500_000_000))
def test_equals_who_all_tie_stay(result: Result[int], length: Length, micro: int) -> None:
    tied = result._replace(sides=tuple(side._replace(total=20) for side in result.sides))
    state = State({player: Held(micro) for side in tied.sides for player in side.players}, {})
    assert {held.micro for held in rate_period(state, [tied], length).held.values()} <= {micro}


@given(states(), periods, lengths, st.integers(-(10**9), 10**9))
def test_shifting_everyone_shifts_everyone(
    state: State[int], results: list[Result[int]], length: Length, shift: int
) -> None:
    def shifted(held: dict[int, Held]) -> dict[int, Held]:
        return {player: each._replace(micro=each.micro + shift) for player, each in held.items()}

    moved = rate_period(State(shifted(dict(state.held)), {}), results, length)
    assert moved.held == shifted(dict(rate_period(state, results, length).held))


@given(leagues(), lengths, st.data())
def test_resuming_from_a_checkpoint_is_the_full_recompute(
    results: list[Result[int]], length: Length, data: st.DataObject
) -> None:
    full = recompute(results, length)
    cut = data.draw(st.sampled_from([result.date for result in results]))
    earlier = recompute([result for result in results if result.date < cut], length)
    # The state as the checkpoints have it: each player's last step, and the pairs met by then.
    held = {step.player: step.held for step in full.steps if step.date < cut}
    met = {pair: date for pair, date in full.state.met.items() if date < cut}
    assert State(held, met) == earlier.state
    later = recompute([result for result in results if result.date >= cut], length, State(held, met))
    assert later.state == full.state
    assert earlier.steps + later.steps == full.steps


@given(states(), periods, lengths)
def test_arguments_stay_as_they_are(state: State[int], results: Sequence[Result[int]], length: Length) -> None:
    held, met = dict(state.held), dict(state.met)
    rate_period(state, results, length)
    recompute(results, length, state)
    assert (state.held, state.met) == (held, met)
