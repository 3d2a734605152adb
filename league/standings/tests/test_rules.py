"""Rules read from JSON, and written as JSON again."""

from typing import Any

from hypothesis import given

from league.standings.presets import PRESETS
from league.standings.rules import StandingsRules
from league.standings.tests import seasons


@given(seasons.rules())
def test_rules_written_are_read_as_the_same(rules: dict[str, Any]) -> None:
    assert StandingsRules.from_json(StandingsRules.from_json(rules).to_json()) == StandingsRules.from_json(rules)


def test_rules_without_a_request_key_are_written_too() -> None:
    rules = {"partners": 2, "rests": -5}
    assert StandingsRules.from_json(rules).to_json() == rules


def test_default_values_are_not_written() -> None:
    explicit = {
        "worth": {"by": "places", "points": [3, 2], "among": "all", "shared": "same"},
        "counts": {"which": "all", "final": False},
        "minimum": {"evenings": 0},
        "attendance": 0,
        "ties": [],
    }
    assert StandingsRules.from_json(explicit).to_json() == {"worth": {"by": "places", "points": [3, 2]}}


def test_every_preset_is_written_as_it_stands() -> None:
    defaults = {"plus_points": False}
    for preset in PRESETS:
        rules = {**preset.rules}
        if "worth" in rules:
            rules["worth"] = {name: value for name, value in rules["worth"].items() if defaults.get(name) != value}
        assert StandingsRules.from_json(preset.rules).to_json() == rules
