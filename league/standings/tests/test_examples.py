"""The worked examples come out as they were worked by hand, name every rule, and are what docs/standings.md shows."""

import json
import re
from typing import Any

import pytest

from league.standings.__main__ import answer
from league.standings.choice import CHOICES
from league.standings.examples import WorkedExample, examples
from league.standings.extras import EXTRAS
from league.standings.minimum import MINIMUMS
from league.standings.presets import PRESETS
from league.standings.ranking import StandingRow, standings
from league.standings.request import PAGES_ONLY
from league.standings.rules import read_rules
from league.standings.season import Exact
from league.standings.tests import seasons, standings_page
from league.standings.tie_breaks import TIE_BREAKS
from league.standings.worth import WORTHS

EXAMPLES = examples()
ROOT = standings_page.PAGE.parent.parent


def rows_of(example: WorkedExample) -> list[StandingRow]:
    request = dict(example.request)
    held = [seasons.season_evening(each) for each in request["evenings"]]
    return standings(read_rules(request["rules"]), held, seasons.points_given(request), example.partners)


def written(value: object) -> Any:
    """Return a row's value as the file has it."""
    if isinstance(value, dict):
        return {key: written(each) for key, each in value.items()}
    if isinstance(value, tuple):
        return list(value)
    return value if isinstance(value, (str, int)) or value is None else number(value)


def number(value: Any) -> list[int]:
    exact: Exact = value
    return [exact.numerator, exact.denominator]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.title)
def test_example_comes_out_as_worked_by_hand(example: WorkedExample) -> None:
    rows = rows_of(example)
    assert [row.player for row in rows] == [row["player"] for row in example.rows]
    for row, by_hand in zip(rows, example.rows, strict=True):
        everything = {**row._asdict(), **row.extras}
        assert {key: written(everything[key]) for key in by_hand} == by_hand


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda each: each.title)
def test_example_is_a_request_of_the_command(example: WorkedExample) -> None:
    found = json.loads(answer(json.dumps(example.request).encode()))
    for key in PAGES_ONLY:
        if key in example.request["rules"]:
            assert found["error"]["field"] == f"rules.{key}"
            return
    assert [row["total"] for row in found["rows"]] == [row["total"] for row in example.rows]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda each: each.name)
def test_preset_can_be_read_and_has_its_example(preset: Any) -> None:
    read_rules(preset.rules)
    assert [each.preset for each in EXAMPLES].count(preset.name) == 1


def test_every_rule_has_an_example() -> None:
    rules = [read_rules(each.request["rules"]) for each in EXAMPLES]
    assert {each.worth.name for each in rules} == set(WORTHS)
    assert {each.counts.name for each in rules} == set(CHOICES)
    assert {each.minimum.name for each in rules} == set(MINIMUMS)
    assert {name for each in rules for name, points in each.extras if points} == set(EXTRAS)
    assert {row.get("tie_break", "") for each in EXAMPLES for row in each.rows} - {""} == set(TIE_BREAKS)
    assert any(each.partners for each in rules)
    assert any(each.rests for each in rules)
    assert any(each.final for each in rules)


def test_page_shows_rules_and_examples_as_they_are() -> None:
    assert standings_page.PAGE.read_text(encoding="utf-8") == standings_page.page()


def test_regulations_lead_to_examples_and_tests_that_exist() -> None:
    page = standings_page.PAGE.read_text(encoding="utf-8")
    _before, _heading, after = page.partition("## Regulations of clubs, with their rules\n")
    table = after.partition(standings_page.MADE)[0]
    headings = {re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-") for line in page.splitlines()}
    assert set(re.findall(r"\(#([^)]*)\)", table)) <= headings
    places = [*ROOT.glob("league/seasons/tests/*.py"), *ROOT.glob("league/draw/tests/*.py")]
    tests = "".join(path.read_text(encoding="utf-8") for path in places)
    for name in re.findall(r"`(test_\w+)`", table):
        assert f"def {name}(" in tests, name
    assert {preset.title for preset in PRESETS} <= set(re.findall(r"\[([^]]*)\]\(#", table))
