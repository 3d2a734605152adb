"""The draw of an evening: what holds for every draw, and what is promised for known ones."""

import subprocess
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.draw.draw_warnings import draw_warnings
from league.draw.plan import plan
from league.draw.sizes import table_sizes
from league.draw.terms import ImpossibleDraw, Person, Plan, Wishes, ordered

FREE = (3, 4, 5)
FEW = 10  # steps of search where it doesn't matter how good the draw is


def people(number: int) -> list[Person]:
    return [Person(player) for player in range(1, number + 1)]


def codes(found: Plan) -> Counter[str]:
    return Counter(warning.code for warning in found.warnings)


def out(found: Plan) -> Counter[int]:
    return Counter(player for sitting in found.rounds for player in (*sitting.resting, *sitting.exempt))


# Known evenings


def test_sixteen_people_meet_everyone_once_in_five_rounds() -> None:
    found = plan(people(16), range(1, 6), Wishes(sizes=(4,)), seed=1)
    met = Counter(
        ordered(*two) for sitting in found.rounds for table in sitting.tables for two in combinations(table, 2)
    )
    assert met == dict.fromkeys(combinations(range(1, 17), 2), 1)
    assert found.warnings == ()


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
    assert codes(plan(people(number), range(1, rounds + 1), Wishes(sizes=sizes), seed=3)) == {}


def test_thirteen_people_sit_at_four_four_and_five_and_share_the_five() -> None:
    found = plan(people(13), range(1, 6), Wishes(sizes=FREE), seed=1)
    assert [sorted(map(len, sitting.tables)) for sitting in found.rounds] == [[4, 4, 5]] * 5
    fives = Counter(
        player for sitting in found.rounds for table in sitting.tables if len(table) == 5 for player in table
    )
    assert set(fives.values()) <= {1, 2, 3}
    assert len(fives) == 13


def test_when_fives_are_not_allowed_one_rests_in_turn() -> None:
    found = plan(people(13), range(1, 14), Wishes(sizes=(4,)), seed=1, steps=FEW)
    assert out(found) == dict.fromkeys(range(1, 14), 1)


def test_who_sat_out_least_this_season_is_next() -> None:
    rested = {player: 2 for player in range(1, 14) if player not in (4, 9)}
    found = plan(people(13), range(1, 3), Wishes(sizes=(4,), rested=rested), seed=1)
    assert set(out(found)) == {4, 9}


def test_who_comes_for_two_rounds_is_the_last_to_rest() -> None:
    late = [*people(12), Person(13, from_round=4)]
    found = plan(late, range(4, 6), Wishes(sizes=(4,)), seed=2)
    assert 13 not in out(found)


def test_apart_are_kept_apart() -> None:
    apart = frozenset({(1, 2), (3, 4), (1, 3)})
    found = plan(people(16), range(1, 6), Wishes(sizes=(4,), apart=apart), seed=1)
    assert codes(found)["apart"] == 0


def test_a_design_gives_way_to_the_season() -> None:
    """In three rounds of sixteen each meets nine of fifteen: nobody must meet either of the two he met already."""
    met = {(one, one + 1): 3 for one in range(1, 16)}
    found = plan(people(16), range(1, 4), Wishes(sizes=(4,), met=met), seed=1)
    together = {ordered(*two) for each in found.rounds for table in each.tables for two in combinations(table, 2)}
    assert codes(found) == {}
    assert len(together & met.keys()) <= 4


def test_a_fixed_table_is_kept_also_with_a_number_that_no_other_table_reaches() -> None:
    fixed = {3: 7, 4: 2, 5: 2}
    there = [person._replace(fixed_table=fixed.get(person.player)) for person in people(21)]
    found = plan(there, range(1, 5), Wishes(sizes=FREE), seed=1)
    assert codes(found)["fixed_table"] == 0
    for sitting in found.rounds:
        tables = dict(sitting.numbered())
        assert set(tables) == {1, 2, 3, 4, 7}
        assert 3 in tables[7]
        assert {4, 5} <= set(tables[2])


def test_too_many_at_a_fixed_table_is_a_flaw() -> None:
    there = [person._replace(fixed_table=1) for person in people(8)]
    assert codes(plan(there, range(1, 2), Wishes(sizes=(4,)), seed=1)) == {"fixed_table": 4}


def test_the_strongest_is_first() -> None:
    wishes = Wishes(sizes=(4,), strong_first=True, strengths={player: player % 5 for player in range(1, 9)})
    for table in plan(people(8), range(1, 2), wishes, seed=1).rounds[0].tables:
        strengths = [wishes.strengths[player] for player in table]
        assert strengths == sorted(strengths, reverse=True)


def test_a_new_plan_remembers_the_rounds_that_stand() -> None:
    wishes = Wishes(sizes=(4,))
    first = plan(people(28), range(1, 5), wishes, seed=1)
    left = [person._replace(to_round=2) if person.player < 5 else person for person in people(28)]
    again = plan(left, range(3, 5), wishes, played=first.rounds[:2], seed=2)
    assert [sitting.number for sitting in again.rounds] == [3, 4]
    assert all(min(table) >= 5 for sitting in again.rounds for table in sitting.tables)
    assert codes(again) == {}


