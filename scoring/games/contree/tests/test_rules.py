"""Contrée's points: published examples, vectors from elsewhere, a second scorer, and the laws of every game."""

import json
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.games.contree.options import PRESETS, Options
from scoring.games.contree.rules import CONTRACTS, DOUBLES, RULES, SIDES, TRUMPS
from scoring.games.contree.tests.naive_scorer import naive_points
from scoring.rules.errors import IllegalDeal
from scoring.tests import laws
from tests.examples import examples

FOLDER = Path(__file__).parent.parent
FIELDS = re.compile(
    r"seats|facts|taker|contract|trump|double|points|last_trick|all_tricks"
    r"|(belotes|announcements)(\.(attack|defence))?|options(\.\w+)?"
)
CONTREE = laws.Subject(RULES, FOLDER, FIELDS, formulas=False)
VECTORS = [json.loads(line) for line in (FOLDER / "tests/vectors/contree.jsonl").read_text("utf-8").splitlines()]
EXAMPLES = tomllib.loads((FOLDER / "examples.toml").read_text("utf-8"))["example"]
USUAL: laws.Facts = {"taker": 0, "contract": 100, "trump": "spades", "points": 104, "last_trick": "attack"}
SWEPT = {**USUAL, "points": 152, "all_tricks": "attack"}
FFB = {preset.name: preset.options for preset in PRESETS}["ffb-2016"]


def all_options() -> st.SearchStrategy[dict[str, Any]]:
    options = st.fixed_dictionaries(
        {}, optional={rule.name: st.sampled_from(tuple(rule.choices)) for rule in RULES.house_rules}
    )
    return options.filter(lambda options: (options.get("doubled_base"), options.get("scoring")) != ("none", "points"))


@st.composite
def deals(draw: st.DrawFn, *, announcements: bool = False) -> laws.Facts:
    """Return every legal deal; every trick won by one side is as frequent as other results."""
    if not draw(st.integers(0, 9)):
        return {"taker": None}
    all_tricks = draw(st.sampled_from((None, None, None, "attack", "defence", "taker")))
    trump = draw(st.sampled_from(TRUMPS))
    maximum = {"no_trump": 0, "all_trumps": 4}.get(trump, 1)
    attack_belotes = draw(st.integers(0, maximum))
    facts: laws.Facts = {
        "taker": draw(st.integers(0, 3)),
        "contract": draw(st.sampled_from(CONTRACTS)),
        "trump": trump,
        "double": draw(st.sampled_from((None, *DOUBLES))),
        "points": {None: draw(st.integers(0, 152)), "defence": 0}.get(all_tricks, 152),
        "last_trick": {None: draw(st.sampled_from(SIDES)), "defence": "defence"}.get(all_tricks, "attack"),
        "all_tricks": all_tricks,
        "belotes": {"attack": attack_belotes, "defence": draw(st.integers(0, maximum - attack_belotes))},
    }
    if announcements:
        facts["announcements"] = {draw(st.sampled_from(SIDES)): 10 * draw(st.integers(0, 100))}
    return facts


@st.composite
def deals_with_options(draw: st.DrawFn) -> tuple[laws.Facts, dict[str, Any]]:
    options = draw(all_options())
    return draw(deals(announcements=bool(options.get("announcements")))), options


def relabel(facts: laws.Facts, order: Sequence[int]) -> laws.Facts:
    taker = facts["taker"]
    return {**facts, "taker": None if taker is None else order[taker]}


def points_of(facts: laws.Facts, **options: object) -> tuple[int, int]:
    """Return the points of the taker's side and of the defence; seat 0 takes."""
    points = laws.check_deal(CONTREE, 4, facts, options).points
    return points[0], points[1]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["title"])
def test_published_example(example: dict[str, Any]) -> None:
    answer = laws.check_deal(CONTREE, example["seats"], example["facts"], example.get("options"))
    assert list(answer.points) == example["points"]


