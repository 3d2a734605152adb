"""Tarot's points: the documents' examples, vectors from elsewhere, and the laws of every game."""

import json
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.games.tarot.rules import CONTRACTS, RULES
from scoring.games.tarot.tests.strategies import (
    FOLDER,
    TAROT,
    DealRequest,
    deals,
    one_for_one_deals,
    relabel,
    taker_deals,
)
from scoring.rules.errors import IllegalDeal
from scoring.tests import laws

EXAMPLES = tomllib.loads((FOLDER / "examples.toml").read_text(encoding="utf-8"))["example"]
VECTORS = [
    json.loads(line)
    for name in ("tarot_taker", "tarot_one_for_one")
    for line in (FOLDER / f"tests/vectors/{name}.jsonl").read_text(encoding="utf-8").splitlines()
]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["title"])
def test_worked_examples(example: dict[str, Any]) -> None:
    answer = laws.check_deal(TAROT, example["seats"], example["facts"], example["options"])
    assert list(answer.points) == example["points"]
    assert answer.warnings == ()


@pytest.mark.parametrize("vector", VECTORS)
def test_vectors_from_another_program(vector: dict[str, Any]) -> None:
    request = vector["request"]
    answer = laws.check_deal(TAROT, request["seats"], request["facts"], request.get("options"))
    assert list(answer.points) == vector["points"]


@pytest.mark.parametrize(
    ("seat", "expected"),
    [(0, "((25 + 19 + 10) × 2 + 30) × 3 = 414"), (1, "((−25 − 19 − 10) × 2 − 30) × 1 = −138")],
)
def test_formula_is_that_of_001(seat: int, expected: str) -> None:
    example = EXAMPLES[2]
    deal, options = RULES.read(example["seats"], example["facts"]), RULES.read_options({})
    assert RULES.formula(deal, options, seat) == expected


def test_formula_one_for_one_is_that_of_000() -> None:
    example = EXAMPLES[3]
    deal, options = RULES.read(example["seats"], example["facts"]), RULES.read_options({})
    assert RULES.formula(deal, options, 1) == "4 × (−1 × (25 − 17 + 6) + 3 × 20) = 184"
    assert RULES.formula(deal, options, 3) == "4 × (−2 × (25 − 17 + 6) − 20) = −192"


@given(deals())
def test_laws_of_every_game_hold(deal: DealRequest) -> None:
    answer = laws.check_deal(TAROT, *deal)
    for line in answer.lines:
        assert sum(line.points) == 0, line


@given(deals(), st.data())
def test_seats_are_only_names(deal: DealRequest, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(deal.seats)))
    laws.check_relabelling(TAROT, *deal, order, relabel)


@given(st.one_of(taker_deals(), one_for_one_deals()), st.data())
def test_slips_are_scored_or_refused_on_their_field(deal: DealRequest, data: st.DataObject) -> None:
    laws.check_any_json(TAROT, deal.seats, data.draw(laws.mutated(st.just(deal.facts))), deal.options)


@given(st.integers(3, 6), laws.json_values(), laws.json_values())
def test_any_json_is_refused_on_a_field(seats: int, facts: object, options: object) -> None:
    laws.check_any_json(TAROT, seats, facts, options)
    laws.check_any_json(TAROT, facts, {"contract": "passed"}, options)


@given(
    st.integers(3, 6),
    st.sampled_from(CONTRACTS),
    st.dictionaries(st.sampled_from(("taker", "points", "oudlers", "piles", "dog_points", "slam")), laws.json_values()),
)
def test_any_values_of_known_keys_are_scored_or_refused(seats: int, contract: str, facts: dict[str, Any]) -> None:
    laws.check_any_json(TAROT, seats, {"contract": contract, **facts})


@given(one_for_one_deals())
def test_what_decides_ties_may_be_left_out_where_there_is_none(deal: DealRequest) -> None:
    """Without these values the points are the same, or the tie requires exactly these values."""
    piles = [{**pile, "characters": None, "first_trick": None} for pile in deal.facts["piles"]]
    short = {**deal.facts, "piles": piles}
    if _has_no_tie(deal):
        assert laws.score(TAROT, deal.seats, short, deal.options) == laws.score(TAROT, *deal)
        return
    with pytest.raises(IllegalDeal, match="tie_needs_characters"):
        laws.score(TAROT, deal.seats, short, deal.options)


def _has_no_tie(deal: DealRequest) -> bool:
    """No two piles that won tricks have equal difference and oudlers (000): only piles without an oudler can."""
    points = [pile["points"] for pile in deal.facts["piles"] if pile["tricks"] and not pile["oudlers"]]
    return len(set(points)) == len(points)


def test_words_hide_none_of_the_kernels() -> None:
    laws.check_words(TAROT)


def test_passed_deal_is_worth_nothing() -> None:
    answer = laws.check_deal(TAROT, 5, {"contract": "passed"})
    assert answer.points == (0,) * 5
    assert RULES.roles(RULES.read(5, {"contract": "passed"})) == ("passed",) * 5
    assert laws.score(TAROT, 5, {"contract": "passed", "taker": None}) == answer


def test_roles_of_a_deal() -> None:
    facts = {"contract": "take", "taker": 2, "partner": 0, "points": 50, "oudlers": 1}
    assert RULES.roles(RULES.read(5, facts)) == ("partner", "defender", "taker", "defender", "defender")


def test_every_seat_is_its_own_side() -> None:
    assert RULES.sides(3, RULES.read_options({})) == ((0,), (1,), (2,))


def test_totals_add_up_to_zero_or_are_refused() -> None:
    options = RULES.read_options({})
    RULES.check_totals([10, -4, -6], 4, options)
    with pytest.raises(IllegalDeal) as refused:
        RULES.check_totals([10, -4, -5], 4, options)
    laws.assert_has_text(TAROT, refused.value.code, refused.value.params)
    assert refused.value.field == "totals"
