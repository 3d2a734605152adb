"""Belote's points: the document's examples, vectors from elsewhere, and the laws of every game."""

import json
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.__main__ import answer
from scoring.games.belote.rules import RULES, SIDES
from scoring.rules.errors import IllegalDeal
from scoring.tests import laws

FOLDER = Path(__file__).parent.parent
BELOTE = laws.Subject(
    RULES,
    FOLDER,
    re.compile(r"seats|facts|taker|points|last_trick|belote|all_tricks|penalty|options(\.\w+)?"),
)
CONTESTS = [json.loads(line) for line in (FOLDER / "tests/vectors/belote_contests.jsonl").read_text().splitlines()]
VECTORS = [json.loads(line) for line in (FOLDER / "tests/vectors/belote.jsonl").read_text().splitlines()]
EXAMPLES = tomllib.loads((FOLDER / "examples.toml").read_text())["example"]


@st.composite
def deals(draw: st.DrawFn) -> dict[str, Any]:
    """Return every legal deal, the usual ones as often as slams, passes and irregularities."""
    kind = draw(st.sampled_from(("usual", "usual", "usual", "slam", "capot", "passed", "penalty")))
    if kind == "passed":
        return {"taker": None}
    if kind == "penalty":
        return {"penalty": draw(st.integers(0, 3))}
    facts: dict[str, Any] = {
        "taker": draw(st.integers(0, 3)),
        "points": {"slam": 152, "capot": 0}.get(kind, draw(st.integers(0, 152))),
        "last_trick": {"slam": "attack", "capot": "defence"}.get(kind, draw(st.sampled_from(SIDES))),
        "belote": draw(st.sampled_from((None, *SIDES))),
        "all_tricks": {"slam": "attack", "capot": "defence"}.get(kind),
    }
    return {name: value for name, value in facts.items() if value is not None or draw(st.booleans())}


def relabel(facts: laws.Facts, order: Sequence[int]) -> laws.Facts:
    seats = {name: facts.get(name) for name in ("taker", "penalty")}
    return {**facts, **{name: order[seat] for name, seat in seats.items() if seat is not None}}


def points_of(**facts: object) -> tuple[int, ...]:
    return laws.score(BELOTE, 4, {"taker": 0, "points": 80, "last_trick": "attack", **facts}).points


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["title"])
def test_worked_examples_of_the_document(example: dict[str, Any]) -> None:
    answer = laws.check_deal(
        BELOTE,
        example["seats"],
        example["facts"],
        example["options"],
        example.get("earlier", []),
        last=example.get("last", False),
    )
    assert list(answer.points) == example["points"]


@pytest.mark.parametrize("vector", VECTORS, ids=str)
def test_vectors_from_another_program(vector: dict[str, Any]) -> None:
    request = vector["request"]
    answer = laws.check_deal(BELOTE, request["seats"], request["facts"], request.get("options"))
    assert list(answer.points) == vector["points"]


@pytest.mark.parametrize("vector", CONTESTS, ids=range(len(CONTESTS)))
def test_contest_vectors_from_another_program(vector: dict[str, Any]) -> None:
    request = vector["request"]
    played = RULES.play(
        request["seats"],
        request["facts"],
        RULES.read_options(request["options"]),
        RULES.read_earlier(4, request["earlier"]),
        request.get("last", False),
    )
    assert list(played.points) == vector["points"]
    laws.check_deal(
        BELOTE,
        request["seats"],
        request["facts"],
        request["options"],
        request["earlier"],
        last=request.get("last", False),
    )


def test_the_command_answers_the_contest_vectors() -> None:
    assert len(CONTESTS) == 250
    for vector in CONTESTS:
        assert json.loads(answer(json.dumps(vector["request"]).encode()))["points"] == vector["points"]


def test_full_score_of_81_wins_and_80_loses() -> None:
    assert points_of(points=71) == (81, 81, 81, 81)
    assert points_of(points=70) == (0, 162, 0, 162)


def test_with_a_belote_91_wins_and_90_loses_whoever_declared_it() -> None:
    assert points_of(points=81, belote="defence") == (91, 91, 91, 91)
    assert points_of(points=80, belote="defence") == (0, 182, 0, 182)
    assert points_of(points=61, belote="attack") == (91, 91, 91, 91)
    assert points_of(points=60, belote="attack") == (0, 182, 0, 182)


def test_lines_say_where_a_lost_contract_went() -> None:
    answer = laws.score(BELOTE, 4, {"taker": 1, "points": 60, "last_trick": "attack", "belote": "attack"})
    assert [(line.code, line.points) for line in answer.lines] == [
        ("card_points", (92, 60, 92, 60)),
        ("ten_of_last", (0, 10, 0, 10)),
        ("belote", (0, 20, 0, 20)),
        ("contract_lost", (90, -90, 90, -90)),
    ]


def test_every_trick_for_the_defence_earns_nothing_besides() -> None:
    assert points_of(points=0, last_trick="defence", all_tricks="defence") == (0, 162, 0, 162)


def test_passed_deal_is_worth_nothing_and_has_no_lines() -> None:
    answer = laws.check_deal(BELOTE, 4, {"taker": None})
    assert answer == ((0, 0, 0, 0), (), ())
    assert laws.check_deal(BELOTE, 4, {"taker": None, "points": None, "belote": None}) == answer