def test_too_few_people() -> None:
    with pytest.raises(ImpossibleDraw) as raised:
        plan([Person(1), Person(2), Person(3, to_round=1)], range(1, 3), Wishes(sizes=(3, 4)), seed=1)
    assert (raised.value.code, raised.value.round) == ("too_few", 2)


# What holds for every draw


@st.composite
def evenings(draw: st.DrawFn) -> tuple[list[Person], Wishes]:
    number = draw(st.integers(8, 22))
    pairs = draw(st.booleans())
    there = []
    for player in range(1, number + 1):
        come = draw(st.sampled_from([1, 1, 1, 2]))
        gone = draw(st.sampled_from([None, None, None, 2]))
        fixed = draw(st.sampled_from([None] * 6 + [1, 2, 9]))
        partner = player + 1 if pairs and player % 2 and player < number and draw(st.booleans()) else None
        there.append(Person(player, come, gone, fixed, partner))
    two = st.lists(st.integers(1, number), min_size=2, max_size=2, unique=True).map(lambda ids: (min(ids), max(ids)))
    wishes = Wishes(
        sizes=(4,) if pairs else draw(st.sampled_from([(4,), (3, 4, 5), (2, 3), (5,), (4, 5)])),
        pairs=pairs,
        keep_partners=pairs and draw(st.booleans()),
        by_ranking=draw(st.sampled_from([False, False, True])),
        apart=draw(st.frozensets(two, max_size=3)),
        met=draw(st.dictionaries(two, st.integers(1, 9), max_size=5)),
        ranking=tuple(draw(st.permutations(range(1, number + 1)))),
    )
    return there, wishes


@settings(max_examples=60, deadline=None)
@given(evenings(), st.integers(-(2**63), 2**63 - 1), st.randoms(use_true_random=False))
def test_everyone_there_has_one_place_at_a_size_of_the_season(
    evening: tuple[list[Person], Wishes], seed: int, order: object
) -> None:
    there, wishes = evening
    try:
        found = plan(there, range(1, 4), wishes, seed=seed, steps=FEW)
    except ImpossibleDraw:
        fewest = min(sum(person.is_there(number) for person in there) for number in (1, 2, 3))
        assert fewest < (4 if wishes.pairs else min(wishes.sizes))
        return
    never = {"unseated", "absent", "seated_twice", "size"}
    assert not never & codes(found).keys()
    assert [sitting.number for sitting in found.rounds] == ([1] if wishes.by_ranking else [1, 2, 3])
    order.shuffle(mixed := list(there))  # type: ignore[attr-defined]  # a Random, which the strategy doesn't say
    assert plan(mixed, range(1, 4), wishes, seed=seed, steps=FEW) == found
    later = plan(there, range(2, 4), wishes, played=found.rounds[:1], seed=seed, steps=FEW)
    assert not never & codes(later).keys()
    assert draw_warnings(later.rounds, wishes, there, found.rounds[:1]) == later.warnings


@settings(max_examples=30, deadline=None)
@given(st.integers(5, 30), st.integers(1, 6), st.sampled_from([(4,), (3,), (5,), (4, 6)]), st.integers(0, 99))
def test_nobody_rests_twice_before_all_have_rested_once(
    number: int, rounds: int, sizes: tuple[int, ...], seed: int
) -> None:
    found = plan(people(number), range(1, rounds + 1), Wishes(sizes=sizes), seed=seed, steps=FEW)
    rests = [out(found)[player] for player in range(1, number + 1)]
    assert max(rests) - min(rests) <= 1


# Reproducible


def test_another_process_draws_the_same() -> None:
    program = (
        "from league.draw.plan import plan\n"
        "from league.draw.terms import Person, Wishes\n"
        "there = [Person(player) for player in range(1, 23)]\n"
        "wishes = Wishes(sizes=(3, 4, 5), apart=frozenset({(1, 2), (5, 9), (3, 4)}), met={(1, 7): 2})\n"
        "print(plan(there, range(1, 4), wishes, seed=7, steps=100))\n"
    )
    root = Path(__file__).parents[3]
    answers = {
        subprocess.run(
            [sys.executable, "-c", program], cwd=root, env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1
    wishes = Wishes(sizes=FREE, apart=frozenset({(1, 2), (5, 9), (3, 4)}), met={(1, 7): 2})
    assert answers.pop().decode().strip() == str(plan(people(22), range(1, 4), wishes, seed=7, steps=100))


@given(st.integers(3, 120))
def test_sizes_use_everyone_with_as_few_threes_as_can_be(number: int) -> None:
    sizes = table_sizes(number, FREE, number=1)
    assert sum(sizes) == number
    assert sizes.count(3) <= (2 if number == 6 else 1)
