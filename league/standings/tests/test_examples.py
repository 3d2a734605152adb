"""The worked examples have the rows computed by hand, cover every rule, and are shown in docs/standings.md."""

import json
import re
from typing import Any

import pytest

from league.standings.__main__ import answer
from league.standings.counted_evenings import COUNTED_EVENINGS_RULES
from league.standings.examples import WorkedExample, examples
from league.standings.extras import EXTRAS
from league.standings.minimum import MINIMUM_RULES
from league.standings.presets import PRESETS
from league.standings.ranking import RankingRow, standings
from league.standings.request import RULES_NOT_IN_REQUESTS
from league.standings.rules import StandingsRules
from league.standings.season import ExactNumber
from league.standings.tests import seasons, standings_page
from league.standings.tie_breaks import TIE_BREAKS
from league.standings.worth import WORTH_RULES

EXAMPLES = examples()
ROOT = standings_page.PAGE.parent.parent


def rows_of(example: WorkedExample) -> list[RankingRow]:
    request = dict(example.request)
    evenings = [seasons.season_evening(evening) for evening in request["evenings"]]
    return standings(
        StandingsRules.from_json(request["rules"]), evenings, seasons.points_given(request), example.partners
    )


def file_value(value: object) -> Any:
    """Return the value as in the examples file."""
    if isinstance(value, dict):
        return {key: file_value(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return list(value)
    return value if isinstance(value, (str, int)) or value is None else number(value)


def number(value: Any) -> list[int]:
    exact: ExactNumber = value
    return [exact.numerator, exact.denominator]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_example_comes_out_as_worked_by_hand(example: WorkedExample) -> None:
    rows = rows_of(example)
    assert [row.player for row in rows] == [row["player"] for row in example.rows]
    for row, by_hand in zip(rows, example.rows, strict=True):
        everything = {**row._asdict(), **row.extras}
        assert {key: file_value(everything[key]) for key in by_hand} == by_hand


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.title)
def test_example_is_a_request_of_the_command(example: WorkedExample) -> None:
    response = json.loads(answer(json.dumps(example.request).encode()))
    for key in RULES_NOT_IN_REQUESTS:
        if key in example.request["rules"]:
            assert response["error"]["field"] == f"rules.{key}"
            return
    assert [row["total"] for row in response["rows"]] == [row["total"] for row in example.rows]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_preset_can_be_read_and_has_its_example(preset: Any) -> None:
    StandingsRules.from_json(preset.rules)
    assert [example.preset for example in EXAMPLES].count(preset.name) == 1


def test_every_rule_has_an_example() -> None:
    rules = [StandingsRules.from_json(example.request["rules"]) for example in EXAMPLES]
    assert {rule.worth.name for rule in rules} == set(WORTH_RULES)
    assert {rule.counts.name for rule in rules} == set(COUNTED_EVENINGS_RULES)
    assert {rule.minimum.name for rule in rules} == set(MINIMUM_RULES)
    assert {name for rule in rules for name, points in rule.extras if points} == set(EXTRAS)
    assert {row.get("tie_break", "") for example in EXAMPLES for row in example.rows} - {""} == set(TIE_BREAKS)
    assert any(rule.partners for rule in rules)
    assert any(rule.rests for rule in rules)
    assert any(rule.final for rule in rules)


def test_page_shows_rules_and_examples_as_they_are() -> None:
    assert standings_page.PAGE.read_text(encoding="utf-8") == standings_page.page()


def test_regulations_lead_to_examples_and_tests_that_exist() -> None:
    page = standings_page.PAGE.read_text(encoding="utf-8")
    _before, _heading, after = page.partition("## Regulations of clubs, with their rules\n")
    table = after.partition(standings_page.MARKER)[0]
    headings = {re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-") for line in page.splitlines()}
    assert set(re.findall(r"\(#([^)]*)\)", table)) <= headings
    places = [
        path for room in ("actions", "draw", "evenings", "seasons") for path in ROOT.glob(f"league/{room}/tests/*.py")
    ]
    tests = "".join(path.read_text(encoding="utf-8") for path in places)
    for name in re.findall(r"`(test_\w+)`", table):
        assert f"def {name}(" in tests, name
    assert {preset.title for preset in PRESETS} <= set(re.findall(r"\[([^]]*)\]\(#", table))
