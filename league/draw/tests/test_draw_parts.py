"""The parts of the draw: sizes, designs, numbers of tables, and the search's arithmetic."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.draw.costs import evening_costs
from league.draw.designs import FINITE_FIELDS, design_without_rematches, finite_field_tables, reduce_pair_costs
from league.draw.draw_types import ImpossibleDraw, Seating, Wishes
from league.draw.search import Search
from league.draw.seat_exchanges import UnseatedRound
from league.draw.sizes import table_sizes, usual_size
from league.draw.table_seats import groups_by_table_number, table_numbers
from tests.examples import examples


@pytest.mark.parametrize(
    ("people", "allowed", "sizes"),
    [
        (6, (3, 4, 5), (3, 3)),
        (7, (3, 4, 5), (3, 4)),
        (10, (3, 4, 5), (5, 5)),
        (11, (3, 4, 5), (3, 4, 4)),
        (13, (3, 4, 5), (4, 4, 5)),
        (14, (3, 4, 5), (4, 5, 5)),
        (25, (5,), (5, 5, 5, 5, 5)),
        (11, (4, 5), (5, 5)),  # one rests, not two as with 4 + 5
        (13, (4,), (4, 4, 4)),
        (6, (2, 4), (2, 4)),
        (11, tuple(range(2, 11)), (3, 4, 4)),
        (8, (3, 5), (3, 5)),
        (2, (2, 3), (2,)),
    ],
)
def test_sizes_as_clubs_seat_them(people: int, allowed: tuple[int, ...], sizes: tuple[int, ...]) -> None:
    assert table_sizes(people, allowed, round_number=1) == sizes


def test_without_a_table_there_is_no_draw() -> None:
    for people, sizes, code in ((2, (3, 4), "too_few"), (8, (), "no_sizes"), (8, (1,), "no_sizes")):
        with pytest.raises(ImpossibleDraw) as raised:
            table_sizes(people, sizes, round_number=1)
        assert raised.value.code == code


def test_the_usual_size_is_four_or_next_to_it() -> None:
    assert [usual_size(sizes) for sizes in ((3, 4, 5), (3, 5), (2, 3), (5, 6), (2,))] == [4, 5, 3, 5, 2]


@pytest.mark.parametrize("elements", FINITE_FIELDS)
def test_fields_are_fields(elements: int) -> None:
    plus, times = finite_field_tables(elements)
    everything = list(range(elements))
    for row in range(elements):
        assert sorted(plus[row]) == everything
        assert row == 0 or sorted(times[row]) == everything
    assert (plus == plus.T).all()
    assert (times == times.T).all()
    assert (times[:, plus] == plus[times[:, :, None], times[:, None, :]]).all()  # a(b + c) = ab + ac


@settings(max_examples=examples(150), deadline=None)
@given(st.integers(2, 40), st.integers(2, 8), st.integers(0, 40), st.integers(1, 12))
def test_in_a_design_nobody_meets_twice(tables: int, size: int, lacking: int, rounds: int) -> None:
    sizes = (size - 1,) * min(lacking, tables - 1) + (size,) * (tables - min(lacking, tables - 1))
    plan = design_without_rematches(sizes, rounds)
    assert len(plan) <= rounds
    meetings = sum((row[:, None] == row[None]).astype(int) for row in plan)
    assert not plan or meetings[~np.eye(sum(sizes), dtype=bool)].max() <= 1
    for row in plan:
        assert sorted(np.bincount(row)) == [seats for seats in sorted(sizes) if seats]


def test_known_designs_are_as_long_as_they_can_be() -> None:
    """An affine plane of order k has k + 1 rounds; eight tables of four and the groups give nine."""
    assert [len(design_without_rematches((size,) * size, 99)) for size in (3, 4, 5, 7, 8, 9)] == [4, 5, 6, 8, 9, 10]
    assert len(design_without_rematches((4,) * 8, 99)) == 9


def test_a_design_is_fitted_to_who_should_not_meet() -> None:
    plan = design_without_rematches((4,) * 7, 3)
    pair = np.zeros((28, 28), dtype=np.int64)
    for first, second in combinations(range(4), 2):
        pair[first, second] = pair[second, first] = 5
    for tables in reduce_pair_costs(plan, pair, np.random.default_rng(1).permutation(28)):
        assert len(set(tables[:4])) == 4


def test_numbers_of_tables() -> None:
    assert table_numbers([], 3) == (1, 2, 3)
    assert table_numbers([2, 7], 3) == (1, 2, 7)
    assert table_numbers([9, 8, 7, 9], 2) == (7, 9)


def test_a_fixed_number_gets_the_group_that_needs_it_most() -> None:
    groups = [(1, 2), (3, 4), (5, 6)]
    assert groups_by_table_number(groups, (1, 2, 3), {3: 1, 5: 3, 6: 3}) == [(3, 4), (1, 2), (5, 6)]


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_the_search_knows_what_its_plan_costs(seed: int, pairs: bool) -> None:
    """After hundreds of steps that add differences, the stored cost equals the cost of the stored plan."""
    players = list(range(14 if not pairs else 16))
    sizes = (5, 5, 4) if not pairs else (4,) * 4
    wishes = Wishes(sizes=(4, 5), has_pairs=pairs, separations=frozenset({(0, 1)}), meetings={(2, 3): 4})
    couples = [(4, 5), (8, 9), (0, 6)] if pairs else []
    played = [Seating(1, (tuple(players[:4]), tuple(players[4:8])))]
    costs = evening_costs(players, wishes, played, couples=couples, sat_out={2: 1})
    rng = np.random.default_rng(seed)
    unseated = UnseatedRound(
        members=np.arange(len(players)),
        sizes=sizes,
        unusual_size_flags=np.array(sizes) != 4,
        seat_costs=rng.integers(0, 100, (len(players), len(sizes))),
        couples=np.array(couples, dtype=np.int64).reshape(-1, 2),
    )
    search = Search(costs, [unseated] * 3, rng, steps=60)
    best = search.find_cheapest_plan([None] * 3)
    fresh = Search(costs, [unseated] * 3, rng)
    for number, tables in enumerate(best):
        fresh.tables.append(tables)
        fresh._add_to_counts(number, 1)
        assert sorted(np.bincount(tables)) == sorted(sizes)
        for first, second in couples:
            assert tables[first] == tables[second]
    assert fresh._total_cost() == search.lowest_cost
    assert search.lowest_cost >= search._lower_bound()
