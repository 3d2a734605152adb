import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from scoring.entry import read_entry
from scoring.game import find_game
from scoring.games.tarot import form_facts
from scoring.games.tarot.forms import DealForm
from scoring.games.tarot.tests import strategies
from scoring.tests import form_laws
from tests.examples import examples

GAME = find_game("tarot")
VECTORS = [
    json.loads(line)
    for path in sorted((Path(__file__).parent / "vectors").glob("*.jsonl"))
    for line in path.read_text().splitlines()
]
# 001's third example, with its double handful: 414 for the taker.
GUARD = {
    "contract": "guard",
    "taker": "0",
    "points": "60",
    "oudlers": "2",
    "small_last": "attack",
    "handful_0": "double",
}


def alone(*piles: tuple[str, list[str], str], dog: str = "6") -> dict[str, Any]:
    """Return one for one as it is typed: (points, oudlers, tricks) of each pile."""
    typed: dict[str, Any] = {"contract": "one_for_one", "dog_points": dog}
    for index, (points, oudlers, tricks) in enumerate(piles):
        typed |= {f"piles.{index}.points": points, f"piles.{index}.oudlers": oudlers, f"piles.{index}.tricks": tricks}
    return typed


# Three players, 24 tricks, 91 points with the dog; the first two piles are equal.
TIED = alone(("20", [], "6"), ("20", [], "6"), ("45", ["21", "excuse", "small"], "12"))
CHARACTERS = {
    f"piles.{index}.characters.{kind}": "1" for index in range(2) for kind in ("kings", "queens", "knights", "jacks")
}


