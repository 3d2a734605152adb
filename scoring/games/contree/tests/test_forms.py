"""The form of a deal of contrée, as a phone shows it."""

from typing import Any

import pytest
from hypothesis import given, settings

from scoring.game import find_game
from scoring.games.contree.tests.test_rules import VECTORS, deals_with_options
from scoring.tests import form_laws, laws
from tests.examples import examples

GAME = find_game("contree")
NAMES = ["Anne", "Bruno", "Carole", "David"]
TYPED = {"taker": "0", "contract": "100", "trump": "spades", "points": "104", "last_trick": "attack"}
FACTS = {"taker": 0, "contract": 100, "trump": "spades", "points": 104, "last_trick": "attack"}
ANNOUNCEMENTS = {"announcements": True}


def test_template_holds_every_field() -> None:
    form_laws.check_template(GAME, 4)
    form_laws.check_template(GAME.with_house_rules(ANNOUNCEMENTS), 4)


def test_house_rules_and_presets() -> None:
    form_laws.check_house_rules(GAME)


def test_house_rules_that_exclude_each_other_are_refused_on_their_field() -> None:
    form = GAME.house_rules_form({"scoring": "points", "doubled_base": "none"})
    assert list(form.errors) == ["doubled_base"]
    assert "Where only points made count" in form.errors["doubled_base"][0]


@pytest.mark.parametrize("step", [20, pytest.param(1, marks=pytest.mark.faults)])
def test_vectors_survive_the_form(step: int) -> None:
    for vector in VECTORS[::step]:
        request = vector["request"]
        entry = form_laws.check_round_trip(GAME, 4, request["facts"], request.get("options") or {})
        assert list(entry.explanation.points) == vector["points"]


@settings(max_examples=examples(30), deadline=None)
@given(deals_with_options())
def test_any_deal_survives_the_form(deal: tuple[laws.Facts, dict[str, Any]]) -> None:
    facts, options = deal
    form_laws.check_round_trip(GAME, 4, facts, options)


def test_a_plain_deal() -> None:
    _form, entry = form_laws.entered(GAME, 4, TYPED)
    assert entry is not None
    assert entry.facts == FACTS
    assert entry.explanation.points == (214, 48, 214, 48)


def test_after_every_trick_points_and_last_trick_are_known() -> None:
    typed = {"taker": "1", "contract": "capot", "trump": "hearts", "all_tricks": "attack"}
    form, entry = form_laws.entered(GAME, 4, typed)
    assert entry is not None
    assert (entry.facts["points"], entry.facts["last_trick"]) == (152, "attack")
    assert "part-result" in form_laws.shown_form(GAME, form, entry).hidden
    _form, entry = form_laws.entered(GAME, 4, {**typed, "all_tricks": "defence"})
    assert entry is not None
    assert (entry.facts["points"], entry.facts["last_trick"]) == (0, "defence")


def test_one_belote_is_one_choice_and_all_trumps_ask_for_numbers() -> None:
    form, entry = form_laws.entered(GAME, 4, {**TYPED, "belote": "defence"})
    assert entry is not None
    assert entry.facts["belotes"] == {"defence": 1}
    assert "part-belotes" in form_laws.shown_form(GAME, form, entry).hidden
    typed = {**TYPED, "trump": "all_trumps", "belotes.attack": "2", "belotes.defence": "1"}
    form, entry = form_laws.entered(GAME, 4, typed)
    assert entry is not None
    assert entry.facts["belotes"] == {"attack": 2, "defence": 1}
    assert "part-belote" in form_laws.shown_form(GAME, form, entry).hidden


def test_without_trump_there_is_no_belote() -> None:
    form, entry = form_laws.entered(GAME, 4, {**TYPED, "trump": "no_trump", "belote": "attack"})
    assert entry is not None
    assert entry.explanation.points == (214, 48, 214, 48)
    assert {"part-belote", "part-belotes"} <= form_laws.shown_form(GAME, form, entry).hidden


