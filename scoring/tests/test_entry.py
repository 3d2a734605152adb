"""What the desk and the calculator share: errors on fields, doubts, explanations in words."""

from django import forms
from django.utils import translation

from scoring.entry import entry_context, filled_fields, read_entry
from scoring.fields import PointsField
from scoring.game import find_game
from scoring.numbers import number_text
from scoring.phrases import explain

BELOTE = find_game("belote")
TAROT = find_game("tarot")
NAMES = ["Anne", "Bruno", "Carole", "David"]
LOST = {"contract": "take", "taker": 0, "points": 43, "oudlers": 1}  # 001's second example: −99, 33, 33, 33


def test_explanation_has_names_points_formulas_and_clauses() -> None:
    explanation = explain(TAROT, LOST, NAMES, {})
    assert explanation.points == (-99, 33, 33, 33)
    assert [(seat.name, seat.role) for seat in explanation.seats][:2] == [("Anne", "taker"), ("Bruno", "defender")]
    assert explanation.seats[0].formula == "(−25 − 8) × 1 × 3 = −99"
    assert explanation.lines[0].clauses == ["T3.3"]
    assert explanation.lines[0].points == (("Anne", -75), ("Bruno", 25), ("Carole", 25), ("David", 25))


def test_seat_numbers_in_lines_are_names() -> None:
    facts = {"contract": "take", "taker": 0, "points": 43, "oudlers": 2, "handfuls": [{"seat": 1, "size": "double"}]}
    text = explain(TAROT, facts, NAMES, {}).lines[-1].text
    assert "Bruno" in text
    assert "seat" not in text


def test_numbers_are_in_the_readers_language() -> None:
    with translation.override("fr"):
        assert number_text(49.5) == "49,5"
        assert number_text(-7.0) == "−7"
        form = TAROT.deal_form(NAMES, {"contract": "take", "taker": "0", "oudlers": "0", "points": "86,5"})
        assert read_entry(TAROT, form, NAMES, {}) is None
        assert "86,5" in form.errors["points"][0]


def test_live_form_lists_what_is_missing_and_marks_only_what_is_wrong() -> None:
    form = BELOTE.deal_form(NAMES, {"points": "153"})
    entry = read_entry(BELOTE, form, NAMES, {})
    context = entry_context(BELOTE, form, entry, is_preview=True)
    assert context["needed"] == ["Taker", "Last trick won by"]
    assert form.errors == {}
    wrong = BELOTE.deal_form(NAMES, {"taker": "0", "points": "153", "last_trick": "attack"})
    assert read_entry(BELOTE, wrong, NAMES, {}) is None
    assert entry_context(BELOTE, wrong, None, is_preview=True)["needed"] == []
    assert list(wrong.errors) == ["points"]


def test_form_that_was_sent_marks_what_is_missing() -> None:
    form = BELOTE.deal_form(NAMES, {"points": "80"})
    assert entry_context(BELOTE, form, read_entry(BELOTE, form, NAMES, {}))["needed"] == []
    assert set(form.errors) == {"taker", "last_trick"}


def test_the_callers_doubts_are_confirmed_with_the_engines() -> None:
    data = {"taker": "0", "points": "1", "last_trick": "attack"}

    def page_warnings() -> list[str]:
        return ["The table is complete."]

    entry = read_entry(BELOTE, BELOTE.deal_form(NAMES, data), NAMES, {})
    assert entry is not None
    late = read_entry(BELOTE, BELOTE.deal_form(NAMES, data), NAMES, {}, page_warnings=page_warnings)
    assert late is not None
    assert late.warnings == (*entry.warnings, "The table is complete.")
    assert late.fingerprint != entry.fingerprint
    data |= {"confirmed": late.fingerprint}
    confirmed_entry = read_entry(BELOTE, BELOTE.deal_form(NAMES, data), NAMES, {}, page_warnings=page_warnings)
    assert confirmed_entry is not None
    assert confirmed_entry.confirmed


def test_facts_are_told_by_labels_and_choices() -> None:
    assert filled_fields(TAROT.deal_form(NAMES, facts=LOST)) == [
        ("Contract", "Take"),
        ("Taker", "Anne"),
        ("Oudlers", "1"),
        ("Points", "43"),
    ]
    assert filled_fields(TAROT.house_rules_form(initial={"half_point_short": "void"}))[0] == (
        "The taker is exactly half a point short",
        "The deal is void: nobody scores",
    )


def test_a_field_that_holds_zero_is_told() -> None:
    class Dog(forms.Form):
        points = PointsField("Dog")

    assert filled_fields(Dog(initial={"points": 0})) == [("Dog", "0")]
