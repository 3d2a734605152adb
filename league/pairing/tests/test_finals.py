"""Properties of brackets and pools: finals of any plan, played with any winners."""

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.pairing.finals import (
    CONSOLATION,
    MAIN,
    MAX_UNITS,
    MIN_UNITS,
    POOL_SIZE,
    POOLS,
    THIRD_PLACE,
    BracketPlan,
    ImpossibleFinals,
    Match,
    MatchKey,
    MatchResult,
    bracket_size,
    check_plan,
    compute_matches,
    final_rank_groups,
    playable_matches,
    pool_units,
    seed_order,
)
from tests.examples import examples


def is_possible(plan: BracketPlan) -> bool:
    try:
        check_plan(plan)
    except ImpossibleFinals:
        return False
    return True


PLANS = [
    plan
    for units in range(MIN_UNITS, MAX_UNITS + 1)
    for choices in product([False, True], repeat=3)
    if is_possible(plan := BracketPlan(units, *choices))
]
plans = st.sampled_from(PLANS)
plans_with_consolation = st.sampled_from([plan for plan in PLANS if plan.consolation and not plan.pools])
plans_without_pools = st.sampled_from([plan for plan in PLANS if not plan.pools])
plans_with_pools = st.sampled_from([plan for plan in PLANS if plan.pools])


def play(plan: BracketPlan, upsets: list[bool]) -> list[Match]:
    """Play the finals to their end; True of `upsets`, repeated, lets the worse seed win."""
    results: dict[MatchKey, MatchResult] = {}
    while playable := playable_matches(compute_matches(plan, results)):
        units = [unit for match in playable for unit in match.units]
        assert len(units) == len(set(units))  # nobody plays two matches at the same time
        for match in playable:
            first, second = match.units
            assert first is not None
            assert second is not None
            upset = upsets[len(results) % len(upsets)]
            winner = max(first, second) if upset else min(first, second)
            points = (1000, 900) if winner == first else (900, 1000)
            results[match.key] = MatchResult((first, second), winner, points)
    return compute_matches(plan, results)


def bracket_matches(matches: list[Match], bracket: str) -> list[Match]:
    return [match for match in matches if match.key.bracket == bracket]


WINNERS = st.lists(st.booleans(), min_size=1, max_size=40)


