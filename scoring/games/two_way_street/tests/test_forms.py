import json
from pathlib import Path
from typing import Any

import pytest

from scoring.game import find_game
from scoring.tests import form_laws

GAME = find_game("two-way-street")
_LINES = (Path(__file__).parent / "vectors" / "two_way_street.jsonl").read_text().splitlines()
VECTORS = [json.loads(line) for line in _LINES]
# Raw scores 6, 8 − 1 = 7 and 3: case A, penalty 3; refined 3, 4, 0, doubled 6, 8, 0 (004).
HAND = {
    "hands.0.call": "high",
    "hands.0.tricks": "6",
    "hands.1.call": "low",
    "hands.1.tricks": "1",
    "hands.2.call": "high",
    "hands.2.tricks": "3",
}
DUEL = {"direction": "low", "dealer": "0", "tricks.0": "6", "tricks.1": "4"}


@pytest.mark.parametrize("seats", GAME.sizes)
def test_template_holds_every_field(seats: int) -> None:
    form_laws.check_template(GAME, seats)


def test_house_rules() -> None:
    form_laws.check_house_rules(GAME)


@pytest.mark.parametrize("step", [8, pytest.param(1, marks=pytest.mark.faults)])
def test_facts_survive_the_form(step: int) -> None:
    for vector in VECTORS[::step]:
        request = vector["request"]
        entry = form_laws.check_round_trip(GAME, request["seats"], request["facts"], request["options"])
        assert list(entry.explanation.points) == vector["points"]


def test_a_hand() -> None:
    _form, entry = form_laws.entered(GAME, 3, HAND)
    assert entry is not None
    assert entry.facts == {
        "hands": [{"call": "high", "tricks": 6}, {"call": "low", "tricks": 1}, {"call": "high", "tricks": 3}]
    }
    assert entry.explanation.points == (6, 8, 0)
    assert entry.explanation.lines[1].text.startswith("Player 1 declared high")


def test_a_duel() -> None:
    _form, entry = form_laws.entered(GAME, 2, DUEL)
    assert entry is not None
    assert entry.facts == {"direction": "low", "dealer": 0, "tricks": [6, 4]}
    assert entry.explanation.points == (0, 4)


@pytest.mark.parametrize(
    ("seats", "typed", "field"),
    [
        (3, {**HAND, "hands.1.tricks": "-1"}, "hands.1.tricks"),
        (3, {**HAND, "hands.1.tricks": "1.5"}, "hands.1.tricks"),
        (3, {**HAND, "hands.1.tricks": "99999"}, "hands.1.tricks"),
        (3, {**HAND, "hands.1.tricks": ""}, "hands.1.tricks"),
        (3, {**HAND, "hands.2.call": "middle"}, "hands.2.call"),
        (3, {**HAND, "hands.2.call": ""}, "hands.2.call"),
        (2, {**DUEL, "tricks.0": "-2"}, "tricks.0"),
        (2, {**DUEL, "dealer": "2"}, "dealer"),
        (2, {**DUEL, "direction": ""}, "direction"),
    ],
)
def test_error_stands_on_its_field(seats: int, typed: dict[str, Any], field: str) -> None:
    form, entry = form_laws.entered(GAME, seats, typed)
    assert entry is None
    assert list(form.errors) == [field]


def test_everything_missing_is_told_at_once() -> None:
    form, _entry = form_laws.entered(GAME, 3, {})
    assert set(form.errors) == {f"hands.{seat}.{key}" for key in ("call", "tricks") for seat in range(3)}
    duel, _entry = form_laws.entered(GAME, 2, {})
    assert set(duel.errors) == {"direction", "dealer", "tricks.0", "tricks.1"}


@pytest.mark.parametrize(
    ("seats", "typed", "warning"),
    [
        (3, {**HAND, "hands.2.tricks": "4"}, "The tricks add up to 11; a hand has 10."),
        (3, {**HAND, "hands.2.forced": "on"}, "Player 3: forced: Player 3 is forced high, but no more than half"),
        (2, {**DUEL, "tricks.0": "3"}, "The tricks add up to 7; a duel has at least 10."),
    ],
)
def test_doubts_are_asked_about(seats: int, typed: dict[str, Any], warning: str) -> None:
    _form, entry = form_laws.entered(GAME, seats, typed)
    assert entry is not None
    assert entry.warnings[0].startswith(warning)
    assert not entry.confirmed


def test_house_rule_takes_the_check_of_ten_tricks_away() -> None:
    _form, entry = form_laws.entered(GAME, 3, {**HAND, "hands.2.tricks": "4"}, hand_tricks=None)
    assert entry is not None
    assert entry.warnings == ()


@pytest.mark.parametrize(
    ("seats", "engine", "form_field"),
    [
        (10, "hands.9.call", "hands.9.call"),
        (10, "hands.9.forced", "hands.9.forced"),
        (10, "hands.0.tricks", "hands.0.tricks"),
        (10, "hands.10.tricks", None),
        (10, "hands", None),
        (2, "tricks.1", "tricks.1"),
        (2, "tricks", None),
        (2, "dealer", "dealer"),
        (2, "direction", "direction"),
        (2, "facts", None),
    ],
)
def test_engine_fields_are_found(seats: int, engine: str, form_field: str | None) -> None:
    form, _entry = form_laws.entered(GAME, seats, {})
    assert form.input_name_of_fact(engine) == form_field


def test_summary() -> None:
    hand = GAME.rules.read(3, {"hands": [{"call": "high", "tricks": 6}, *[{"call": "low", "tricks": 2}] * 2]})
    assert GAME.summary(hand, ["A", "B", "C"]) == "1 high, 2 low: 6 2 2"
    duel = GAME.rules.read(2, {"direction": "low", "dealer": 0, "tricks": [6, 4]})
    assert GAME.summary(duel, ["A", "B"]) == "Duel played low: 6 – 4"
