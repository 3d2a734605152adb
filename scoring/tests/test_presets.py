"""House rules offered by name."""

from dataclasses import replace

from scoring import registry
from scoring.rules.house_rules import Preset

CONTEST = Preset("contest", "Contest", "A capot counts 252.", {"slam": 90})
RULES = replace(registry.rules("belote"), presets=(CONTEST,))


def test_options_of_a_preset_have_its_name() -> None:
    assert RULES.find_preset(RULES.read_options({"slam": 90})) == CONTEST
    assert RULES.find_preset(RULES.read_options({})) is None


def test_preset_has_a_value_for_each_house_rule() -> None:
    assert RULES.preset_values("contest") == {
        "dispute": "taker",
        "failed_belote": "defence",
        "slam": 90,
        "rounding": None,
    }
    assert RULES.preset_values("unknown") == {}
