"""Every illegal fact and every doubt of RULES.md (T7, T8), with the field that it names."""

import copy
from typing import Any

import pytest

from scoring.games.tarot.tests.strategies import TAROT
from scoring.rules.errors import IllegalDeal
from scoring.rules.words import format_message
from scoring.tests import laws

TAKE = {"contract": "take", "taker": 0, "points": 50, "oudlers": 1}
AGAINST = {**TAKE, "contract": "guard_against"}
ALL = {**TAKE, "points": 91, "oudlers": 3, "slam": "attack"}
NONE = {**TAKE, "points": 0, "oudlers": 0, "slam": "defence"}
PILES: list[dict[str, Any]] = [
    {"points": 30, "oudlers": ["21"], "tricks": 6},
    {"points": 20, "oudlers": [], "tricks": 4},
    {"points": 24, "oudlers": ["small", "excuse"], "tricks": 5},
    {"points": 11, "oudlers": [], "tricks": 3},
]
ONE_FOR_ONE = {"contract": "one_for_one", "dog_points": 6, "piles": PILES}
SLAM = {
    "contract": "one_for_one",
    "dog_points": 7,
    "slam": 1,
    "piles": [
        {"points": 0, "oudlers": [], "tricks": 0},
        {"points": 84, "oudlers": ["21", "excuse", "small"], "tricks": 24},
        {"points": 0, "oudlers": [], "tricks": 0},
    ],
}
LOST = {"points": 0, "oudlers": [], "tricks": 0}
NO_CHARACTER = {"kings": 0, "queens": 0, "knights": 0, "jacks": 0}


def one_for_one(changes: dict[int, dict[str, Any]], **facts: Any) -> dict[str, Any]:
    """Return the deal one for one of four, with some piles and facts changed."""
    piles = copy.deepcopy(PILES)
    for index, change in changes.items():
        piles[index].update(change)
    return {**ONE_FOR_ONE, "piles": piles, **facts}


def handfuls_of(*handfuls: tuple[int, str]) -> list[dict[str, object]]:
    return [{"seat": seat, "size": size} for seat, size in handfuls]