@pytest.mark.parametrize("vector", VECTORS, ids=str)
def test_vectors_from_another_program(vector: dict[str, Any]) -> None:
    request = vector["request"]
    answer = laws.check_deal(CONTREE, request["seats"], request["facts"], request.get("options"))
    assert list(answer.points) == vector["points"]


@settings(max_examples=examples(500), deadline=None)
@given(deals_with_options())
def test_second_scorer_gives_the_same_points(deal: tuple[laws.Facts, dict[str, Any]]) -> None:
    facts, options = deal
    assert list(laws.score(CONTREE, 4, facts, options).points) == naive_points(facts, options)


@settings(deadline=None)
@given(deals_with_options())
def test_laws_of_every_game_hold(deal: tuple[laws.Facts, dict[str, Any]]) -> None:
    answer = laws.check_deal(CONTREE, 4, *deal)
    assert answer.points[0] == answer.points[2]
    assert answer.points[1] == answer.points[3]


@settings(deadline=None)
@given(deals_with_options())
def test_points_are_bounded_by_the_options(deal: tuple[laws.Facts, dict[str, Any]]) -> None:
    """No side has more than the largest value and base, multiplied, with every belote and announcement, rounded."""
    facts, raw = deal
    options: Options = RULES.read_options(raw)
    base, value = max(options.failed_base, options.all_tricks, 162), max(options.capot, options.generale, 180)
    bonuses = 80 + sum((facts.get("announcements") or {}).values())
    assert max(laws.score(CONTREE, 4, facts, raw).points) <= (base + value) * options.redouble + bonuses + 5


@settings(deadline=None)
@given(deals_with_options())
def test_rounding_comes_last(deal: tuple[laws.Facts, dict[str, Any]]) -> None:
    facts, options = deal
    exact = laws.score(CONTREE, 4, facts, {**options, "rounding": None}).points
    up = laws.score(CONTREE, 4, facts, {**options, "rounding": "five_up"})
    down = laws.score(CONTREE, 4, facts, {**options, "rounding": "six_up"})
    assert up.points == tuple(points + (-points % 10 if points % 10 >= 5 else -(points % 10)) for points in exact)
    assert down.points == tuple(points + (-points % 10 if points % 10 > 5 else -(points % 10)) for points in exact)
    for answer in (up, down):
        assert [line.code for line in answer.lines[:-1] if line.code.startswith("rounded")] == []


@settings(deadline=None)
@given(deals_with_options(), st.sampled_from([(0, 1, 2, 3), (2, 1, 0, 3), (1, 2, 3, 0), (3, 0, 1, 2), (1, 0, 3, 2)]))
def test_pairs_are_only_names(deal: tuple[laws.Facts, dict[str, Any]], order: tuple[int, ...]) -> None:
    laws.check_relabelling(CONTREE, 4, *deal, order, relabel)


@given(laws.mutated(deals()) | laws.json_values(), st.sampled_from((None, {}, [], {"x": 1}, {"": {}}, 0)))
def test_any_json_is_scored_or_refused_on_a_field(facts: Any, options: Any) -> None:
    laws.check_any_json(CONTREE, 4, facts, options)


@given(deals(), st.dictionaries(st.sampled_from([rule.name for rule in RULES.house_rules]), laws.json_values()))
def test_any_options_are_read_or_refused_on_a_field(facts: laws.Facts, options: Any) -> None:
    laws.check_any_json(CONTREE, 4, facts, options)


# What RULES.md's list of presets says, typed once more.
PUBLISHED: dict[str, dict[str, Any]] = {
    "FFB 2016": {"capot": 500, "capot_scoring": "flat", "doubled_base": "multiplied", "rounding": "five_up"},
    "FFB 2016, points made": {
        "scoring": "points",
        "capot": 500,
        "capot_scoring": "flat",
        "doubled_base": "multiplied",
        "rounding": "five_up",
    },
    "Cannes 2016": {"failed_base": 162, "capot": 270, "redouble": 3, "rounding": "six_up"},
    "Équipe Ludique": {"failed_base": 160, "redouble": 3, "rounding": "six_up"},
    "Coinchée 2015 with announcements": {
        "capot": 500,
        "capot_scoring": "flat",
        "all_tricks": 250,
        "doubled_base": "multiplied",
        "failed_belote": "holder",
        "must_beat_defence": True,
        "announcements": True,
        "rounding": "five_up",
    },
    "Points announced only": {"scoring": "contract"},
}


