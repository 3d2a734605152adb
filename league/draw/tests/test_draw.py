"""The draw of an evening: known evenings, and laws that hold for every draw."""

import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.draw.draw_types import ImpossibleDraw, Person, Plan, Wishes, ordered_pair
from league.draw.draw_warnings import draw_warnings
from league.draw.plan import plan_rounds
from league.draw.sizes import table_sizes
from tests.examples import examples

FREE = (3, 4, 5)
FEW = 10  # steps of search where it doesn't matter how good the draw is


def people(number: int) -> list[Person]:
    return [Person(player) for player in range(1, number + 1)]


def codes(drawn: Plan) -> Counter[str]:
    return Counter(warning.code for warning in drawn.warnings)


def out(drawn: Plan) -> Counter[int]:
    return Counter(player for seating in drawn.rounds for player in (*seating.resting, *seating.exempt))


# Known evenings


def test_sixteen_people_meet_everyone_once_in_five_rounds() -> None:
    drawn = plan_rounds(people(16), range(1, 6), Wishes(sizes=(4,)), seed=1)
    meetings = Counter(
        ordered_pair(*two) for seating in drawn.rounds for table in seating.tables for two in combinations(table, 2)
    )
    assert meetings == dict.fromkeys(combinations(range(1, 17), 2), 1)
    assert drawn.warnings == ()


@pytest.mark.parametrize(
    ("number", "rounds", "sizes"),
    [
        (32, 8, (4,)),
        (32, 9, (4,)),
        (25, 6, (5,)),
        (24, 5, (4,)),
        (20, 5, (4,)),
        (9, 4, (3,)),
        (61, 5, FREE),
        (200, 5, FREE),
    ],
)
def test_nobody_meets_twice_where_it_is_possible(number: int, rounds: int, sizes: tuple[int, ...]) -> None:
    assert codes(plan_rounds(people(number), range(1, rounds + 1), Wishes(sizes=sizes), seed=3)) == {}


def test_thirteen_people_sit_at_four_four_and_five_and_share_the_five() -> None:
    drawn = plan_rounds(people(13), range(1, 6), Wishes(sizes=FREE), seed=1)
    assert [sorted(map(len, seating.tables)) for seating in drawn.rounds] == [[4, 4, 5]] * 5
    fives = Counter(
        player for seating in drawn.rounds for table in seating.tables if len(table) == 5 for player in table
    )
    assert set(fives.values()) <= {1, 2, 3}
    assert len(fives) == 13


def test_when_fives_are_not_allowed_one_rests_in_turn() -> None:
    drawn = plan_rounds(people(13), range(1, 14), Wishes(sizes=(4,)), seed=1, steps=FEW)
    assert out(drawn) == dict.fromkeys(range(1, 14), 1)


def test_the_players_with_the_fewest_rests_this_season_rest_next() -> None:
    rests = {player: 2 for player in range(1, 14) if player not in (4, 9)}
    drawn = plan_rounds(people(13), range(1, 3), Wishes(sizes=(4,), rests=rests), seed=1)
    assert set(out(drawn)) == {4, 9}


def test_a_player_present_for_two_rounds_is_the_last_to_rest() -> None:
    late = [*people(12), Person(13, from_round=4)]
    drawn = plan_rounds(late, range(4, 6), Wishes(sizes=(4,)), seed=2)
    assert 13 not in out(drawn)


def test_separations_are_respected() -> None:
    separations = frozenset({(1, 2), (3, 4), (1, 3)})
    drawn = plan_rounds(people(16), range(1, 6), Wishes(sizes=(4,), separations=separations), seed=1)
    assert codes(drawn)["apart"] == 0


def test_a_design_gives_way_to_the_season() -> None:
    """In three rounds of sixteen each player meets nine of fifteen, so the two earlier opponents can be avoided."""
    meetings = {(player, player + 1): 3 for player in range(1, 16)}
    drawn = plan_rounds(people(16), range(1, 4), Wishes(sizes=(4,), meetings=meetings), seed=1)
    together = {
        ordered_pair(*two) for seating in drawn.rounds for table in seating.tables for two in combinations(table, 2)
    }
    assert codes(drawn) == {}
    assert len(together & meetings.keys()) <= 4


def test_a_fixed_table_is_kept_also_with_a_number_that_no_other_table_reaches() -> None:
    fixed = {3: 7, 4: 2, 5: 2}
    present = [person._replace(fixed_table=fixed.get(person.player)) for person in people(21)]
    drawn = plan_rounds(present, range(1, 5), Wishes(sizes=FREE), seed=1)
    assert codes(drawn)["fixed_table"] == 0
    for seating in drawn.rounds:
        tables = dict(seating.numbered_tables())
        assert set(tables) == {1, 2, 3, 4, 7}
        assert 3 in tables[7]
        assert {4, 5} <= set(tables[2])


def test_too_many_at_a_fixed_table_is_a_warning() -> None:
    present = [person._replace(fixed_table=1) for person in people(8)]
    assert codes(plan_rounds(present, range(1, 2), Wishes(sizes=(4,)), seed=1)) == {"fixed_table": 4}


def test_the_strongest_is_first() -> None:
    wishes = Wishes(sizes=(4,), strong_first=True, strengths={player: player % 5 for player in range(1, 9)})
    for table in plan_rounds(people(8), range(1, 2), wishes, seed=1).rounds[0].tables:
        strengths = [wishes.strengths[player] for player in table]
        assert strengths == sorted(strengths, reverse=True)