def test_announcements_are_asked_for_where_they_are_played() -> None:
    assert "part-announcements" in form_laws.shown_form(GAME, GAME.deal_form(NAMES)).hidden
    game = GAME.with_house_rules(ANNOUNCEMENTS)
    assert "part-announcements" not in form_laws.shown_form(game, game.deal_form(NAMES)).hidden
    _form, entry = form_laws.entered(GAME, 4, {**TYPED, "announcements.attack": "50"}, announcements=True)
    assert entry is not None
    assert entry.explanation.points == (264, 48, 264, 48)
    _form, entry = form_laws.entered(GAME, 4, {**TYPED, "announcements.attack": "50"})
    assert entry is not None
    assert "announcements" not in entry.facts


def test_recorded_announcements_are_shown_under_any_house_rules() -> None:
    form = GAME.deal_form(NAMES, facts={**FACTS, "announcements": {"defence": 20}})
    assert "announcements" in form.shown_parts()
    assert form["announcements.defence"].value() == 20


def test_belotes_are_not_asked_for_where_they_count_for_nothing() -> None:
    game = GAME.with_house_rules({"scoring": "contract", "belote_helps": False})
    assert not {"belote", "belotes"} & game.deal_form(NAMES).shown_parts()
    assert "belote" in GAME.with_house_rules({"scoring": "contract"}).deal_form(NAMES).shown_parts()


def test_unreadable_house_rules_ask_for_the_usual_facts() -> None:
    assert GAME.with_house_rules({"slam": 100}) is GAME


def test_passed_asks_for_nothing_else_and_keeps_what_was_typed() -> None:
    form, entry = form_laws.entered(GAME, 4, {**TYPED, "taker": "passed"})
    assert entry is not None
    assert entry.facts == {"taker": None}
    rendered = form_laws.shown_form(GAME, form, entry)
    assert "part-deal" in rendered.hidden
    assert ("points", "104") in rendered.posted


def test_everything_missing_is_listed_at_once() -> None:
    form, entry = form_laws.entered(GAME, 4, {})
    assert entry is None
    assert set(form.errors) == {"taker", "contract", "trump", "points", "last_trick"}


@pytest.mark.parametrize(
    ("typed", "field", "says"),
    [
        ({"points": "153"}, "points", "153 is outside 0 to 152."),
        ({"points": "many"}, "points", "whole number"),
        ({"contract": "85"}, "contract", "valid choice"),
        ({"trump": "all_trumps", "belotes.attack": "3", "belotes.defence": "2"}, "belotes.attack", "at most 4"),
        ({"trump": "all_trumps", "belotes.defence": "5"}, "belotes.defence", "5 is outside 0 to 4."),
    ],
)
def test_error_is_on_its_field_with_the_typed_value(typed: dict[str, Any], field: str, says: str) -> None:
    form, entry = form_laws.entered(GAME, 4, {**TYPED, **typed})
    assert entry is None
    assert list(form.errors) == [field]
    assert says in form.errors[field][0]


def test_announcements_of_both_sides_are_refused_on_the_first() -> None:
    typed = {**TYPED, "announcements.attack": "20", "announcements.defence": "50"}
    form, entry = form_laws.entered(GAME, 4, typed, announcements=True)
    assert entry is None
    assert list(form.errors) == ["announcements.attack"]


def test_summary() -> None:
    def summary(**changes: object) -> str:
        return GAME.summary(GAME.rules.read(4, {**FACTS, **changes}), NAMES)

    assert summary() == "Anne & Carole: 100 spades, 104 points, last trick"
    assert summary(taker=1, double="double", last_trick="defence") == "Bruno & David: 100 spades, doubled, 104 points"
    swept = {"contract": "capot", "trump": "no_trump", "points": 152, "all_tricks": "attack", "double": "redouble"}
    assert summary(**swept) == "Anne & Carole: Capot no trump, redoubled, all tricks"
    lost = {"points": 0, "last_trick": "defence", "all_tricks": "defence", "belotes": {"defence": 1}}
    assert summary(**lost) == "Anne & Carole: 100 spades, all tricks to the defence, belote of the defence"
    assert summary(belotes={"attack": 1}, announcements={"attack": 50}) == (
        "Anne & Carole: 100 spades, 104 points, last trick, belote, announcements: 50"
    )
    assert GAME.summary(GAME.rules.read(4, {"taker": None}), NAMES) == "Passed"
    belotes = {"attack": 1, "defence": 3}
    assert summary(trump="all_trumps", belotes=belotes).endswith(", belote, 3 belotes of the defence")
    assert summary(trump="all_trumps", belotes={"attack": 2}).endswith(", 2 belotes")
