"""Little Barbu: its examples, its special rules, and the properties of every game."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring import registry
from scoring.game import find_game
from scoring.rules.errors import IllegalDeal
from scoring.tests import form_laws, laws, row_laws

GAME = find_game("little-barbu")
RULES = GAME.rules
FIELDS = re.compile(r"seats|facts|contract|dealer|taken(\.\d)?|doubled(\.\d)?|options(\.double)?")
LITTLE_BARBU = laws.Subject(RULES, GAME.folder, FIELDS, formulas=False)
EXAMPLES = tomllib.loads((GAME.folder / "examples.toml").read_text("utf-8"))["example"]
QUEENS = {"contract": "queens", "dealer": 0, "taken": [0, 1, 3, 0], "doubled": [False, False, True, False]}
NAMES = ["Anne", "Bruno", "Carole", "David"]

played = st.builds(
    lambda seed, seats, skill: (seats, registry.play("little-barbu")(Random(seed), seats, [skill] * seats).facts),
    st.integers(0, 2**32),
    st.integers(3, 5),
    st.sampled_from((0.0, 0.5, 1.0)),
)


def relabel(facts: laws.Facts, order: Sequence[int]) -> laws.Facts:
    """When seat i becomes seat order[i]."""
    by_old = sorted(range(len(order)), key=order.__getitem__)
    lists = {name: [facts[name][seat] for seat in by_old] for name in ("taken", "doubled")}
    return {**facts, **lists, "dealer": order[facts["dealer"]]}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["title"])
def test_worked_example(example: dict[str, Any]) -> None:
    answer = laws.check_deal(LITTLE_BARBU, example["seats"], example["facts"], example.get("options"))
    assert list(answer.points) == example["points"]


@settings(max_examples=50, deadline=None)
@given(played)
def test_played_deals_keep_every_law(deal: tuple[int, dict[str, Any]]) -> None:
    seats, facts = deal
    answer = laws.check_deal(LITTLE_BARBU, seats, facts)
    assert sum(answer.points) == -16
    laws.check_relabelling(LITTLE_BARBU, seats, facts, None, [*range(1, seats), 0], relabel)
    form_laws.check_round_trip(GAME, seats, facts, {})
    row_laws.check_round_trip(GAME, facts, range(1, seats + 1))
    row_laws.check_round_trip(GAME, facts, range(1, seats + 1), "PDB")


@given(laws.mutated(st.just(QUEENS)) | laws.json_values())
def test_anything_else_is_refused_on_a_field(facts: Any) -> None:
    laws.check_any_json(LITTLE_BARBU, 4, facts)


@given(st.dictionaries(st.sampled_from(("dealer", "contract", "taken.0", "doubled")), st.text("0123tqb x", max_size=4)))
def test_any_text_in_a_row_is_read_or_refused(cells: dict[str, str]) -> None:
    row_laws.check_any_text(GAME, cells, (1, 2, 3, 4))


def test_form_row_and_words_fit_the_rules() -> None:
    laws.check_words(LITTLE_BARBU)
    form_laws.check_house_rules(GAME)
    for seats in GAME.sizes:
        form_laws.check_template(GAME, seats)
        row_laws.check_columns(GAME, seats)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"taken": [0, 1, 2, 0]}, "taken"),
        ({"taken": [0, 5, 0, 0]}, "taken.1"),
        ({"doubled": [True, False, False, False]}, "doubled.0"),
        ({"dealer": 4}, "dealer"),
        ({"contract": "trumps"}, "contract"),
    ],
)
def test_what_can_not_be_is_refused_on_its_field(wrong: dict[str, Any], field: str) -> None:
    with pytest.raises(IllegalDeal) as refusal:
        RULES.read(4, {**QUEENS, **wrong})
    assert refusal.value.field == field


def test_a_contract_that_its_dealer_has_named_before_is_doubted() -> None:
    deal, second_deal = RULES.read(4, QUEENS), RULES.read(4, {**QUEENS, "dealer": 1})
    options = RULES.read_options({})
    warnings = RULES.warnings_from_earlier(deal, options, [second_deal, deal])
    assert [warning.field for warning in warnings] == ["contract"]
    assert RULES.warnings_from_earlier(deal, options, [second_deal]) == ()


def test_the_next_dealer_is_filled_in() -> None:
    assert GAME.known_facts(4, []) == {"dealer": 0}
    known_facts = GAME.known_facts(4, [{**QUEENS, "dealer": 3, "doubled": None}, QUEENS])
    assert GAME.deal_form(NAMES, facts=known_facts)["dealer"].value() == 1


def test_the_dealer_is_not_asked_for_a_double() -> None:
    form = GAME.deal_form(NAMES, facts=QUEENS)
    assert form_laws.shown_form(GAME, form).hidden == {"part-double-0"}
    assert form.input_name_of_fact("doubled.0") == "doubled.0"
    sent = form_laws.sent(GAME, form, **{"doubled.0": "on"})
    _form, entry = form_laws.entered(GAME, 4, dict(sent.lists()))
    assert entry is not None
    assert entry.facts == QUEENS


def test_totals_add_up() -> None:
    options = RULES.read_options({})
    RULES.check_totals([-8, -8, -16, 0], 2, options)
    with pytest.raises(IllegalDeal):
        RULES.check_totals([-8, -8, -16, 0], 1, options)


def test_summary() -> None:
    assert GAME.summary(RULES.read(4, QUEENS), NAMES) == "Anne deals: No queens"
