"""Standings rules in a form: all rules can be entered, and each error is on its field."""

from typing import Any

import pytest
from hypothesis import given, settings

from league.seasons.forms.rules import StandingsRulesForm, form_values
from league.seasons.tests.test_rules_summary import any_rules
from league.standings.presets import PRESETS
from league.standings.rules import StandingsRules
from scoring.game import find_game
from tests.examples import examples

PLAIN = {"worth": "points", "counts": "all", "minimum": "none"}
PLACES = {**PLAIN, "worth": "places", "place_points": "25, 18-15", "shared": "same"}


def form(data: dict[str, Any], game: str = "belote", evenings: int = 0) -> StandingsRulesForm:
    return StandingsRulesForm(data, game=find_game(game), evenings=evenings)


def filled_form(data: dict[str, Any], game: str = "belote") -> Any:
    filled_in = form(data, game)
    assert filled_in.errors == {}
    return filled_in.rules


@settings(max_examples=examples(200), deadline=None)
@given(rules=any_rules())
def test_every_rule_can_be_filled_form(rules: dict[str, Any]) -> None:
    read = StandingsRules.from_json(rules)
    if read.counts.name == "all" and read.final:  # if all evenings count, the final is not mentioned
        read = StandingsRules.from_json({**rules, "counts": {"which": "all"}})
    assert filled_form(form_values(read)) == read


@pytest.mark.parametrize("preset", [preset for preset in PRESETS if preset.name != "wins"], ids=lambda each: each.name)
@pytest.mark.parametrize("game", ["tarot", "two-way-street"])
def test_every_preset_can_be_told_of_any_game(preset: Any, game: str) -> None:
    rules = StandingsRules.from_json(preset.rules)
    assert filled_form(form_values(rules), game) == rules


def test_a_game_without_pairs_is_asked_less() -> None:
    pairs, alone = form({}, "belote").fields, form({}, "tarot").fields
    assert pairs.keys() - alone.keys() == {"win", "loss", "exempt", "plus_points", "partners", "tie_9"}
    assert "wins" not in dict(alone["worth"].choices)  # type: ignore[attr-defined]
    assert "wins" not in dict(alone["tie_1"].choices)  # type: ignore[attr-defined]
    assert "worth" in form({**PLAIN, "worth": "wins", "win": 1, "loss": 0, "exempt": 0}, "tarot").errors


def test_what_does_not_belong_to_a_choice_is_not_looked_at() -> None:
    assert filled_form(
        {**PLAIN, "best": "7", "place_points": "3 2 1", "minimum_evenings": "4", "win": "3"}
    ) == StandingsRules.from_json({})


def test_points_of_places_may_be_written_with_any_marks() -> None:
    assert dict(filled_form(PLACES).worth.options)["points"] == (25, 18, 15)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({**PLAIN, "worth": "guess"}, "worth"),
        ({"counts": "all", "minimum": "none"}, "worth"),
        ({**PLACES, "place_points": ""}, "place_points"),
        ({**PLACES, "place_points": "25 1,5 x"}, "place_points"),
        ({**PLACES, "place_points": "-"}, "place_points"),
        ({**PLACES, "place_points": "１２"}, "place_points"),
        ({**PLACES, "place_points": " ".join(["1"] * 101)}, "place_points"),
        ({**PLACES, "place_points": "1000000"}, "place_points"),
        ({**PLACES, "place_rest": "-1"}, "place_rest"),
        ({**PLACES, "shared": "all"}, "shared"),
        ({**PLAIN, "worth": "wins", "win": "4", "loss": "", "exempt": "3"}, "loss"),
        ({**PLAIN, "counts": "best"}, "best"),
        ({**PLAIN, "counts": "best", "best": "0"}, "best"),
        ({**PLAIN, "counts": "best", "best": "9" * 5000}, "best"),
        ({**PLAIN, "counts": "drop", "drop_each": "2"}, "drop_after"),
        ({**PLAIN, "counts": "drop", "drop_after": "2"}, "drop_each"),
        ({**PLAIN, "counts": "average", "average_best": "-3"}, "average_best"),
        ({**PLAIN, "minimum": "evenings"}, "minimum_evenings"),
        ({**PLAIN, "minimum": "evenings", "minimum_evenings": "9", "planned_evenings": "8"}, "minimum_evenings"),
        ({**PLAIN, "minimum": "share", "share": "8"}, "share"),
        ({**PLAIN, "minimum": "share", "share": "13", "share_denominator": "12"}, "share"),
        ({**PLAIN, "partners": "many"}, "partners"),
        ({**PLAIN, "attendance": "-1"}, "attendance"),
        ({**PLAIN, "rests": "1.5"}, "rests"),
        ({**PLAIN, "tie_1": "wins", "tie_3": "wins"}, "tie_3"),
        ({**PLAIN, "tie_1": "by lot"}, "tie_1"),
        ({**PLAIN, "planned_evenings": "0"}, "planned_evenings"),
    ],
)
def test_what_is_wrong_stands_on_its_field(wrong: dict[str, Any], field: str) -> None:
    assert list(form(wrong).errors) == [field]


def test_a_minimum_that_every_evening_fills_is_possible() -> None:
    assert filled_form({**PLAIN, "minimum": "evenings", "minimum_evenings": "8", "planned_evenings": "8"})


def test_a_season_is_not_shorter_than_it_is() -> None:
    assert list(form({**PLAIN, "planned_evenings": "5"}, evenings=6).errors) == ["planned_evenings"]
    assert form({**PLAIN, "planned_evenings": ""}, evenings=6).is_valid()


def test_some_tie_breaks_are_shown_and_one_more_than_are_filled_form() -> None:
    five = StandingsRules.from_json({"ties": ["next_best", "wins", "direct", "average", "best_evening"]})
    assert form({}).shown_tie_break_count == 3
    assert (
        StandingsRulesForm(initial=form_values(five), game=find_game("belote"), evenings=0).shown_tie_break_count == 6
    )


@pytest.mark.parametrize(
    ("field", "choice"), [("counts", "best"), ("counts", "drop"), ("minimum", "evenings"), ("minimum", "share")]
)
def test_a_choice_begins_with_usual_numbers_and_no_error(field: str, choice: str) -> None:
    empty = StandingsRulesForm(initial=form_values(StandingsRules()), game=find_game("belote"), evenings=0)
    values = {each.html_name: each.value() for each in empty if each.value() is not None}
    assert form({**values, field: choice}).errors == {}
