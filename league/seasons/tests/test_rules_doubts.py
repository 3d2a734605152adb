"""Warnings about valid but doubtful rules."""

from typing import Any

import pytest

from league.seasons.queries.rules_warnings import rules_warnings
from league.standings.presets import PRESETS
from league.standings.rules import StandingsRules


def warnings(rules: dict[str, Any], evenings: int | None = 6) -> list[str]:
    return rules_warnings(StandingsRules.from_json(rules), evenings)


@pytest.mark.parametrize(
    ("rules", "planned", "words"),
    [
        ({"counts": {"which": "best", "n": 8}}, 6, "The best 8 in a season of 6 evenings"),
        ({"counts": {"which": "best", "n": 6}}, 6, "The best 6 in a season of 6 evenings"),
        ({"counts": {"which": "average", "n": 6}}, 6, "The best 6 in a season of 6 evenings"),
        ({"counts": {"which": "best", "n": 1}}, 1, "The best 1 in a season of one evening"),
        ({"counts": {"which": "drop", "each": 2, "after": 5}}, 6, "nothing would ever be dropped"),
        ({"worth": {"by": "places", "points": [3, 5]}}, 6, "A later place gives more"),
        ({"worth": {"by": "places", "points": [3, 2], "rest": 4}}, 6, "A later place gives more"),
        ({"worth": {"by": "wins", "win": 1, "loss": 2, "exempt": 0}}, 6, "A table lost gives more"),
        ({"minimum": {"evenings": 6}}, 6, "Whoever misses an evening"),
        ({"minimum": {"share": [3, 3]}}, None, "Whoever misses an evening"),
        ({"ties": ["next_best"]}, 6, "the next best one never decides"),
        ({"counts": {"which": "average"}, "ties": ["next_best"]}, 6, "the next best one never decides"),
        ({"ties": ["more_evenings", "wins", "fewer_evenings"]}, 6, "the second of these never decides"),
    ],
)
def test_what_is_doubtful_is_asked_about(rules: dict[str, Any], planned: int | None, words: str) -> None:
    (only,) = warnings(rules, planned)
    assert words in only


@pytest.mark.parametrize(
    ("rules", "planned", "expected"),
    [
        ({}, 6, True),
        ({}, None, True),
        ({"worth": {"by": "average"}}, 6, True),
        ({"counts": {"which": "drop", "each": 2, "after": 2}}, 6, True),
        ({"counts": {"which": "best", "n": 4}}, 6, True),
        ({"counts": {"which": "best", "n": 4}, "minimum": {"evenings": 3}}, 6, True),
        ({"counts": {"which": "best", "n": 4}, "minimum": {"evenings": 4}}, 6, False),
        ({"counts": {"which": "average"}}, 6, False),
        ({"worth": {"by": "places", "points": [3, 2]}}, 6, False),
    ],
)
def test_where_the_lowest_total_wins_a_sum_favours_absent_players(
    rules: dict[str, Any], planned: int | None, expected: bool
) -> None:
    standings_rules = StandingsRules.from_json(rules)
    texts = rules_warnings(standings_rules, planned, low_wins=True)
    assert any("whoever is absent has an advantage" in text for text in texts) is expected
    assert not any("absent" in text for text in rules_warnings(standings_rules, planned))


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_presets_are_beyond_doubt(preset: Any) -> None:
    assert warnings(preset.rules, 30) == []
    assert warnings(preset.rules, None) == []


def test_nothing_is_doubtful_about_what_nobody_knows() -> None:
    assert warnings({"counts": {"which": "best", "n": 8}}, None) == []
    assert warnings({"counts": {"which": "best", "n": 5}}, 6) == []
    assert warnings({"counts": {"which": "drop", "each": 2, "after": 4}}, 6) == []