def test_presets_are_those_of_the_texts() -> None:
    assert [preset.title for preset in RULES.presets] == list(PUBLISHED)


@given(deals(), st.sampled_from(RULES.presets))
def test_a_preset_scores_as_its_options(facts: laws.Facts, preset: Any) -> None:
    answer = laws.score(CONTREE, 4, facts, preset.options)
    assert answer == laws.score(CONTREE, 4, facts, PUBLISHED[preset.title])
    assert list(answer.points) == naive_points(facts, PUBLISHED[preset.title])


def test_capot_of_the_federation_counts_its_value_and_the_belotes() -> None:
    capot = {**SWEPT, "contract": "capot", "belotes": {"attack": 1}}
    assert points_of(capot, **FFB) == (520, 0)
    assert points_of({**capot, "double": "double"}, **FFB) == (1020, 0)
    assert points_of({**USUAL, "contract": "capot"}, **FFB) == (0, 500)


def test_generale_needs_every_trick_of_the_taker_alone() -> None:
    generale = {**SWEPT, "contract": "generale"}
    assert points_of(generale) == (0, 660)
    assert points_of({**generale, "all_tricks": "taker"}) == (752, 0)


def test_all_announcements_are_of_the_side_with_every_trick() -> None:
    swept = {**SWEPT, "announcements": {"defence": 50}}
    assert points_of(swept, announcements=True) == (402, 0)


def test_more_points_than_the_defence_may_be_needed() -> None:
    facts = {**USUAL, "points": 84, "belotes": {"defence": 1}, "announcements": {"defence": 50}}
    facts = {**facts, "contract": 90}  # 94; the defence has 68, a belote and 50: 138
    assert points_of(facts, announcements=True) == (184, 138)
    assert points_of(facts, announcements=True, must_beat_defence=True) == (0, 320)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"taker": 4}, "taker"),
        ({"taker": True}, "taker"),
        ({"taker": -1}, "taker"),
        ({"contract": 70}, "contract"),
        ({"contract": 190}, "contract"),
        ({"contract": 85}, "contract"),
        ({"contract": 100.0}, "contract"),
        ({"contract": "100"}, "contract"),
        ({"contract": "slam"}, "contract"),
        ({"contract": None}, "contract"),
        ({"trump": "trump"}, "trump"),
        ({"trump": None}, "trump"),
        ({"double": "coinche"}, "double"),
        ({"double": False}, "double"),
        ({"points": 153}, "points"),
        ({"points": -1}, "points"),
        ({"points": 80.0}, "points"),
        ({"points": None}, "points"),
        ({"last_trick": None}, "last_trick"),
        ({"last_trick": "taker"}, "last_trick"),
        ({"all_tricks": "attack"}, "all_tricks"),
        ({"all_tricks": "taker"}, "all_tricks"),
        ({"all_tricks": "attack", "points": 152, "last_trick": "defence"}, "all_tricks"),
        ({"all_tricks": "taker", "points": 152, "last_trick": "defence"}, "all_tricks"),
        ({"all_tricks": "defence", "points": 0}, "all_tricks"),
        ({"all_tricks": "defence", "points": 2, "last_trick": "defence"}, "all_tricks"),
        ({"all_tricks": 1}, "all_tricks"),
        ({"belotes": 1}, "belotes"),
        ({"belotes": {"taker": 1}}, "belotes.taker"),
        ({"belotes": {"attack": 1, "defence": 1}}, "belotes"),
        ({"belotes": {"attack": 2}}, "belotes"),
        ({"belotes": {"attack": True}}, "belotes.attack"),
        ({"belotes": {"defence": 5}}, "belotes.defence"),
        ({"belotes": {"defence": -1}}, "belotes.defence"),
        ({"trump": "no_trump", "belotes": {"defence": 1}}, "belotes"),
        ({"trump": "all_trumps", "belotes": {"attack": 3, "defence": 2}}, "belotes"),
        ({"announcements": []}, "announcements"),
        ({"announcements": {"attack": 20}}, "announcements"),
        ({"announcements": {"attack": 20, "defence": 20}}, "announcements"),
        ({"announcements": {"attack": 25}}, "announcements.attack"),
        ({"announcements": {"attack": 1010}}, "announcements.attack"),
        ({"announcements": {"defence": -10}}, "announcements.defence"),
        ({"announcements": {"defence": "20"}}, "announcements.defence"),
        ({"taker": None}, "contract"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_impossible_facts_are_refused_on_their_field(changes: laws.Facts, field: str) -> None:
    with pytest.raises(IllegalDeal) as refusal:
        RULES.play(4, {**USUAL, **changes}, RULES.read_options({}))
    assert refusal.value.field == field


def test_announcements_of_both_sides_are_refused_where_they_are_played() -> None:
    with pytest.raises(IllegalDeal) as refusal:
        RULES.play(
            4,
            {**USUAL, "announcements": {"attack": 20, "defence": 50}},
            RULES.read_options({"announcements": True}),
        )
    assert refusal.value.field == "announcements"


def test_a_taker_left_out_is_asked_for() -> None:
    for facts in ({}, {name: value for name, value in USUAL.items() if name != "taker"}):
        with pytest.raises(IllegalDeal) as refusal:
            RULES.read(4, facts)
        assert (refusal.value.field, refusal.value.code) == ("taker", "missing")


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"doubled_base": "none", "scoring": "points"}, "options.doubled_base"),
        ({"scoring": "all"}, "options.scoring"),
        ({"capot": 252}, "options.capot"),
        ({"belote_helps": 1}, "options.belote_helps"),
        ({"rounding": 10}, "options.rounding"),
        ({"slam": 100}, "options.slam"),
    ],
)
def test_impossible_options_are_refused_on_their_field(options: dict[str, Any], field: str) -> None:
    with pytest.raises(IllegalDeal) as refusal:
        RULES.read_options(options)
    assert refusal.value.field == field