@pytest.mark.parametrize(
    ("seats", "facts", "field"),
    [
        # Shapes
        (4, [], "facts"),
        (4, {}, "contract"),
        (4, {**TAKE, "contract": "slam"}, "contract"),
        (4, {**TAKE, "contract": ["take"]}, "contract"),
        (4, {**TAKE, "piles": []}, "piles"),
        (4, {"contract": "passed", "taker": 0}, "taker"),
        (4, {**ONE_FOR_ONE, "taker": 0}, "taker"),
        (4, {**TAKE, "taker": None}, "taker"),
        (4, {**TAKE, "taker": 4}, "taker"),
        (4, {**TAKE, "taker": True}, "taker"),
        (4, {**TAKE, "oudlers": 4}, "oudlers"),
        (4, {**TAKE, "oudlers": 1.0}, "oudlers"),
        (4, {**TAKE, "slam_announced": 1}, "slam_announced"),
        (4, {**TAKE, "small_last": 0}, "small_last"),
        (4, {**TAKE, "handfuls": {}}, "handfuls"),
        (4, {**TAKE, "handfuls": [0]}, "handfuls.0"),
        (4, {**TAKE, "handfuls": handfuls_of((4, "simple"))}, "handfuls.0.seat"),
        (4, {**TAKE, "handfuls": handfuls_of((1, "big"))}, "handfuls.0.size"),
        # Points by oudlers
        (4, {**TAKE, "points": 4}, "points"),
        (4, {**TAKE, "points": 82.5}, "points"),
        (4, {**TAKE, "points": 50.25}, "points"),
        (4, {**TAKE, "points": True}, "points"),
        (4, {**TAKE, "points": 10**400}, "points"),
        (4, {**TAKE, "points": 1e308}, "points"),
        (4, {**TAKE, "points": float("nan")}, "points"),
        # Slams
        (4, {**ALL, "points": 86.5, "oudlers": 2}, "slam"),
        (4, {**ALL, "points": 90.5}, "slam"),
        (4, {**AGAINST, "points": 55.5, "slam": "attack"}, "slam"),
        (4, {**AGAINST, "points": 0.5, "oudlers": 0, "slam": "defence"}, "slam"),
        (4, {**NONE, "points": 27.5}, "slam"),
        (5, {**NONE, "points": 35.5}, "slam"),
        (4, {**NONE, "points": 31.5, "oudlers": 1}, "slam"),
        (5, {**NONE, "points": 39.5, "oudlers": 1}, "slam"),
        # The Excuse of a side without a trick: 87 points or 4, with that slam only
        (4, {**ALL, "points": 87, "oudlers": 2, "slam": None, "slam_announced": True}, "points"),
        (4, {**ALL, "points": 87, "oudlers": 2, "slam": "defence"}, "points"),
        (4, {**ALL, "points": 87, "oudlers": 1}, "points"),
        (4, {**ALL, "points": 87}, "slam"),
        (4, {**ALL, "points": 86.5, "oudlers": 2, "slam": "attack"}, "slam"),
        (4, {**AGAINST, "points": 4, "slam": None}, "points"),
        (4, {**AGAINST, "points": 4, "slam": "attack"}, "points"),
        (4, {**AGAINST, "points": 4.5, "slam": "defence"}, "slam"),
        (4, {**AGAINST, "points": 4, "oudlers": 0, "slam": "defence"}, "slam"),
        (4, {**AGAINST, "points": 4, "oudlers": 2, "slam": "defence"}, "points"),
        (4, {**NONE, "points": 4, "oudlers": 1}, "points"),
        # The Small
        (4, {**TAKE, "oudlers": 0, "small_last": "attack"}, "small_last"),
        (4, {**TAKE, "oudlers": 3, "small_last": "defence"}, "small_last"),
        (4, {**AGAINST, "points": 60, "slam": "attack", "small_last": "defence"}, "small_last"),
        (4, {**NONE, "points": 9, "oudlers": 1, "small_last": "attack"}, "small_last"),
        # Partners
        (3, {**TAKE, "partner": 1}, "partner"),
        (4, {**TAKE, "partner": 1}, "partner"),
        (5, {**TAKE, "partner": 0}, "partner"),
        (5, {**TAKE, "partner": 5}, "partner"),
        # Handfuls
        (4, {**TAKE, "handfuls": handfuls_of((1, "simple"), (1, "simple"))}, "handfuls.1.seat"),
        (4, {**TAKE, "handfuls": handfuls_of((1, "simple"), (2, "double"))}, "handfuls"),
        (3, {**TAKE, "handfuls": handfuls_of((1, "simple"), (2, "simple"))}, "handfuls"),
        (4, {**ONE_FOR_ONE, "handfuls": handfuls_of((1, "simple"), (2, "double"))}, "handfuls"),
        # One for one: shapes
        (4, {**ONE_FOR_ONE, "piles": PILES[:3]}, "piles"),
        (4, {**ONE_FOR_ONE, "piles": None}, "piles"),
        (4, {**ONE_FOR_ONE, "dog_points": None}, "dog_points"),
        (4, {**ONE_FOR_ONE, "dog_points": -6}, "dog_points"),
        (4, {**ONE_FOR_ONE, "dog_points": 6.2}, "dog_points"),
        (4, one_for_one({1: {"points": -20}}), "piles.1.points"),
        (4, one_for_one({1: {"points": 20.2}}), "piles.1.points"),
        (4, one_for_one({1: {"points": 1e308}}), "piles.1.points"),
        (4, one_for_one({1: {"tricks": -4}}), "piles.1.tricks"),
        (4, one_for_one({1: {"oudlers": None}}), "piles.1.oudlers"),
        (4, one_for_one({1: {"oudlers": ["petit"]}}), "piles.1.oudlers.0"),
        (4, one_for_one({1: {"first_trick": -1}}), "piles.1.first_trick"),
        (4, one_for_one({1: {"characters": {"kings": 1}}}), "piles.1.characters.jacks"),
        (4, one_for_one({1: {"characters": {**NO_CHARACTER, "kings": True}}}), "piles.1.characters.kings"),
        # One for one: sums
        (4, {**ONE_FOR_ONE, "dog_points": 6.5}, "piles"),
        (4, one_for_one({0: {"points": 31}}), "piles"),
        (4, one_for_one({0: {"tricks": 7}}), "piles"),
        (4, one_for_one({1: {"oudlers": ["21"]}}), "piles.1.oudlers"),
        (4, one_for_one({1: {"oudlers": ["small", "small"]}}), "piles.1.oudlers"),
        (
            4,
            one_for_one(
                {0: {"characters": {**NO_CHARACTER, "queens": 3}}, 2: {"characters": {**NO_CHARACTER, "queens": 2}}}
            ),
            "piles.2.characters.queens",
        ),
        (4, one_for_one({0: {"first_trick": 1}, 3: {"first_trick": 1}}), "piles.3.first_trick"),
        # One for one: without a trick
        (4, one_for_one({1: {"tricks": 7}, 3: {"tricks": 0}}), "piles.3.points"),
        (4, one_for_one({0: {"points": 36.5}, 1: {"tricks": 7}, 3: {"tricks": 0, "points": 4.5}}), "piles.3.points"),
        (4, one_for_one({0: {"points": 41}, 1: {"tricks": 7}, 3: {**LOST, "first_trick": 2}}), "piles.3.first_trick"),
        (
            4,
            one_for_one({0: {"points": 41}, 1: {"tricks": 7}, 3: {**LOST, "characters": {**NO_CHARACTER, "jacks": 1}}}),
            "piles.3.characters",
        ),
        # One for one: the Small and slams
        (4, {**ONE_FOR_ONE, "small_last": 0}, "small_last"),
        (4, {**ONE_FOR_ONE, "small_last": 4}, "small_last"),
        (4, {**ONE_FOR_ONE, "slam": 0}, "slam"),
        (3, {**SLAM, "slam": None}, "slam"),
        (3, {**SLAM, "slam": 0}, "slam"),
        # Teams
        (5, {**ONE_FOR_ONE, "teams": [[0, 1], [2, 3]]}, "teams"),
        (4, {**ONE_FOR_ONE, "teams": [[0, 1]]}, "teams"),
        (4, {**ONE_FOR_ONE, "teams": [[0, 1], [2]]}, "teams.1"),
        (4, {**ONE_FOR_ONE, "teams": [[0, 1], [2, 4]]}, "teams.1.1"),
        (4, {**ONE_FOR_ONE, "teams": [[0, 1], [1, 3]]}, "teams"),
        (4, {**ONE_FOR_ONE, "teams": [[0, 2], [1, 3]]}, "piles"),
    ],
)
def test_illegal_facts_name_their_field(seats: int, facts: object, field: str) -> None:
    before = copy.deepcopy(facts)
    with pytest.raises(IllegalDeal) as refused:
        laws.score(TAROT, seats, facts)
    laws.check_refusal(TAROT, refused.value)
    assert refused.value.field == field
    assert repr(facts) == repr(before)


