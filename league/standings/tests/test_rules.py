"""Rules read from JSON, and written as JSON again."""

from typing import Any

from hypothesis import given

from league.standings.presets import PRESETS
from league.standings.rules import read_rules, written_rules
from league.standings.tests import seasons


@given(seasons.rules())
def test_rules_written_are_read_as_the_same(rules: dict[str, Any]) -> None:
    assert read_rules(written_rules(read_rules(rules))) == read_rules(rules)


def test_rules_of_pages_are_written_too() -> None:
    rules = {"partners": 2, "rests": -5}
    assert written_rules(read_rules(rules)) == rules


def test_what_is_as_usual_is_not_written() -> None:
    spoken = {
        "worth": {"by": "places", "points": [3, 2], "among": "all", "shared": "same"},
        "counts": {"which": "all", "final": False},
        "minimum": {"evenings": 0},
        "attendance": 0,
        "ties": [],
    }
    assert written_rules(read_rules(spoken)) == {"worth": {"by": "places", "points": [3, 2]}}


def test_every_preset_is_written_as_it_stands() -> None:
    plain = {"plus_points": False}
    for preset in PRESETS:
        rules = {**preset.rules}
        if "worth" in rules:
            rules["worth"] = {name: said for name, said in rules["worth"].items() if plain.get(name) != said}
        assert written_rules(read_rules(preset.rules)) == rules