@pytest.mark.parametrize("empty", [{}, None, {"attack": 0, "defence": 0}, {"attack": None}])
def test_empty_belotes_and_announcements_are_legal(empty: Any) -> None:
    facts = {**USUAL, "trump": "no_trump", "belotes": empty, "announcements": empty, "double": None}
    assert points_of(facts) == (214, 48)


def test_four_belotes_are_possible_with_all_trumps() -> None:
    facts = {**USUAL, "trump": "all_trumps", "belotes": {"attack": 3, "defence": 1}}
    assert points_of(facts) == (274, 68)


@pytest.mark.parametrize("trump", TRUMPS)
@pytest.mark.parametrize("points", [0, 1, 2, 150, 151, 152])
def test_only_points_that_no_cards_give_are_doubted(points: int, trump: str) -> None:
    answer = laws.score(CONTREE, 4, {**USUAL, "points": points, "trump": trump})
    doubtful = points in (1, 151) and trump != "all_trumps"
    every_trick = points == 152
    assert [warning.field for warning in answer.warnings] == ["points"] * doubtful + ["all_tricks"] * every_trick


@pytest.mark.parametrize(
    ("facts", "side"),
    [
        ({"points": 152, "last_trick": "attack"}, "attack"),
        ({"points": 0, "last_trick": "defence"}, "defence"),
        ({"points": 152, "last_trick": "defence"}, None),
        ({"points": 0, "last_trick": "attack"}, None),
        ({"points": 152, "last_trick": "attack", "all_tricks": "attack"}, None),
        ({"points": 0, "last_trick": "defence", "all_tricks": "defence"}, None),
        ({"contract": "capot", "points": 152, "last_trick": "attack"}, "attack"),
    ],
)
def test_all_points_without_every_trick_are_doubted(facts: dict[str, Any], side: str | None) -> None:
    answer = laws.score(CONTREE, 4, {**USUAL, **facts})
    assert [(warning.code, warning.params["side"]) for warning in answer.warnings] == (
        [("every_trick_too", side)] if side else []
    )