@pytest.mark.parametrize("seats", [2, 7, 0, -3, 4.0, "4", True, None])
def test_wrong_seats_are_refused(seats: object) -> None:
    with pytest.raises(IllegalDeal, match="seats"):
        TAROT.rules.check_seats(seats)


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ([], "options"),
        ({"half_point": "won"}, "options.half_point"),
        ({"half_point_short": "half"}, "options.half_point_short"),
        ({"six_player_partner": 1}, "options.six_player_partner"),
        ({"best_margin_floor": False}, "options.best_margin_floor"),
        ({"one_for_one_small_last": 10.0}, "options.one_for_one_small_last"),
    ],
)
def test_wrong_house_rules_are_refused(options: object, field: str) -> None:
    with pytest.raises(IllegalDeal) as refused:
        TAROT.rules.read_options(options)
    assert refused.value.field == field


def test_what_was_given_is_said_in_words() -> None:
    with pytest.raises(IllegalDeal) as refused:
        laws.score(TAROT, 4, {**TAKE, "points": 82.5})
    text = format_message(TAROT.rules.words, refused.value.code, refused.value.params)
    assert text == "82.5 points are not possible with this number of oudlers: 1; allowed: 4.5 to 82."


@pytest.mark.parametrize(
    ("seats", "facts"),
    [
        (4, {**TAKE, "points": 4.5}),
        (4, {**TAKE, "points": 82}),
        (4, {**AGAINST, "points": 56, "oudlers": 0, "slam": "attack"}),
        (4, {**NONE, "points": 27}),
        (5, {**NONE, "points": 35}),
        (4, {**NONE, "points": 31, "oudlers": 1}),
        (5, {**NONE, "points": 39, "oudlers": 1}),
        (4, {**ALL, "points": 87, "oudlers": 2}),
        (4, {**ALL, "points": 87, "oudlers": 2, "slam_announced": True, "small_last": "attack"}),
        (4, {**AGAINST, "points": 87, "oudlers": 2, "slam": "attack"}),
        (4, {**AGAINST, "points": 4, "oudlers": 1, "slam": "defence"}),
        (3, {**TAKE, "handfuls": handfuls_of((0, "triple"))}),
        (6, {**TAKE, "handfuls": handfuls_of((0, "double"), (1, "simple"), (2, "double"))}),
        (5, {**ONE_FOR_ONE, "piles": [{**PILES[0], "tricks": 3}, *PILES[1:], LOST]}),
        (5, {**ONE_FOR_ONE, "piles": [{**PILES[0], "tricks": 2}, *PILES[1:], LOST]}),
        # 000 has no limit on the number of a first trick, or on characters left out.
        (4, one_for_one({1: {"first_trick": 40}})),
    ],
)
def test_the_last_possible_is_not_refused(seats: int, facts: dict[str, Any]) -> None:
    laws.check_deal(TAROT, seats, facts)


@pytest.mark.parametrize(
    ("seats", "facts", "fields"),
    [
        (4, {**TAKE, "points": 50.5}, ["points"]),
        (6, {**TAKE, "points": 50.5}, ["points"]),
        (3, {**TAKE, "points": 50.5}, []),
        (5, {**TAKE, "points": 50.5}, []),
        (4, one_for_one({0: {"points": 30.5}, 3: {"points": 10.5}}), ["piles.0.points", "piles.3.points"]),
        (4, one_for_one({0: {"points": 29.5}}, dog_points=6.5), ["piles.0.points", "dog_points"]),
        (4, one_for_one({0: {"points": 46}, 2: {"points": 8}}), ["piles.2.points"]),
        (4, one_for_one({0: {"points": 32, "oudlers": []}}, dog_points=4), ["dog_points"]),
        (4, ONE_FOR_ONE, []),
    ],
)
def test_doubts_name_their_field_and_are_scored(seats: int, facts: dict[str, Any], fields: list[str]) -> None:
    answer = laws.check_deal(TAROT, seats, facts)
    assert [doubt.field for doubt in answer.warnings] == fields
    assert sum(answer.points) == 0
    assert any(answer.points)