def in_order(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the deal with its teams and handfuls in the order of the form."""
    if facts.get("handfuls"):
        facts = {**facts, "handfuls": sorted(facts["handfuls"], key=lambda handful: int(handful["seat"]))}
    teams = facts.get("teams")
    if not teams:
        return facts
    order = sorted(range(len(teams)), key=lambda index: min(teams[index]))
    return {
        **facts,
        "teams": [sorted(teams[index]) for index in order],
        "piles": [facts["piles"][index] for index in order],
    }


@pytest.mark.parametrize("seats", GAME.sizes)
def test_template_holds_every_field(seats: int) -> None:
    form_laws.check_template(GAME, seats)


def test_house_rules() -> None:
    form_laws.check_house_rules(GAME)


@pytest.mark.parametrize("step", [16, pytest.param(1, marks=pytest.mark.faults)])
def test_facts_survive_the_form(step: int) -> None:
    for vector in VECTORS[::step]:
        request = vector["request"]
        entry = form_laws.check_round_trip(GAME, request["seats"], in_order(request["facts"]), request["options"])
        assert list(entry.explanation.points) == vector["points"]


@settings(max_examples=examples(40), deadline=None)
@given(strategies.deals())
def test_any_facts_survive_the_form(request: strategies.DealRequest) -> None:
    form_laws.check_round_trip(GAME, request.seats, in_order(request.facts), request.options)


def test_third_example_of_001() -> None:
    _form, entry = form_laws.entered(GAME, 4, GUARD)
    assert entry is not None
    assert entry.explanation.points == (414, -138, -138, -138)
    assert entry.explanation.seats[0].formula == "((25 + 19 + 10) × 2 + 30) × 3 = 414"
    assert [seat.role for seat in entry.explanation.seats] == ["taker", "defender", "defender", "defender"]


@pytest.mark.parametrize("points", ["49.5", "49,5", "49½", " 49.50 "])
def test_half_points_are_read_as_people_write_them(points: str) -> None:
    _form, entry = form_laws.entered(GAME, 5, {**GUARD, "points": points, "partner": "alone"})
    assert entry is not None
    assert entry.facts["points"] == 49.5


def test_nothing_typed_is_lost_when_the_contract_is_switched_to_and_fro() -> None:
    names = ["Anne", "Bruno", "Carole", "David"]
    form = GAME.deal_form(names, form_laws.sent(GAME, GAME.deal_form(names), **GUARD))
    for contract in ("one_for_one", "passed", "guard"):
        form = GAME.deal_form(names, form_laws.sent(GAME, form, contract=contract))
    entry = read_entry(GAME, form, names, {})
    assert entry is not None
    assert entry.explanation.points == (414, -138, -138, -138)


@pytest.mark.parametrize(
    ("contract", "hidden"),
    [
        ("take", {"part-piles", "part-declared-seats"}),
        ("one_for_one", {"part-taker", "part-declared-sides"}),
        ("passed", {"part-taker", "part-piles", "part-declared"}),
    ],
)
def test_only_what_the_contract_needs_is_shown(contract: str, hidden: set[str]) -> None:
    form, _entry = form_laws.entered(GAME, 4, {"contract": contract})
    hidden_parts = form_laws.shown_form(GAME, form).hidden & {
        "part-taker",
        "part-piles",
        "part-declared",
        "part-declared-sides",
        "part-declared-seats",
    }
    assert hidden_parts >= hidden
    assert not hidden_parts - hidden - {"part-declared-sides", "part-declared-seats"}


def test_partner_is_asked_for_at_five_and_six_seats_only() -> None:
    form, _entry = form_laws.entered(GAME, 5, GUARD)
    assert list(form.errors) == ["partner"]
    _form, entry = form_laws.entered(GAME, 5, {**GUARD, "partner": "3"})
    assert entry is not None
    assert entry.facts["partner"] == 3
    assert "partner" not in GAME.deal_form(["Anne", "Bruno", "Carole", "David"]).fields


@pytest.mark.parametrize(
    ("seats", "typed", "field"),
    [
        (4, {"contract": ""}, "contract"),
        (4, {**GUARD, "taker": ""}, "taker"),
        (4, {**GUARD, "taker": "4"}, "taker"),
        (4, {**GUARD, "points": "many"}, "points"),
        (4, {**GUARD, "points": "60.3"}, "points"),
        (4, {**GUARD, "points": "92"}, "points"),
        (4, {**GUARD, "points": "8"}, "points"),
        (4, {**GUARD, "oudlers": "4"}, "oudlers"),
        (4, {**GUARD, "oudlers": "0"}, "small_last"),
        (4, {**GUARD, "oudlers": "3", "small_last": "defence"}, "small_last"),
        (5, {**GUARD, "partner": "0"}, "partner"),
        (4, {**GUARD, "slam": "attack"}, "slam"),
        (4, {**GUARD, "points": "87", "oudlers": "2", "slam": "defence"}, "points"),
        (4, {**GUARD, "slam": "defence"}, "slam"),
        (4, {**GUARD, "handful_1": "triple"}, "handful_0"),
        (3, {**TIED, "dog_points": "-6", "piles.0.points": "32"}, "dog_points"),
        (3, {**TIED, "dog_points": ""}, "dog_points"),
        (3, {**TIED, "dog_points": "7"}, "__all__"),
        (3, {**TIED, "piles.0.tricks": "7"}, "__all__"),
        (3, {**TIED, "piles.1.points": ""}, "piles.1.points"),
        (3, {**TIED, "piles.1.tricks": ""}, "piles.1.tricks"),
        (3, {**TIED, "piles.1.tricks": "0"}, "piles.1.points"),
        (3, {**TIED, "piles.1.oudlers": ["21"]}, "piles.2.oudlers"),
        (3, {**TIED, "piles.1.oudlers": ["king"]}, "piles.1.oudlers"),
        (3, TIED, "piles.0.characters.kings"),
        (3, {**TIED, **CHARACTERS, "piles.1.characters.jacks": ""}, "piles.1.characters.jacks"),
        (3, {**TIED, **CHARACTERS, "piles.1.characters.jacks": "4"}, "piles.1.characters.jacks"),
        (3, {**TIED, **CHARACTERS}, "piles.0.first_trick"),
        (3, {**TIED, **CHARACTERS, "piles.0.first_trick": "1"}, "piles.1.first_trick"),
        (3, {**TIED, **CHARACTERS, "piles.0.first_trick": "1", "piles.1.first_trick": "1"}, "piles.1.first_trick"),
        (3, {**TIED, **CHARACTERS, "piles.0.first_trick": "1", "piles.1.first_trick": "-3"}, "piles.1.first_trick"),
        (
            3,
            {**TIED, **CHARACTERS, "piles.0.first_trick": "1", "piles.1.first_trick": "2", "small_seat": "0"},
            "small_seat",
        ),
        (
            3,
            {**TIED, **CHARACTERS, "piles.0.first_trick": "1", "piles.1.first_trick": "2", "slam_seat": "0"},
            "slam_seat",
        ),
    ],
)
def test_error_stands_on_its_field(seats: int, typed: dict[str, Any], field: str) -> None:
    form, entry = form_laws.entered(GAME, seats, typed)
    assert entry is None
    assert list(form.errors) == [field], form.errors
    for words in ("null", "seat "):
        assert words not in form.errors[field][0]


def test_a_tie_asks_for_the_characters_of_the_piles_concerned_and_goes_on_asking() -> None:
    form, _entry = form_laws.entered(GAME, 3, TIED)
    tie_form = form_laws.shown_form(GAME, form)
    assert {"part-characters-0", "part-characters-1"}.isdisjoint(tie_form.hidden)
    assert {"part-characters-2", "part-first-0", "part-first-1"} <= tie_form.hidden
    # After a correction there is no tie any more; its fields stay visible.
    typed = {**TIED, "piles.0.points": "21", "dog_points": "5", "shown": dict(tie_form.posted)["shown"]}
    form, entry = form_laws.entered(GAME, 3, typed)
    assert entry is not None
    assert {"part-characters-0", "part-characters-1"}.isdisjoint(form_laws.shown_form(GAME, form, entry).hidden)


def test_equal_characters_ask_for_the_first_tricks() -> None:
    form, _entry = form_laws.entered(GAME, 3, {**TIED, **CHARACTERS})
    assert {"part-first-0", "part-first-1"}.isdisjoint(form_laws.shown_form(GAME, form).hidden)
    _form, entry = form_laws.entered(
        GAME, 3, {**TIED, **CHARACTERS, "piles.0.first_trick": "4", "piles.1.first_trick": "2"}
    )
    assert entry is not None
    # 000, three players: rates 1, 0, −1; best difference 45 − 36 = 9, dog 6: 4 × (25 + 9 + 6) = 160. The first trick
    # of pile 1 came before that of pile 0.
    assert entry.explanation.points == (-160, 0, 160)


def test_teams_share_a_pile() -> None:
    typed = {**alone(("50", ["21"], "10"), ("35", ["small"], "8")), "teams": "0-2 1-3"}
    form, entry = form_laws.entered(GAME, 4, typed)
    assert entry is not None, form.errors
    assert entry.facts["teams"] == [[0, 2], [1, 3]]
    assert len(entry.facts["piles"]) == 2
    rendered = form_laws.shown_form(GAME, form, entry)
    assert {"part-pile-2", "part-pile-3"} <= rendered.hidden
    assert isinstance(form, DealForm)
    assert [row.name for row in form.piles()][:2] == ["Player 1 & Player 3", "Player 2 & Player 4"]


def test_pairings_are_all_there() -> None:
    assert len(list(form_facts.pairings(range(4)))) == 3
    assert len(list(form_facts.pairings(range(6)))) == 15


@pytest.mark.parametrize(
    ("engine", "form_field"),
    [
        ("contract", "contract"),
        ("small_last", "small_seat"),
        ("slam", "slam_seat"),
        ("teams.0.1", "teams"),
        ("handfuls", "handful_1"),
        ("handfuls.1.seat", "handful_3"),
        ("handfuls.5.size", None),
        ("piles", None),
        ("piles.2.oudlers", "piles.2.oudlers"),
        ("piles.2.oudlers.1", "piles.2.oudlers"),
        ("piles.2.characters", "piles.2.characters.kings"),
        ("piles.2.characters.jacks", "piles.2.characters.jacks"),
        ("piles.2.first_trick", "piles.2.first_trick"),
        ("piles.9.points", None),
        ("facts", None),
    ],
)
def test_engine_fields_are_found(engine: str, form_field: str | None) -> None:
    form, _entry = form_laws.entered(GAME, 4, {"contract": "one_for_one", "handful_1": "simple", "handful_3": "simple"})
    assert form.input_name_of_fact(engine) == form_field


def test_summary() -> None:
    names = ["Anne", "Bruno", "Carole", "David", "Emma"]
    facts = {"contract": "guard", "taker": 0, "points": 49.5, "oudlers": 1}
    assert GAME.summary(GAME.rules.read(5, facts), names) == "Guard, Anne: 49.5 with 1 oudler"
    with_partner = {**facts, "partner": 4, "oudlers": 2}
    assert GAME.summary(GAME.rules.read(5, with_partner), names) == "Guard, Anne & Emma: 49.5 with 2 oudlers"
    assert GAME.summary(GAME.rules.read(5, {"contract": "passed"}), names) == "Passed"


def test_summary_says_all_that_was_played() -> None:
    """A slam with all oudlers is more than “91 with 3 oudlers”; a deal one for one has its piles, the best first."""
    names = ["Anne", "Bruno", "Carole", "David"]
    handfuls = [{"seat": 0, "size": "double"}, {"seat": 3, "size": "simple"}]
    facts = {
        "contract": "guard",
        "taker": 0,
        "points": 91,
        "oudlers": 3,
        "small_last": "attack",
        "handfuls": handfuls[:1],
    }
    slam = {**facts, "slam_announced": True, "slam": "attack"}
    assert GAME.summary(GAME.rules.read(4, slam), names) == (
        "Guard, Anne: 91 with 3 oudlers, Small to the attack, double handful Anne, slam announced, slam of the attack"
    )
    piles = [
        {"points": 20, "oudlers": [], "tricks": 4},
        {"points": 36, "oudlers": ["small", "21"], "tricks": 8},
        {"points": 19, "oudlers": ["excuse"], "tricks": 4},
        {"points": 10, "oudlers": [], "tricks": 2},
    ]
    # Differences (000): 36 − 41 = −5, 19 − 51 = −32, 20 − 56 = −36, 10 − 56 = −46.
    alone = {"contract": "one_for_one", "dog_points": 6, "piles": piles, "small_last": 1, "handfuls": handfuls[1:]}
    assert GAME.summary(GAME.rules.read(4, alone), names) == (
        "One for one, first Bruno 36 (2 oudlers), Carole 19 (1 oudler), Anne 20, David 10, Small to Bruno, "
        "handful David"
    )


def test_a_slam_without_the_excuse_is_entered_and_its_help_says_why() -> None:
    typed = {**GUARD, "points": "87", "handful_0": "simple", "slam_announced": "on", "slam": "attack"}
    form, entry = form_laws.entered(GAME, 4, typed)
    assert entry is not None
    assert entry.explanation.points == (1746, -582, -582, -582)
    assert "the defence keeps it, has no card to give for it, and it counts 4" in form["slam"].help_text