def test_a_new_plan_counts_the_rounds_played() -> None:
    wishes = Wishes(sizes=(4,))
    first = plan_rounds(people(28), range(1, 5), wishes, seed=1)
    remaining = [person._replace(to_round=2) if person.player < 5 else person for person in people(28)]
    second_plan = plan_rounds(remaining, range(3, 5), wishes, played=first.rounds[:2], seed=2)
    assert [seating.number for seating in second_plan.rounds] == [3, 4]
    assert all(min(table) >= 5 for seating in second_plan.rounds for table in seating.tables)
    assert codes(second_plan) == {}


def test_too_few_people() -> None:
    with pytest.raises(ImpossibleDraw) as raised:
        plan_rounds([Person(1), Person(2), Person(3, to_round=1)], range(1, 3), Wishes(sizes=(3, 4)), seed=1)
    assert (raised.value.code, raised.value.round) == ("too_few", 2)


# Laws of every draw


@st.composite
def evenings(draw: st.DrawFn) -> tuple[list[Person], Wishes]:
    number = draw(st.integers(8, 22))
    pairs = draw(st.booleans())
    present = []
    for player in range(1, number + 1):
        from_round = draw(st.sampled_from([1, 1, 1, 2]))
        to_round = draw(st.sampled_from([None, None, None, 2]))
        fixed = draw(st.sampled_from([None] * 6 + [1, 2, 9]))
        partner = player + 1 if pairs and player % 2 and player < number and draw(st.booleans()) else None
        present.append(Person(player, from_round, to_round, fixed, partner))
    two = st.lists(st.integers(1, number), min_size=2, max_size=2, unique=True).map(lambda ids: (min(ids), max(ids)))
    wishes = Wishes(
        sizes=(4,) if pairs else draw(st.sampled_from([(4,), (3, 4, 5), (2, 3), (5,), (4, 5)])),
        has_pairs=pairs,
        keep_partners=pairs and draw(st.booleans()),
        by_ranking=draw(st.sampled_from([False, False, True])),
        separations=draw(st.frozensets(two, max_size=3)),
        meetings=draw(st.dictionaries(two, st.integers(1, 9), max_size=5)),
        ranking=tuple(draw(st.permutations(range(1, number + 1)))),
    )
    return present, wishes


@settings(max_examples=examples(60), deadline=None)
@given(evenings(), st.integers(-(2**63), 2**63 - 1), st.randoms(use_true_random=False))
def test_everyone_there_has_one_place_at_a_size_of_the_season(
    evening: tuple[list[Person], Wishes], seed: int, order: object
) -> None:
    present, wishes = evening
    try:
        drawn = plan_rounds(present, range(1, 4), wishes, seed=seed, steps=FEW)
    except ImpossibleDraw:
        fewest = min(sum(person.is_present(number) for person in present) for number in (1, 2, 3))
        assert fewest < (4 if wishes.has_pairs else min(wishes.sizes))
        return
    never = {"unseated", "absent", "seated_twice", "size"}
    assert not never & codes(drawn).keys()
    assert [seating.number for seating in drawn.rounds] == ([1] if wishes.by_ranking else [1, 2, 3])
    order.shuffle(mixed := list(present))  # type: ignore[attr-defined]  # a Random, which the strategy doesn't say
    assert plan_rounds(mixed, range(1, 4), wishes, seed=seed, steps=FEW) == drawn
    later = plan_rounds(present, range(2, 4), wishes, played=drawn.rounds[:1], seed=seed, steps=FEW)
    assert not never & codes(later).keys()
    assert draw_warnings(later.rounds, wishes, present, drawn.rounds[:1]) == later.warnings


@settings(max_examples=examples(30), deadline=None)
@given(st.integers(5, 30), st.integers(1, 6), st.sampled_from([(4,), (3,), (5,), (4, 6)]), st.integers(0, 99))
def test_nobody_rests_twice_before_all_have_rested_once(
    number: int, rounds: int, sizes: tuple[int, ...], seed: int
) -> None:
    drawn = plan_rounds(people(number), range(1, rounds + 1), Wishes(sizes=sizes), seed=seed, steps=FEW)
    rests = [out(drawn)[player] for player in range(1, number + 1)]
    assert max(rests) - min(rests) <= 1


# Reproducible


def test_another_process_draws_the_same() -> None:
    program = (
        "from league.draw.plan import plan_rounds\n"
        "from league.draw.draw_types import Person, Wishes\n"
        "there = [Person(player) for player in range(1, 23)]\n"
        "separations = frozenset({(1, 2), (5, 9), (3, 4)})\n"
        "wishes = Wishes(sizes=(3, 4, 5), separations=separations, meetings={(1, 7): 2})\n"
        "print(plan_rounds(there, range(1, 4), wishes, seed=7, steps=100))\n"
    )
    root = Path(__file__).parents[3]
    answers = {
        subprocess.run(
            [sys.executable, "-c", program], cwd=root, env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1
    wishes = Wishes(sizes=FREE, separations=frozenset({(1, 2), (5, 9), (3, 4)}), meetings={(1, 7): 2})
    assert answers.pop().decode().strip() == str(plan_rounds(people(22), range(1, 4), wishes, seed=7, steps=100))


@given(st.integers(3, 120))
def test_sizes_use_everyone_with_as_few_threes_as_can_be(number: int) -> None:
    sizes = table_sizes(number, FREE, round_number=1)
    assert sum(sizes) == number
    assert sizes.count(3) <= (2 if number == 6 else 1)