@given(deals())
def test_laws_of_every_game_hold(facts: laws.Facts) -> None:
    answer = laws.check_deal(BELOTE, 4, facts)
    assert answer.points[0] == answer.points[2]
    assert answer.points[1] == answer.points[3]
    assert min(answer.points) >= 0
    if facts.get("penalty") is not None:
        assert sorted(answer.points) == [0, 0, 162, 162]
    elif facts["taker"] is not None:
        slam = 100 if facts.get("all_tricks") == "attack" else 0
        assert answer.points[0] + answer.points[1] - slam == (182 if facts.get("belote") else 162)


@given(deals(), st.sampled_from([(0, 1, 2, 3), (2, 1, 0, 3), (1, 2, 3, 0), (3, 0, 1, 2), (1, 0, 3, 2)]))
def test_pairs_are_only_names(facts: laws.Facts, order: tuple[int, ...]) -> None:
    laws.check_relabelling(BELOTE, 4, facts, None, order, relabel)


@given(laws.mutated(deals()) | laws.json_values(), st.sampled_from((None, {}, [], {"x": 1}, {"": {}}, 0)))
def test_any_json_is_scored_or_refused_on_a_field(facts: Any, options: Any) -> None:
    laws.check_any_json(BELOTE, 4, facts, options)


@given(laws.json_values())
def test_any_seats_are_accepted_or_refused(seats: Any) -> None:
    laws.check_any_json(BELOTE, seats, {"taker": None})


USUAL = {"taker": 0, "points": 80, "last_trick": "attack"}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"taker": 4}, "taker"),
        ({"taker": True}, "taker"),
        ({"taker": -1}, "taker"),
        ({"points": 153}, "points"),
        ({"points": -1}, "points"),
        ({"points": 80.0}, "points"),
        ({"points": None}, "points"),
        ({"last_trick": None}, "last_trick"),
        ({"last_trick": "taker"}, "last_trick"),
        ({"belote": "both"}, "belote"),
        ({"belote": False}, "belote"),
        ({"all_tricks": "attack"}, "all_tricks"),
        ({"all_tricks": "attack", "points": 152, "last_trick": "defence"}, "all_tricks"),
        ({"all_tricks": "defence", "points": 0}, "all_tricks"),
        ({"all_tricks": "defence", "points": 2, "last_trick": "defence"}, "all_tricks"),
        ({"all_tricks": 1}, "all_tricks"),
        ({"taker": None}, "points"),
        ({"colour": "red"}, "colour"),
        ({"penalty": 1}, "taker"),
        ({"penalty": 1, "taker": None}, "points"),
        ({"penalty": 1, "taker": None, "points": None}, "last_trick"),
        ({"penalty": 4}, "penalty"),
        ({"penalty": True}, "penalty"),
        ({"penalty": "1"}, "penalty"),
    ],
)
def test_impossible_facts_are_refused_on_their_field(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(IllegalDeal) as refusal:
        RULES.read(4, {**USUAL, **changes})
    assert refusal.value.field == field


def test_a_taker_left_out_is_asked_for() -> None:
    for facts in ({}, {"points": 80, "last_trick": "attack"}):
        with pytest.raises(IllegalDeal) as refusal:
            RULES.read(4, facts)
        assert (refusal.value.field, refusal.value.code) == ("taker", "missing")


@pytest.mark.parametrize("points", [0, 1, 2, 150, 151, 152])
def test_only_points_that_no_cards_give_are_doubted(points: int) -> None:
    answer = laws.score(BELOTE, 4, {**USUAL, "points": points})
    assert [warning.field for warning in answer.warnings] == (["points"] if points in (1, 151) else [])


def test_152_points_without_a_slam_are_possible() -> None:
    assert laws.score(BELOTE, 4, {**USUAL, "points": 152}).points == (162, 0, 162, 0)


def test_roles_and_sides() -> None:
    assert RULES.roles(RULES.read(4, {**USUAL, "taker": 3})) == ("defender", "partner", "defender", "taker")
    assert RULES.sides(4, RULES.read_options({})) == ((0, 2), (1, 3))


def test_formulas_are_written_as_in_the_document() -> None:
    deal = RULES.read(4, {**USUAL, "points": 75})
    assert [RULES.formula(deal, RULES.read_options({}), seat) for seat in (0, 1)] == [
        "75 + 10 = 85",
        "162 − 75 − 10 = 77",
    ]


def test_totals_of_partners_are_equal_and_not_negative() -> None:
    options = RULES.read_options({})
    RULES.check_totals([500, 0, 500, 0], 4, options)
    for totals, field in (([1, 2, 3, 2], "totals.2"), ([1, 2, 1, 3], "totals.3"), ([-1, 2, -1, 2], "totals.0")):
        with pytest.raises(IllegalDeal) as refusal:
            RULES.check_totals(totals, 4, options)
        assert refusal.value.field == field


def test_totals_that_no_deals_give_are_refused() -> None:
    RULES.check_totals([292, 0, 292, 0], 1, RULES.options())
    with pytest.raises(IllegalDeal) as refusal:
        RULES.check_totals([293, 0, 293, 0], 1, RULES.options())
    assert refusal.value.field == "totals"


def test_words_are_the_games_own() -> None:
    laws.check_words(BELOTE)