@given(plans, WINNERS)
@settings(max_examples=examples(200))
def test_each_unit_enters_the_main_bracket_once_and_all_but_one_lose_once(
    plan: BracketPlan, upsets: list[bool]
) -> None:
    main = bracket_matches(play(plan, upsets), MAIN)
    entries = [unit for match in main if match.key.stage == 1 for unit in match.units if unit is not None]
    assert len(entries) == len(set(entries)) == (plan.unit_count // 2 if plan.pools else plan.unit_count)
    losers = [match.loser for match in main if not match.is_bye]
    assert len(losers) == len(set(losers)) == len(entries) - 1
    assert set(entries) - set(losers) == {main[-1].winner}


@given(plans, WINNERS)
@settings(max_examples=examples(200))
def test_the_number_of_matches_follows_from_the_plan(plan: BracketPlan, upsets: list[bool]) -> None:
    counts = Counter(match.key.bracket for match in play(plan, upsets) if not match.is_bye)
    main = plan.unit_count // 2 if plan.pools else plan.unit_count
    consolation = main if plan.pools else main - bracket_size(main) // 2
    assert counts == {
        **({POOLS: plan.unit_count // POOL_SIZE * 6} if plan.pools else {}),
        MAIN: main - 1,
        **({THIRD_PLACE: 1} if plan.third_place else {}),
        **({CONSOLATION: consolation - 1} if plan.consolation else {}),
    }


@given(plans_without_pools, WINNERS)
@settings(max_examples=examples(200))
def test_the_two_best_meet_in_the_final_only(plan: BracketPlan, upsets: list[bool]) -> None:
    main = bracket_matches(play(plan, upsets), MAIN)
    last = main[-1].key.stage
    best = {1, 2}
    meetings = [match.key.stage for match in main if best == set(match.units)]
    assert meetings in ([], [last])


@given(plans)
def test_if_the_better_seed_always_wins_the_places_are_the_seeds(plan: BracketPlan) -> None:
    matches = play(plan, [False])
    semi_finals = (plan.unit_count // 2 if plan.pools else plan.unit_count) > 2
    places = final_rank_groups(matches)
    assert places[:2] == [[1], [2]]
    if plan.third_place:
        assert places[2:] == [[3], [4]]
    elif semi_finals:
        assert len(places) == 3
        assert 3 in places[2] or plan.pools


@given(st.integers(1, 5))
def test_byes_go_to_the_best(exponent: int) -> None:
    size = 2**exponent
    for units in range(max(size // 2 + 1, 2), size + 1):
        matches = compute_matches(BracketPlan(units), {})
        byes = sorted(match.winner for match in matches if match.is_bye and match.winner is not None)
        assert byes == list(range(1, size - units + 1))


@given(plans_with_consolation, WINNERS)
@settings(max_examples=examples(200))
def test_the_consolation_bracket_has_exactly_the_losers_of_the_first_stage(
    plan: BracketPlan, upsets: list[bool]
) -> None:
    matches = play(plan, upsets)
    losers = {match.loser for match in bracket_matches(matches, MAIN) if match.key.stage == 1 and not match.is_bye}
    entries = [
        unit
        for match in bracket_matches(matches, CONSOLATION)
        if match.key.stage == 1
        for unit in match.units
        if unit is not None
    ]
    assert len(entries) == len(losers)
    assert set(entries) == losers


@given(plans_with_pools, WINNERS)
@settings(max_examples=examples(200))
def test_two_of_each_pool_go_on_and_meet_again_in_the_final_only(plan: BracketPlan, upsets: list[bool]) -> None:
    matches = play(plan, upsets)
    pools = pool_units(plan.unit_count)
    assert sorted(seed for pool in pools for seed in pool) == list(range(1, plan.unit_count + 1))
    meetings = Counter(frozenset(match.units) for match in bracket_matches(matches, POOLS))
    assert meetings == Counter(frozenset(pair) for pool in pools for pair in combinations(pool, 2))
    for bracket in (MAIN, CONSOLATION) if plan.consolation else (MAIN,):
        rows = bracket_matches(matches, bracket)
        entries = {unit for match in rows if match.key.stage == 1 for unit in match.units if unit is not None}
        assert all(len(entries & set(pool)) == 2 for pool in pools)
        early = [match for match in rows if match.key.stage < rows[-1].key.stage]
        assert not [match for match in early if any(set(match.units) <= set(pool) for pool in pools)]


@given(plans, WINNERS)
@settings(max_examples=examples(100))
def test_drawn_matches_are_those_expected_and_all_places_are_decided(plan: BracketPlan, upsets: list[bool]) -> None:
    matches = play(plan, upsets)
    assert all(match.result is None or match.expected_units == match.result.units for match in matches)
    assert all(match.is_bye or match.winner is not None for match in matches)
    assert [len(group) for group in final_rank_groups(matches)][:2] == [1, 1]


def test_sixteen_are_seeded_as_printed_brackets_do() -> None:
    order = seed_order(16)
    assert [*zip(order[::2], order[1::2], strict=True)][:2] == [(1, 16), (8, 9)]
    assert all(first + second == 17 for first, second in zip(order[::2], order[1::2], strict=True))


def test_a_changed_winner_is_expected_in_the_next_match_that_keeps_its_units() -> None:
    first = {MatchKey(MAIN, 1, index): MatchResult(units, units[0]) for index, units in enumerate([(1, 4), (2, 3)])}
    drawn = {**first, MatchKey(MAIN, 2, 0): MatchResult((1, 2))}
    corrected = {**drawn, MatchKey(MAIN, 1, 0): MatchResult((1, 4), 4)}
    final = compute_matches(BracketPlan(4), corrected)[-1]
    assert (final.expected_units, final.units) == ((4, 2), (1, 2))


@given(plans_with_consolation, WINNERS, st.data())
def test_a_corrected_first_match_changes_one_entry_of_the_consolation_bracket(
    plan: BracketPlan, upsets: list[bool], data: st.DataObject
) -> None:
    results = {
        match.key: match.result for match in play(plan, upsets) if match.key.stage == 1 and match.result is not None
    }
    key = data.draw(st.sampled_from([key for key in results if key.bracket == MAIN]))
    first, second = results[key].units
    loser = second if results[key].winner == first else first
    before = compute_matches(plan, results)
    after = compute_matches(plan, {**results, key: MatchResult((first, second), loser)})
    changes = [
        match.key
        for match, corrected in zip(before, after, strict=True)
        if match.expected_units != corrected.expected_units
        and match.key.bracket == CONSOLATION
        and match.key.stage == 1
    ]
    assert len(changes) == 1


@pytest.mark.parametrize(
    ("plan", "field", "code"),
    [
        (BracketPlan(1), "units", "range"),
        (BracketPlan(33), "units", "range"),
        (BracketPlan(10, pools=True), "units", "pools_of_four"),
        (BracketPlan(3, third_place=True), "third_place", "too_few"),
        (BracketPlan(4, pools=True, third_place=True), "third_place", "too_few"),
        (BracketPlan(5, consolation=True), "consolation", "too_few"),
        (BracketPlan(4, consolation=True), "consolation", "is_third_place"),
    ],
)
def test_impossible_plans_are_refused_on_their_field(plan: BracketPlan, field: str, code: str) -> None:
    with pytest.raises(ImpossibleFinals) as refusal:
        check_plan(plan)
    assert (refusal.value.field, refusal.value.code) == (field, code)
