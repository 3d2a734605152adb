import json
from pathlib import Path
from typing import Any

import pytest

from scoring.game import find_game
from scoring.tests import form_laws

GAME = find_game("belote")
WITH_TEN = GAME.with_typing_variant("with_ten")
VECTORS = [json.loads(line) for line in (Path(__file__).parent / "vectors" / "belote.jsonl").read_text().splitlines()]
TYPED = {"taker": "0", "points": "75", "last_trick": "attack", "belote": "", "all_tricks": ""}


def test_template_holds_every_field() -> None:
    form_laws.check_template(GAME, 4)
    form_laws.check_template(WITH_TEN, 4)


def test_house_rules() -> None:
    form_laws.check_house_rules(GAME)


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.faults)])
def test_facts_survive_the_form(step: int) -> None:
    for vector in VECTORS[::step]:
        request = vector["request"]
        entry = form_laws.check_round_trip(GAME, request["seats"], request["facts"], request["options"])
        assert list(entry.explanation.points) == vector["points"]
        form_laws.check_round_trip(WITH_TEN, request["seats"], request["facts"], request["options"])


def test_second_example_of_003() -> None:
    _form, entry = form_laws.entered(GAME, 4, TYPED)
    assert entry is not None
    assert entry.facts == {"taker": 0, "points": 75, "last_trick": "attack"}
    assert entry.explanation.points == (85, 77, 85, 77)
    assert entry.confirmed


def test_points_may_be_typed_with_the_ten_of_the_last_trick() -> None:
    _form, entry = form_laws.entered(WITH_TEN, 4, {**TYPED, "points": "85"})
    assert entry is not None
    assert entry.facts == {"taker": 0, "points": 75, "last_trick": "attack"}
    _form, entry = form_laws.entered(WITH_TEN, 4, {**TYPED, "points": "85", "last_trick": "defence"})
    assert entry is not None
    assert entry.facts == {"taker": 0, "points": 85, "last_trick": "defence"}
    names = ["Anne", "Bruno", "Carole", "David"]
    deal = GAME.rules.read(4, {"taker": 0, "points": 75, "last_trick": "attack"})
    assert GAME.summary(deal, names) == "Anne & Carole take: 75, last trick"
    assert WITH_TEN.summary(deal, names) == "Anne & Carole take: 85, last trick"


@pytest.mark.parametrize(("points", "last_trick"), [("9", "attack"), ("163", "attack"), ("153", "defence")])
def test_points_with_the_ten_that_can_not_be_are_refused(points: str, last_trick: str) -> None:
    form, entry = form_laws.entered(WITH_TEN, 4, {**TYPED, "points": points, "last_trick": last_trick})
    assert entry is None
    assert list(form.errors) == ["points"]


def test_a_typing_that_the_game_does_not_have_is_the_usual_one() -> None:
    assert GAME.with_typing_variant("") is GAME
    assert GAME.with_typing_variant("otherwise") is GAME


def test_passed_asks_for_nothing_else_and_keeps_what_was_typed() -> None:
    form, entry = form_laws.entered(GAME, 4, {**TYPED, "taker": "passed"})
    assert entry is not None
    assert entry.facts == {"taker": None}
    rendered = form_laws.shown_form(GAME, form, entry)
    assert "part-result" in rendered.hidden
    assert ("points", "75") in rendered.posted


def test_an_irregularity_asks_for_the_seat_only() -> None:
    form, entry = form_laws.entered(GAME, 4, {**TYPED, "taker": "penalty"})
    assert entry is None
    assert list(form.errors) == ["penalty"]
    for game in (GAME, WITH_TEN):
        form, entry = form_laws.entered(game, 4, {**TYPED, "taker": "penalty", "penalty": "2"})
        assert entry is not None
        assert entry.facts == {"penalty": 2}
        assert entry.explanation.points == (0, 162, 0, 162)
        assert "part-result" in form_laws.shown_form(game, form, entry).hidden
        form_laws.check_round_trip(game, 4, {"penalty": 2}, {})
    _form, entry = form_laws.entered(GAME, 4, {**TYPED, "penalty": "2"})
    assert entry is not None
    assert entry.facts == {"taker": 0, "points": 75, "last_trick": "attack"}
    assert GAME.summary(GAME.rules.read(4, {"penalty": 2}), ["A", "B", "C", "D"]) == "Irregularity of C"


def test_everything_missing_is_told_at_once() -> None:
    form, entry = form_laws.entered(GAME, 4, {})
    assert entry is None
    assert set(form.errors) == {"taker", "points", "last_trick"}


@pytest.mark.parametrize(
    ("typed", "field", "says"),
    [
        ({"points": "153"}, "points", "153 is outside 0 to 152."),
        ({"points": "-1"}, "points", "outside 0 to 152"),
        ({"points": "75.5"}, "points", "whole number"),
        ({"points": "many"}, "points", "whole number"),
        ({"taker": "4"}, "taker", "valid choice"),
        ({"last_trick": "both"}, "last_trick", "valid choice"),
        ({"all_tricks": "attack"}, "all_tricks", "all 152 card points"),
        ({"all_tricks": "defence"}, "all_tricks", "no card points"),
    ],
)
def test_error_stands_on_its_field_with_what_was_typed(typed: dict[str, Any], field: str, says: str) -> None:
    form, entry = form_laws.entered(GAME, 4, {**TYPED, **typed})
    assert entry is None
    assert list(form.errors) == [field]
    assert says in form.errors[field][0]
    if field == "points":
        assert ("points", typed["points"]) in form_laws.shown_form(GAME, form).posted


def test_doubt_is_asked_about_until_it_is_confirmed() -> None:
    _form, entry = form_laws.entered(GAME, 4, {**TYPED, "points": "151"})
    assert entry is not None
    assert entry.warnings == (
        "Card points of the taker's side: No cards add up to 151 points: is it a slip of the pen?",
    )
    assert not entry.confirmed
    _form, sent_again = form_laws.entered(GAME, 4, {**TYPED, "points": "151", "confirmed": entry.fingerprint})
    assert sent_again is not None
    assert sent_again.confirmed
    _form, changed_entry = form_laws.entered(GAME, 4, {**TYPED, "points": "1", "confirmed": entry.fingerprint})
    assert changed_entry is not None
    assert not changed_entry.confirmed


@pytest.mark.parametrize("field", ["taker", "points", "last_trick", "belote", "all_tricks", "penalty"])
def test_engine_fields_are_the_forms(field: str) -> None:
    form, _entry = form_laws.entered(GAME, 4, TYPED)
    assert form.input_name_of_fact(field) == field
    assert form.input_name_of_fact("facts") is None


def test_summary() -> None:
    names = ["Anne", "Bruno", "Carole", "David"]
    assert GAME.summary(GAME.rules.read(4, {"taker": 1, "points": 75, "last_trick": "attack"}), names) == (
        "Bruno & David take: 75, last trick"
    )
    lost = {"taker": 0, "points": 0, "last_trick": "defence", "belote": "defence", "all_tricks": "defence"}
    assert GAME.summary(GAME.rules.read(4, lost), names) == (
        "Anne & Carole take: 0, all tricks to the defence, belote of the defence"
    )
    plain = {"taker": 0, "points": 75, "last_trick": "defence", "belote": "attack"}
    assert GAME.summary(GAME.rules.read(4, plain), names) == "Anne & Carole take: 75, belote"
    assert GAME.summary(GAME.rules.read(4, {"taker": None}), names) == "Passed"
