"""What the house rules change, by hand from the decisions of RULES.md."""

from typing import Any

import pytest

from scoring.games.tarot.tests.strategies import TAROT
from scoring.tests import laws

# 40.5 where 41 are needed: by default lost by 1, 26 from each defender.
SHORT = {"contract": "take", "taker": 0, "points": 40.5, "oudlers": 2}
WITH_PARTNER = {"contract": "take", "taker": 0, "partner": 3, "points": 43, "oudlers": 2}  # won by 2: 27
PILES = [
    {"points": 30, "oudlers": ["21"], "tricks": 6},
    {"points": 20, "oudlers": [], "tricks": 4},
    {"points": 24, "oudlers": ["small", "excuse"], "tricks": 5},
    {"points": 11, "oudlers": [], "tricks": 3},
]
ONE_FOR_ONE = {"contract": "one_for_one", "dog_points": 6, "piles": PILES, "small_last": 2}  # stake 25 − 17 + 6 = 14


def points_of(seats: int, facts: dict[str, Any], **options: object) -> tuple[int, ...]:
    return laws.check_deal(TAROT, seats, facts, options).points


@pytest.mark.parametrize(("rule", "points"), [("lost", (-52, 26, 26)), ("void", (0, 0, 0)), ("won", (50, -25, -25))])
def test_half_a_point_short(rule: str, points: tuple[int, ...]) -> None:
    assert points_of(3, SHORT, half_point_short=rule) == points
    assert points_of(3, SHORT) == (-52, 26, 26)
    assert points_of(3, {**SHORT, "points": 40}, half_point_short=rule) == (-52, 26, 26)


def test_void_forgets_handfuls_and_slams_too() -> None:
    facts = {**SHORT, "handfuls": [{"seat": 1, "size": "simple"}], "slam_announced": True, "small_last": "attack"}
    assert points_of(3, facts, half_point_short="void") == (0, 0, 0)


def test_half_points_are_rounded_away_from_the_limit() -> None:
    assert points_of(3, {**SHORT, "points": 43.5}) == (56, -28, -28)  # won by 3
    assert points_of(3, {**SHORT, "points": 39.5}) == (-54, 27, 27)  # lost by 2


def test_shares_with_a_partner() -> None:
    assert points_of(5, WITH_PARTNER) == (54, -27, -27, 27, -27)
    assert points_of(6, WITH_PARTNER) == (81, -27, -27, 27, -27, -27)
    assert points_of(6, WITH_PARTNER, six_player_partner="opposite") == (54, -27, -27, 54, -27, -27)
    assert points_of(5, WITH_PARTNER, six_player_partner="opposite") == (54, -27, -27, 27, -27)


def test_best_difference_never_below_zero() -> None:
    # Stake 25 + 0 + 6 = 31; rates by seat 1, −1, 2, −2.
    assert points_of(4, ONE_FOR_ONE, best_margin_floor=0) == (124, -124, 248, -248)
    assert points_of(4, ONE_FOR_ONE) == (56, -56, 112, -112)


def test_small_last_counts_one_for_one_by_house_rule() -> None:
    # As without, then 4 × 3 × 10 for seat 2 and −4 × 10 for each other.
    assert points_of(4, ONE_FOR_ONE, one_for_one_small_last=10) == (16, -96, 232, -152)


def test_teams_share_rate_and_declaring() -> None:
    # Differences 54 − 36 = 18 and 31 − 56 = −25: stake 25 + 18 + 6 = 49, times 4 is 196.
    piles = [
        {"points": 54, "oudlers": ["21", "excuse", "small"], "tricks": 11},
        {**PILES[1], "points": 31, "tricks": 7},
    ]
    facts = {"contract": "one_for_one", "dog_points": 6, "piles": piles, "teams": [[0, 2], [3, 1]]}
    assert points_of(4, facts) == (196, -196, 196, -196)
    # A handful of 20 by seat 1: 4 × 2 × 20 = 160 to each of its team, from each of the other.
    assert points_of(4, {**facts, "handfuls": [{"seat": 1, "size": "simple"}]}) == (36, -36, 36, -36)


@pytest.mark.parametrize(
    ("facts", "slam"),
    [
        ({"slam": "attack", "slam_announced": True}, 400),
        ({"slam": "attack"}, 200),
        ({"slam_announced": True}, -200),
    ],
)
def test_slams_of_001(facts: dict[str, Any], slam: int) -> None:
    # 91 with 3 oudlers: won by 55, so 80 without the slam.
    usual = {"contract": "take", "taker": 1, "points": 91, "oudlers": 3}
    assert points_of(3, {**usual, **facts}) == (-80 - slam, 160 + 2 * slam, -80 - slam)


def test_slam_of_the_defence_comes_on_top_of_a_failed_announcement() -> None:
    # 6 points without an oudler: lost by 50, so 75; and 200, and 200.
    facts = {"contract": "take", "taker": 0, "points": 6, "oudlers": 0, "slam": "defence"}
    assert points_of(4, facts) == (-825, 275, 275, 275)
    assert points_of(4, {**facts, "slam_announced": True}) == (-1425, 475, 475, 475)
