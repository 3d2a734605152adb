"""The allocation of prizes: examples computed by hand, properties, and all small cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.pairing.prizes import (
    Allocation,
    Award,
    Competitor,
    Prize,
    PrizeList,
    allocate,
    lot_order,
    prize_amounts,
    split_evenly,
    total_amount,
)

ALL = PrizeList()
WOMEN = PrizeList("women")
CLUB = PrizeList("club")
LAST = PrizeList("", from_last=True)
MAX_UNITS = 7
# A busy machine is slow, not wrong.
examples = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def falling(prize_list: PrizeList, *amounts: int) -> list[Prize]:
    return [Prize(prize_list, number, number, amount) for number, amount in enumerate(amounts, 1)]


def units(*ranks: int, **categories: Sequence[int]) -> list[Competitor]:
    """Return units "1", "2", … of these ranks; `categories` have the numbers of their units."""
    return [
        Competitor(str(number), rank, frozenset(name for name, numbers in categories.items() if number in numbers))
        for number, rank in enumerate(ranks, 1)
    ]


def amounts(allocation: Allocation) -> dict[str, int]:
    return {key: award.amount for key, award in allocation.awards.items()}


def value(award: Award | None) -> int:
    return -1 if award is None else award.amount + award.worth


def test_prizes_of_the_ranking_go_to_its_first() -> None:
    prizes = [*falling(ALL, 10_000, 6_000), Prize(ALL, 3, 4, thing="Wine", worth=800)]
    result = allocate(prizes, units(1, 2, 3, 4, 5), shared=True, lots={})
    assert amounts(result) == {"1": 10_000, "2": 6_000, "3": 0, "4": 0}
    assert [result.awards[key].things for key in "34"] == [("Wine",), ("Wine",)]


def test_prizes_for_one_position_are_added() -> None:
    prizes = [Prize(ALL, 1, 1, 5_000), Prize(ALL, 1, 2, 1_000, "Ham", 3_000)]
    result = allocate(prizes, units(1, 2), shared=True, lots={})
    assert amounts(result) == {"1": 6_000, "2": 1_000}
    assert result.awards["1"].things == ("Ham",)


def test_a_unit_gets_its_most_valuable_prize_and_the_next_moves_up() -> None:
    prizes = [*falling(ALL, 100, 50, 20), *falling(WOMEN, 40)]
    # The second unit takes 50 rather than 40, so the next woman has the women's prize.
    assert amounts(allocate(prizes, units(1, 2, 3, 4, women=[2, 4]), shared=True, lots={})) == {
        "1": 100,
        "2": 50,
        "3": 20,
        "4": 40,
    }
    # The third takes 40 rather than 20, so the fourth moves up to 20.
    assert amounts(allocate(prizes, units(1, 2, 3, 4, women=[3, 4]), shared=True, lots={})) == {
        "1": 100,
        "2": 50,
        "3": 40,
        "4": 20,
    }


def test_a_prize_for_the_third_alone_goes_to_the_third() -> None:
    assert amounts(allocate([Prize(ALL, 3, 3, 500)], units(1, 2, 3, 4), shared=True, lots={})) == {"3": 500}


def test_tied_units_share_to_the_cent() -> None:
    prizes = falling(ALL, 6_000, 4_000, 2_001)
    assert amounts(allocate(prizes, units(1, 1, 3), shared=True, lots={})) == {"1": 5_000, "2": 5_000, "3": 2_001}
    # Three units share the last prize.
    result = allocate(prizes, units(1, 2, 3, 3, 3), shared=True, lots={})
    assert amounts(result) == {"1": 6_000, "2": 4_000, "3": 667, "4": 667, "5": 667}
    assert [award.sharers for award in result.awards.values()] == [1, 1, 3, 3, 3]
    assert not result.open_lots


def test_a_tied_woman_takes_her_prize_if_it_is_worth_more_than_the_share() -> None:
    prizes = [*falling(ALL, 60, 40, 20), *falling(WOMEN, 55)]
    assert amounts(allocate(prizes, units(1, 1, 3, women=[2]), shared=True, lots={})) == {"1": 60, "2": 55, "3": 40}


def test_tied_units_of_the_same_categories_get_the_same() -> None:
    prizes = [*falling(ALL, 60, 40, 20), *falling(WOMEN, 55)]
    # One of the two women has 55, the other shares 60 and 40 with the man: 105 for both women.
    assert amounts(allocate(prizes, units(1, 1, 1, women=[2, 3]), shared=True, lots={})) == {"1": 50, "2": 53, "3": 52}


def test_tied_units_share_the_money_and_draw_the_things_by_lot() -> None:
    # Ranks 3 and 4 have 25 € and a ham, and 15 €: 40 € for two.
    prizes = [*falling(ALL, 5_500, 4_000, 2_500, 1_500), Prize(ALL, 3, 3, thing="Ham", worth=4_000)]
    tied = units(1, 2, 3, 3)
    assert allocate(prizes, tied, shared=True, lots={}).open_lots == [("3", "4")]
    drawn = allocate(prizes, tied, shared=True, lots={frozenset("34"): ["4", "3"]})
    assert not drawn.open_lots
    assert amounts(drawn) == {"1": 5_500, "2": 4_000, "3": 2_000, "4": 2_000}
    assert {key: award.things for key, award in drawn.awards.items() if award.things} == {"4": ("Ham",)}
    assert [key for key, award in drawn.awards.items() if award.by_lot] == ["3", "4"]


def test_a_thing_without_worth_is_won_by_a_tied_unit() -> None:
    result = allocate([Prize(ALL, 1, 1, thing="Cup")], units(1, 1), shared=True, lots={frozenset("12"): ["2", "1"]})
    assert [(key, award.things, award.sharers) for key, award in result.awards.items()] == [("2", ("Cup",), 1)]


def test_tied_units_share_a_prize_behind_a_rank_without_one() -> None:
    assert amounts(allocate([Prize(ALL, 2, 2, 30)], units(1, 1), shared=True, lots={})) == {"1": 15, "2": 15}


def test_tied_units_of_two_categories_share_all_their_money_and_things() -> None:
    prizes = [Prize(ALL, 1, 1, 60), Prize(WOMEN, 1, 1, 30, "Ham", 20)]
    tied = units(1, 1, women=[1, 2])
    result = allocate(prizes, tied, shared=True, lots={frozenset("12"): ["2", "1"]})
    assert amounts(result) == {"1": 45, "2": 45}
    assert [award.things for award in result.awards.values()] == [(), ("Ham",)]


def test_no_lot_is_drawn_for_equal_prizes() -> None:
    prizes = [Prize(ALL, 1, 2, thing="Wine", worth=800)]
    result = allocate(prizes, units(1, 1), shared=False, lots={})
    assert not result.open_lots
    assert not any(award.by_lot for award in result.awards.values())


def test_no_lot_is_drawn_if_tied_units_have_prizes_of_their_own() -> None:
    prizes = [*falling(WOMEN, 40), *falling(CLUB, 30), Prize(ALL, 1, 1, thing="Wine", worth=8)]
    result = allocate(prizes, units(1, 1, 3, women=[1], club=[2]), shared=False, lots={})
    assert not result.open_lots
    assert amounts(result) == {"1": 40, "2": 30, "3": 0}


def test_a_lot_decides_who_gets_the_last_prize() -> None:
    prizes = falling(ALL, 6_000)
    assert allocate(prizes, units(1, 1), shared=False, lots={}).open_lots == [("1", "2")]
    assert amounts(allocate(prizes, units(1, 1), shared=False, lots={frozenset("12"): ["2", "1"]})) == {"2": 6_000}


def test_the_last_gets_the_prize_for_the_last_unless_it_has_a_better_one() -> None:
    prizes = [*falling(ALL, 100, 50), *falling(WOMEN, 30), Prize(LAST, 1, 1, thing="Leek", worth=10)]
    result = allocate(prizes, units(1, 2, 3, 4), shared=True, lots={})
    assert result.awards["4"].things == ("Leek",)
    # The last is the best woman: 30 is more, and the unit before her is the last without another prize.
    result = allocate(prizes, units(1, 2, 3, 4, women=[4]), shared=True, lots={})
    assert (result.awards["4"].amount, result.awards["3"].things) == (30, ("Leek",))


def test_a_more_valuable_prize_for_the_last_leaves_the_other_to_the_next() -> None:
    prizes = [*falling(ALL, 100, 50), Prize(LAST, 1, 1, 70)]
    assert amounts(allocate(prizes, units(1, 2), shared=True, lots={})) == {"1": 100, "2": 70}
    assert amounts(allocate(prizes, units(1, 2, 3), shared=True, lots={})) == {"1": 100, "2": 50, "3": 70}


def test_a_lot_is_the_order_of_published_digests() -> None:
    # By sha256sum: "7 40" gives 0f0e…, "7 3" gives 0f3c…, "7 12" gives f06f…
    assert lot_order(["3", "12", "40"], 7) == lot_order(["40", "3", "12"], 7) == ["40", "3", "12"]
    assert {tuple(lot_order("ab", seed)) for seed in range(20)} == {("a", "b"), ("b", "a")}


@pytest.mark.parametrize(
    ("pot", "count", "step", "parts"),
    [
        (60_000, 3, 500, [30_000, 20_000, 10_000]),
        (1_200, 10, 500, [500, 500]),
        (1_000, 4, 100, [400, 300, 200, 100]),
        (499, 3, 500, []),
    ],
)
def test_a_pot_is_split_in_falling_rounded_parts(pot: int, count: int, step: int, parts: list[int]) -> None:
    assert prize_amounts(pot, count, step) == parts


@examples
@given(st.integers(0, 10**7), st.integers(1, 400), st.sampled_from([1, 50, 100, 500, 1_000]))
def test_a_split_pot_falls_and_leaves_less_than_a_step(pot: int, count: int, step: int) -> None:
    parts = prize_amounts(pot, count, step)
    assert sum(parts) == pot - pot % step or not parts
    assert parts == sorted(parts, reverse=True)
    assert all(part >= step and part % step == 0 for part in parts)
    assert len(parts) == min(count, pot // step)


@examples
@given(st.integers(0, 10**7), st.integers(1, 50))
def test_an_even_split_differs_by_a_cent_at_most(amount: int, count: int) -> None:
    parts = split_evenly(amount, count)
    assert sum(parts) == amount
    assert max(parts) - min(parts) <= 1


@st.composite
def competitors(draw: st.DrawFn) -> list[Competitor]:
    """Units with ranks 1, 2, 2, 4 and any categories."""
    levels = draw(st.lists(st.integers(1, 3), min_size=1, max_size=MAX_UNITS))
    ranks = [1 + sum(levels[:index]) for index, size in enumerate(levels) for _ in range(size)]
    categories = st.frozensets(st.sampled_from(["women", "club"]))
    return [Competitor(str(number), rank, draw(categories)) for number, rank in enumerate(ranks)]


@st.composite
def falling_prizes(draw: st.DrawFn, *, things: bool) -> list[Prize]:
    """Lists of prizes whose values fall; `things` are prizes in kind, too."""
    prizes = []
    for prize_list in draw(st.lists(st.sampled_from([ALL, WOMEN, CLUB]), min_size=1, unique=True)):
        values = sorted(draw(st.lists(st.integers(1, 300), min_size=1, max_size=5)), reverse=True)
        for number, worth in enumerate(values, 1):
            is_thing = things and draw(st.booleans())
            amount = {"thing": "Ham", "worth": worth} if is_thing else {"amount": worth}
            prizes.append(Prize(prize_list, number, number, **amount))
    return prizes


def drawn(prizes: Sequence[Prize], rows: Sequence[Competitor], *, shared: bool, seed: int = 1) -> Allocation:
    """Return the awards after all lots."""
    lots: dict[frozenset[str], list[str]] = {}
    while True:
        result = allocate(prizes, rows, shared=shared, lots=lots)
        if not result.open_lots:
            return result
        group = result.open_lots[0]
        assert frozenset(group) not in lots
        lots[frozenset(group)] = lot_order(group, seed)


@examples
@given(st.booleans(), st.data())
def test_a_better_rank_in_the_same_categories_gets_no_less(shared: bool, data: st.DataObject) -> None:
    """Without things if amounts are shared: of tied units one has a thing beside its share, another has none."""
    prizes, rows = data.draw(falling_prizes(things=not shared)), data.draw(competitors())
    awards = drawn(prizes, rows, shared=shared).awards
    for better, worse in product(rows, rows):
        if better.rank < worse.rank and better.categories >= worse.categories:
            # Units of one rank share to the cent: a part may be one cent less.
            assert value(awards.get(better.key)) >= value(awards.get(worse.key)) - 1


@examples
@given(falling_prizes(things=True), competitors())
def test_amounts_of_tied_units_of_the_same_categories_differ_by_a_cent(
    prizes: list[Prize], rows: list[Competitor]
) -> None:
    paid = amounts(drawn(prizes, rows, shared=True))
    for first, second in product(rows, rows):
        if first.rank == second.rank and first.categories == second.categories:
            assert abs(paid.get(first.key, 0) - paid.get(second.key, 0)) <= 1


@examples
@given(falling_prizes(things=True), competitors(), st.booleans())
def test_money_is_conserved_to_the_cent(prizes: list[Prize], rows: list[Competitor], shared: bool) -> None:
    prize_count = sum(prize.last - prize.first + 1 for prize in prizes)
    both_categories = frozenset(["women", "club"])
    late = [Competitor(f"late {number}", 1_000 + number, both_categories) for number in range(prize_count)]
    short = drawn(prizes, rows, shared=shared).awards
    assert sum(award.amount for award in short.values()) <= total_amount(prizes)
    full = drawn(prizes, [*rows, *late], shared=shared).awards
    assert sum(award.amount for award in full.values()) == total_amount(prizes)
    assert sum(len(award.things) for award in full.values()) == sum(bool(prize.thing) for prize in prizes)


@examples
@given(falling_prizes(things=False), competitors(), st.randoms(use_true_random=False))
def test_names_and_order_of_units_do_not_matter(prizes: list[Prize], rows: list[Competitor], random: object) -> None:
    names = [row.key for row in rows]
    random.shuffle(names)  # type: ignore[attr-defined]
    renamed = [row._replace(key=f"unit {name}") for row, name in zip(rows, names, strict=True)]
    before = allocate(prizes, rows, shared=True, lots={}).awards
    after = allocate(prizes, renamed, shared=True, lots={}).awards
    pairs = [(before.get(row.key), after.get(copy.key)) for row, copy in zip(rows, renamed, strict=True)]
    assert all(value(old) == value(new) for old, new in pairs)
    random.shuffle(renamed)  # type: ignore[attr-defined]
    shuffled = allocate(prizes, renamed, shared=True, lots={}).awards
    assert all(abs(max(value(shuffled.get(row.key)), 0) - max(value(after.get(row.key)), 0)) <= 1 for row in renamed)


MEMBERSHIPS = [frozenset(names) for names in ((), ("women",), ("club",), ("women", "club"))]
CASES = [
    [*falling(ALL, 100, 60), *falling(WOMEN, 70, 10)],
    [*falling(ALL, 90), *falling(WOMEN, 80), *falling(CLUB, 70)],
    [*falling(ALL, 50, 40, 30), *falling(CLUB, 45, 35), *falling(WOMEN, 20)],
    [Prize(ALL, 2, 2, 30), Prize(WOMEN, 1, 2, 20), Prize(CLUB, 2, 2, 25)],
]


@pytest.mark.parametrize("prizes", CASES, ids=range(len(CASES)))
def test_small_cases_equal_the_best_of_all_assignments(prizes: list[Prize]) -> None:
    """Compare with the best of all valid assignments: best for the first unit, then for the second, …"""
    lists = list(dict.fromkeys(prize.prize_list for prize in prizes))
    for categories in product(MEMBERSHIPS, repeat=4):
        rows = [Competitor(str(rank), rank, names) for rank, names in enumerate(categories, 1)]
        best = max(_values(prizes, rows, choice) for choice in product([None, *lists], repeat=4))
        awards = allocate(prizes, rows, shared=True, lots={}).awards
        assert [value(awards.get(row.key)) for row in rows] == best


def _values(prizes: Sequence[Prize], rows: Sequence[Competitor], choices: Sequence[PrizeList | None]) -> list[int]:
    """Return the values by rank, -1 for none; [] if a unit has no right to its choice."""
    values = []
    for index, (row, choice) in enumerate(zip(rows, choices, strict=True)):
        if choice is None:
            values.append(-1)
            continue
        members = [
            better for better in range(index) if not choice.category or choice.category in rows[better].categories
        ]
        position = 1 + sum(choices[member] in (None, choice) for member in members)
        content = [prize for prize in prizes if prize.prize_list == choice and prize.first <= position <= prize.last]
        if not content or (choice.category and choice.category not in row.categories):
            return []
        values.append(sum(prize.amount for prize in content))
    return values


@pytest.mark.parametrize("size", [2, 3, 4])
def test_a_tied_group_shares_the_sum_of_its_ranks(size: int) -> None:
    """The sums and things of the ranks are counted here from the list of prizes alone."""
    prices: Mapping[int, int] = {1: 9_001, 2: 5_000, 3: 2_500, 4: 1_000}
    things: Mapping[int, str] = {2: "Ham", 4: "Wine", 6: "Wine"}
    in_kind = [Prize(ALL, rank, rank, thing=thing, worth=rank) for rank, thing in things.items()]
    prizes = [*falling(ALL, *prices.values()), *in_kind]
    for first in range(1, 8):
        ranks = [rank if rank <= first or rank >= first + size else first for rank in range(1, 11)]
        result = drawn(prizes, units(*ranks), shared=True)
        tied = [str(number) for number in range(first, first + size)]
        paid = [amounts(result).get(key, 0) for key in tied]
        assert sum(paid) == sum(prices.get(rank, 0) for rank in range(first, first + size))
        assert max(paid) - min(paid) <= 1
        won = [result.awards[key].things for key in tied if key in result.awards and result.awards[key].things]
        expected = [(things[rank],) for rank in range(first, first + size) if rank in things]
        assert sorted(won) == sorted(expected)
        assert sum(award.amount for award in result.awards.values()) == sum(prices.values())
