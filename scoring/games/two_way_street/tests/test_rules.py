"""Two Way Street's points: examples worked by hand, vectors from elsewhere, and the laws of every game."""

import json
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.games.two_way_street import hands
from scoring.games.two_way_street.rules import RULES
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import TableLength
from scoring.tests import laws

FOLDER = Path(__file__).parent.parent
STREET = laws.Subject(
    RULES,
    FOLDER,
    re.compile(
        r"seats|facts|hands(\.\d+(\.(call|forced|tricks))?)?|direction|dealer|tricks(\.[01])?|options(\.hand_tricks)?"
    ),
)
VECTORS = [json.loads(line) for line in (FOLDER / "tests/vectors/two_way_street.jsonl").read_text().splitlines()]
EXAMPLES = tomllib.loads((FOLDER / "examples.toml").read_text())["example"]
OPTIONS = st.sampled_from([{}, {"hand_tricks": 10}, {"hand_tricks": None}])

Table = tuple[int, laws.Facts]


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Seats and legal facts: small numbers, so that ties are as common as at the table; now and then a huge one."""
    seats = draw(st.integers(2, 12))
    tricks = st.integers(0, 5) | st.integers(0, 12) | st.integers(min_value=0)
    if seats == 2:
        both = draw(st.lists(tricks, min_size=2, max_size=2))
        return 2, {"direction": draw(st.sampled_from(hands.CALLS)), "dealer": draw(st.integers(0, 1)), "tricks": both}
    hand = st.fixed_dictionaries(
        {"call": st.sampled_from(hands.CALLS), "tricks": tricks}, optional={"forced": st.booleans() | st.none()}
    )
    return seats, {"hands": draw(st.lists(hand, min_size=seats, max_size=seats))}


def relabel(facts: laws.Facts, order: Sequence[int]) -> laws.Facts:
    name = "hands" if "hands" in facts else "tricks"
    relabelled: list[Any] = [None] * len(order)
    for old, new in enumerate(order):
        relabelled[new] = facts[name][old]
    dealer = {"dealer": order[facts["dealer"]]} if "dealer" in facts else {}
    return {**facts, name: relabelled, **dealer}


def hand(text: str) -> laws.Facts:
    """Facts from a sheet in short: "h3 l2 L5" is high 3, low 2, forced low 5."""
    return {
        "hands": [
            {"call": "high" if code[0] in "hH" else "low", "forced": code[0].isupper(), "tricks": int(code[1:])}
            for code in text.split()
        ]
    }


def points_of(text: str) -> tuple[int, ...]:
    facts = hand(text)
    return laws.score(STREET, len(facts["hands"]), facts, {"hand_tricks": None}).points


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["title"])
def test_examples_worked_by_hand(example: dict[str, Any]) -> None:
    answer = laws.check_deal(STREET, example["seats"], example["facts"], example["options"])
    assert list(answer.points) == example["points"]
    assert answer.warnings == ()


@pytest.mark.parametrize("vector", VECTORS, ids=range(len(VECTORS)))
def test_vectors_from_another_program(vector: dict[str, Any]) -> None:
    request = vector["request"]
    answer = laws.check_deal(STREET, request["seats"], request["facts"], request.get("options"))
    assert list(answer.points) == vector["points"]


@pytest.mark.parametrize(
    ("raws", "case", "penalty"),
    [
        ([5, 4, 3, 1], "case_a", 3),
        ([5, 5, 3, 3], "case_a", 3),  # a tie for first only
        ([5, 4, 4, 1], "case_b", 1),
        ([4, 4, 4, 1, 0], "case_b", 1),  # the tie reaches the first, but not the fourth
        ([5, 3, 3, 3, 1], "case_c", 3),
        ([5, 3, 3, 3, 3], "case_c", 3),
        ([3, 3, 3, 3, 1, 0], "case_d", 1),
        ([3, 3, 3, 3], "all_tied", 3),
        ([5, 3, 3], "case_c", 3),  # three players: the last place is cut off
        ([3, 3, 3], "all_tied", 3),
        ([5, 3, 1], "case_a", 1),
        ([5, 5, 1], "case_a", 1),
        ([-1, -2, -3], "case_a", -3),
    ],
)
def test_cases_of_the_penalty(raws: list[int], case: str, penalty: int) -> None:
    assert hands.penalty(raws) == (case, penalty)
    assert hands.penalty(raws[::-1]) == (case, penalty)


@pytest.mark.parametrize(
    ("seats", "base"), [(3, 8), (4, 6), (5, 5), (6, 4), (7, 3), (8, 3), (9, 2), (10, 2), (11, 1), (40, 1)]
)
def test_n_depends_on_the_players(seats: int, base: int) -> None:
    facts = {"hands": [{"call": "low", "tricks": 0}] * seats}
    deal = RULES.read(seats, facts)
    assert isinstance(deal, hands.Hands)
    assert hands.raw_scores(deal) == [base] * seats


def test_low_raw_scores_stay_negative() -> None:
    # N = 8: 8 − 9 = −1, 8 − 10 = −2, 8 − 11 = −3, the penalty; (−1 + 3) × 2 = 4, (−2 + 3) × 3 = 3.
    assert points_of("l9 L10 l11") == (4, 3, 0)


def test_forced_players_in_the_tie_of_case_c_get_one_and_only_there() -> None:
    assert points_of("h5 H3 h3 l3") == (4, 1, 0, 0)  # N = 6: low 6 − 3 = 3
    assert points_of("H5 H3 h3") == (6, 1, 0)
    assert points_of("h5 h3 h3 h3 H2") == (4, 0, 0, 0, 0)  # forced, but below the tie
    assert points_of("H3 H3 H3") == (0, 0, 0)  # case D has no such rule
    assert points_of("h5 h4 H3 h1") == (4, 2, 0, 0)  # nor has case A


@pytest.mark.parametrize(
    ("direction", "tricks", "dealer", "points"),
    [
        ("high", [6, 4], 0, (4, 0)),
        ("high", [4, 7], 0, (0, 6)),
        ("low", [6, 4], 0, (0, 4)),
        ("low", [0, 10], 1, (20, 0)),
        ("low", [5, 5], 0, (1, 0)),
        ("high", [6, 6], 1, (0, 1)),
    ],
)
def test_duels(direction: str, tricks: list[int], dealer: int, points: tuple[int, int]) -> None:
    answer = laws.check_deal(STREET, 2, {"direction": direction, "dealer": dealer, "tricks": tricks})
    assert answer.points == points
    assert answer.warnings == ()


@given(tables(), OPTIONS)
def test_laws_of_every_game_hold(table: Table, options: dict[str, Any]) -> None:
    answer = laws.check_deal(STREET, *table, options)
    assert min(answer.points) >= 0


@given(tables(), st.randoms(use_true_random=False))
def test_seats_are_only_names(table: Table, rng: Any) -> None:
    seats, facts = table
    order = rng.sample(range(seats), seats)
    laws.check_relabelling(STREET, seats, facts, None, order, relabel)


@given(st.data(), st.sampled_from((None, {}, {"hand_tricks": 10.0}, {"hand_tricks": False}, {"x": None}, [])))
def test_any_json_is_scored_or_refused_on_a_field(data: st.DataObject, options: Any) -> None:
    seats, facts = data.draw(tables())
    hostile = data.draw(laws.mutated(st.just(facts)) | laws.json_values())
    laws.check_any_json(STREET, seats, hostile, options)


@given(laws.json_values() | st.integers(min_value=2))
def test_any_seats_are_accepted_or_refused(seats: Any) -> None:
    laws.check_any_json(STREET, seats, hand("h5 l3 h2"))


def test_huge_tables_allocate_nothing_before_the_hands_are_counted() -> None:
    for seats in (10**9, 10**400):
        with pytest.raises(IllegalDeal) as refusal:
            RULES.read(RULES.check_seats(seats), hand("h5 l3 h2"))
        assert refusal.value.field == "hands"
        laws.check_refusal(STREET, refusal.value)


def test_a_crowd_shares_one_line() -> None:
    answer = laws.score(
        STREET, 5000, {"hands": [{"call": "high", "tricks": 1}] * 4999 + [{"call": "low", "tricks": 3}]}
    )
    assert answer.points == (6,) * 4999 + (0,)  # N = 1: 1 − 3 = −2 is the penalty; (1 + 2) × 2 = 6
    laws.check_lines(STREET, 5000, answer)
    assert len(answer.lines) == 2


@pytest.mark.parametrize(
    ("seats", "facts", "field"),
    [
        (3, {}, "hands"),
        (3, {"hands": None}, "hands"),
        (3, {"hands": {}}, "hands"),
        (4, hand("h5 l3 h2"), "hands"),
        (3, {"hands": [{"call": "high", "tricks": 5}, 7, None]}, "hands.1"),
        (3, {"hands": [{"call": "high", "tricks": 5}, {"call": "up", "tricks": 5}, {}]}, "hands.1.call"),
        (3, {"hands": [{"call": "high"}] * 3}, "hands.0.tricks"),
        (3, {"hands": [{"call": "high", "tricks": 5}] * 2 + [{"call": "low", "tricks": -1}]}, "hands.2.tricks"),
        (3, {"hands": [{"call": "high", "tricks": True}] * 3}, "hands.0.tricks"),
        (3, {"hands": [{"call": "high", "tricks": 2.0}] * 3}, "hands.0.tricks"),
        (3, {"hands": [{"call": "high", "tricks": 2, "forced": 1}] * 3}, "hands.0.forced"),
        (3, {"hands": [{"call": "high", "tricks": 2, "bid": 1}] * 3}, "hands.0.bid"),
        (3, {"direction": "high", "dealer": 0, "tricks": [5, 5]}, "direction"),
        (2, hand("h5 l5"), "hands"),
        (2, {"dealer": 0, "tricks": [5, 5]}, "direction"),
        (2, {"direction": "up", "dealer": 0, "tricks": [5, 5]}, "direction"),
        (2, {"direction": "low", "dealer": 2, "tricks": [5, 5]}, "dealer"),
        (2, {"direction": "low", "dealer": 0, "tricks": [5, 5, 0]}, "tricks"),
        (2, {"direction": "low", "dealer": 0, "tricks": [5, None]}, "tricks.1"),
        (2, {"direction": "low", "dealer": 0, "tricks": [-5, 5]}, "tricks.0"),
    ],
)
def test_impossible_facts_are_refused_on_their_field(seats: int, facts: Any, field: str) -> None:
    with pytest.raises(IllegalDeal) as refusal:
        RULES.read(seats, facts)
    assert refusal.value.field == field


@pytest.mark.parametrize("seats", [1, 0, -2, True, 3.0, "3", None])
def test_fewer_than_two_seats_are_refused(seats: Any) -> None:
    with pytest.raises(IllegalDeal) as refusal:
        RULES.check_seats(seats)
    assert refusal.value.field == "seats"


def doubts(facts: laws.Facts, options: dict[str, Any] | None = None) -> list[str]:
    seats = len(facts["hands"]) if "hands" in facts else 2
    return [warning.field for warning in laws.score(STREET, seats, facts, options).warnings]


def test_tricks_that_are_not_ten_are_doubted_unless_switched_off() -> None:
    assert doubts(hand("h5 l3 h2")) == []
    assert doubts(hand("h5 l3 h3")) == ["hands"]
    assert doubts(hand("h5 l3 h3"), {"hand_tricks": 10}) == ["hands"]
    assert doubts(hand("h5 l3 h3"), {"hand_tricks": None}) == []


def test_a_duel_of_fewer_than_ten_tricks_is_doubted() -> None:
    assert doubts({"direction": "high", "dealer": 0, "tricks": [4, 5]}) == ["tricks"]
    assert doubts({"direction": "high", "dealer": 0, "tricks": [7, 5]}) == []


def test_forced_needs_more_than_half_of_all_declared_the_other_way() -> None:
    assert doubts(hand("h5 h3 L2")) == []
    assert doubts(hand("h5 h3 L1 l1")) == ["hands.2.forced"]  # two of four are not more than half
    assert doubts(hand("h5 H3 L2")) == ["hands.1.forced", "hands.2.forced"]  # forced calls don't count
    assert doubts(hand("h5 h3 l1 H1")) == ["hands.3.forced"]


def test_a_line_says_how_each_seat_came_to_its_points() -> None:
    answer = laws.score(STREET, 3, hand("h5 h3 L2"))
    # N = 8: low 8 − 2 = 6. In order 6, 5, 3: the penalty is 3. (5 − 3) × 2 = 4, 0, (6 − 3) × 3 = 9.
    assert [(line.code, line.points) for line in answer.lines] == [
        ("case_a", (0, 0, 0)),
        ("doubled_high", (4, 0, 0)),
        ("nothing_high", (0, 0, 0)),
        ("tripled_low", (0, 0, 9)),
    ]


def test_formulas() -> None:
    deal = RULES.read(3, hand("h5 h3 L2"))
    formulas = [RULES.formula(deal, RULES.read_options({}), seat) for seat in range(3)]
    assert formulas == ["(5 − 3) × 2 = 4", "(3 − 3) × 2 = 0", "(8 − 2 − 3) × 3 = 9"]


def test_roles_sides_and_totals() -> None:
    assert RULES.roles(RULES.read(3, hand("h5 h3 L2"))) == ("high", "high", "forced_low")
    assert RULES.roles(RULES.read(2, {"direction": "low", "dealer": 1, "tricks": [5, 5]})) == ("opponent", "dealer")
    assert RULES.sides(3, RULES.read_options({})) == ((0,), (1,), (2,))
    RULES.check_totals([12, 0, -3], 7, RULES.read_options({}))
    assert TableLength("top", 12, 19, 25, "published") == RULES.length


def test_words_are_the_games_own() -> None:
    laws.check_words(STREET)