@pytest.mark.parametrize(
    ("facts", "options", "clauses"),
    [
        ({}, {}, ["C2.1", "C2.1", "C4.1"]),
        ({}, {"rounding": "five_up"}, ["C2.1", "C2.1", "C4.1", "C4.6, C5.13"]),
        ({"points": 60}, {"failed_base": 162}, ["C4.2, C5.2"]),
        ({"points": 60}, {"scoring": "contract"}, ["C4.2, C5.1"]),
        ({"double": "double", "points": 60}, {"doubled_base": "multiplied"}, ["C4.3, C5.8"]),
        ({"double": "double", "points": 60}, {"doubled_base": "none"}, ["C4.3, C5.8"]),
        ({"double": "redouble", "points": 60}, {"redouble": 3, "failed_base": 162}, ["C4.3, C5.2, C5.7"]),
        ({"contract": "capot", "points": 60}, {"capot": 270}, ["C4.2, C5.3"]),
        ({"contract": "capot", "points": 60}, {"capot": 500, "capot_scoring": "flat"}, ["C4.2, C5.3, C5.4"]),
        ({"contract": "generale", "points": 60}, {"generale": 1000}, ["C4.2, C5.5"]),
        ({"points": 152, "all_tricks": "attack"}, {"all_tricks": 250}, ["C2.2, C5.6", "C4.1"]),
        ({"points": 0, "last_trick": "defence", "all_tricks": "defence"}, {"all_tricks": 250}, ["C4.2, C5.6"]),
        ({"points": 60, "belotes": {"attack": 1}}, {"failed_belote": "holder"}, ["C4.2", "C4.4, C5.9"]),
        ({"points": 60, "belotes": {"attack": 1}}, {"belote_helps": False}, ["C4.2, C5.10", "C4.4"]),
        ({"contract": 80, "points": 70}, {"must_beat_defence": True}, ["C4.2, C5.11"]),
    ],
)
def test_lines_cite_the_house_rules_that_change_them(
    facts: dict[str, Any], options: dict[str, Any], clauses: list[str]
) -> None:
    answer = laws.score(CONTREE, 4, {**USUAL, **facts}, options)
    assert [line.clause for line in answer.lines] == clauses


def test_lines_give_the_reasons_of_a_doubled_contract() -> None:
    facts = {**USUAL, "taker": 1, "double": "double", "points": 60, "belotes": {"attack": 1}}
    answer = laws.score(CONTREE, 4, facts)
    assert [(line.code, line.clause, line.points) for line in answer.lines] == [
        ("failed_doubled", "C4.3", (360, 0, 360, 0)),
        ("belote_lost", "C4.4", (20, 0, 20, 0)),
    ]
    assert answer.lines[0].params == {"contract": 100, "double": "double", "full": 90, "sum": "160 + 100 × 2"}


def test_passed_deal_is_worth_nothing_and_has_no_lines() -> None:
    answer = laws.check_deal(CONTREE, 4, {"taker": None})
    assert answer == ((0, 0, 0, 0), (), ())
    assert laws.check_deal(CONTREE, 4, {"taker": None, "points": None, "belotes": None}) == answer


def test_roles_and_sides() -> None:
    assert RULES.roles(RULES.read(4, {**USUAL, "taker": 3})) == ("defender", "partner", "defender", "taker")
    assert RULES.sides(4, RULES.options()) == ((0, 2), (1, 3))


def test_totals_of_partners_are_equal_and_not_negative() -> None:
    RULES.check_totals([500, 0, 500, 0], 4, RULES.options())
    for totals, field in (([1, 2, 3, 2], "totals.2"), ([1, 2, 1, 3], "totals.3"), ([-1, 2, -1, 2], "totals.0")):
        with pytest.raises(IllegalDeal) as refusal:
            RULES.check_totals(totals, 4, RULES.options())
        assert refusal.value.field == field


def test_words_are_the_games_own() -> None:
    laws.check_words(CONTREE)
