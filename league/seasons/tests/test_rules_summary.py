"""A sentence sums standings rules up: in English and French, and never the same for different rules."""

from typing import Any

import pytest
from django.utils.translation import override
from hypothesis import given, settings
from hypothesis import strategies as st

from league.seasons.queries import rules_summary
from league.seasons.queries.rules_summary import rules_sentence
from league.standings.counted_evenings import COUNTED_EVENINGS_RULES
from league.standings.extras import EXTRAS
from league.standings.minimum import MINIMUM_RULES
from league.standings.presets import PRESETS
from league.standings.rules import StandingsRules
from league.standings.tests import seasons
from league.standings.worth import WORTH_RULES
from tests.examples import examples

ENGLISH = {
    "sum": "All evenings count; an evening is worth its points; equal totals share their rank.",
    "best": "The best 4 evenings count; an evening is worth its points; ties: the next best evening.",
    "final": "The best 3 evenings count; the final is always one of them; "
    "places give 25-18-15-12-10-8-6-4-2-1 and 1 to everyone else; equal totals share their rank.",
    "average": "The mean of all evenings counts; an evening is worth its points; ranked from 8 evenings on; "
    "equal totals share their rank.",
    "best_average": "The mean of the best 24 evenings counts; an evening is worth its points; "
    "ranked from 8 of every 12 evenings held; equal totals share their rank.",
    "drop": "All evenings count but the worst: one is dropped for each 2 attended beyond 4; "
    "an evening is worth its points; equal totals share their rank.",
    "podium": "The mean of all evenings counts; places give 3-2-1 and nothing to everyone else; "
    "equal totals share their rank.",
    "wins": "All evenings count; a table won gives 4, one lost 2, an exempt round 3; ranked from 4 evenings on; "
    "ties: tables won, then points of all evenings.",
}
FRENCH = {
    "best": "Les 4 meilleures soirées comptent\u202f; une soirée vaut ses points\u202f; "
    "égalités\u202f: la meilleure soirée suivante.",
    "drop": "Toutes les soirées comptent sauf les moins bonnes\u202f: une est retirée toutes les 2 soirées jouées "
    "au-delà de 4\u202f; une soirée vaut ses points\u202f; à égalité, le rang est partagé.",
    "wins": "Toutes les soirées comptent\u202f; une table gagnée rapporte 4, une perdue 2, un tour exempt 3\u202f; "
    "classement à partir de 4 soirées\u202f; égalités\u202f: tables gagnées, puis points de toutes les soirées.",
}


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_has_its_sentence(preset: Any) -> None:
    assert rules_sentence(StandingsRules.from_json(preset.rules)) == ENGLISH[preset.name]


@pytest.mark.parametrize("name", FRENCH)
def test_french_says_it_as_clubs_do(name: str) -> None:
    rules = {preset.name: preset.rules for preset in PRESETS}
    with override("fr"):
        assert rules_sentence(StandingsRules.from_json(rules[name])) == FRENCH[name]


def test_the_season_says_of_how_many_evenings_and_how_often_the_final_counts() -> None:
    rules = StandingsRules.from_json(
        {"counts": {"which": "best", "n": 3, "final": True}, "ties": ["next_best", "wins"]}
    )
    assert rules_sentence(rules, evenings=4, final_weight=2) == (
        "The best 3 of 4 evenings count; the final is always one of them; the final counts double; "
        "an evening is worth its points; ties: the next best evening, then tables won."
    )
    assert rules_sentence(rules, evenings=3).startswith("The best 3 evenings count; ")


def test_what_comes_on_top_and_partners_are_said() -> None:
    rules = StandingsRules.from_json({"attendance": 5, "rests": -50, "partners": 2})
    assert rules_sentence(rules) == (
        "All evenings count; an evening is worth its points; a round sat out gives −50; "
        "each evening attended gives 5 more; ranked with at least 2 different partners; equal totals share their rank."
    )


def any_rules() -> st.SearchStrategy[dict[str, Any]]:
    pages = st.fixed_dictionaries({}, optional={"partners": st.integers(0, 2), "rests": st.integers(-2, 2)})
    return st.builds(lambda rules, more: {**rules, **more}, seasons.rules(), pages)


def meaning(rules: dict[str, Any]) -> Any:
    """Rules in normal form: equivalent rules are equal."""
    normalised = StandingsRules.from_json(rules).to_json()
    worth, counts = normalised.get("worth", {}), normalised.get("counts", {})
    if worth.get("by") == "places":
        worth.setdefault("rest", worth["points"][-1])
    if counts == {"which": "all", "final": True}:
        del normalised["counts"]
    return normalised


@settings(max_examples=examples(400), deadline=None)
@pytest.mark.parametrize("language", ["en", "fr"])
@given(rules=any_rules(), others=any_rules())
def test_different_rules_have_different_sentences(language: str, rules: dict[str, Any], others: dict[str, Any]) -> None:
    with override(language):
        same = rules_sentence(StandingsRules.from_json(rules)) == rules_sentence(StandingsRules.from_json(others))
    assert same == (meaning(rules) == meaning(others))


def test_every_rule_that_plugs_in_has_its_words() -> None:
    assert rules_summary.COUNTS_CLAUSES.keys() == COUNTED_EVENINGS_RULES.keys()
    assert rules_summary.WORTH_CLAUSES.keys() == WORTH_RULES.keys()
    assert rules_summary.MINIMUM_CLAUSES.keys() == MINIMUM_RULES.keys()
    assert rules_summary.EXTRA_CLAUSES.keys() == EXTRAS.keys()
