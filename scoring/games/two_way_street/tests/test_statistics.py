"""The counters of a hand or duel of Two Way Street."""

from typing import Any

from scoring.games.two_way_street.rules import RULES
from scoring.games.two_way_street.statistics import tally
from scoring.statistics import CounterIncrements
from scoring.tests.statistics_laws import check_statistics


def tallies_of(seats: int, facts: dict[str, Any]) -> tuple[CounterIncrements, ...]:
    deal, house = RULES.read(seats, facts), RULES.read_options({})
    return tuple(tally(deal, house, RULES.score(deal, house).points))


def test_a_hand_of_four() -> None:
    hands = [
        {"call": "high", "forced": False, "tricks": 5},
        {"call": "low", "forced": True, "tricks": 2},
        {"call": "high", "forced": False, "tricks": 2},
        {"call": "low", "forced": False, "tricks": 1},
    ]
    # Raw scores 5, 6 − 2, 2, 6 − 1: the third, 4, is the penalty. 1 doubled, 0, less than 0, 1 doubled.
    first, second, third, fourth = tallies_of(4, {"hands": hands})
    assert first["high_points"] == 2
    assert first == {
        "hands": 1, "high": 1, "high_points": 2, "hand_points": 2, "hands_scored": 1, "high_scored": 1,
        "declared": 1, "declared_scored": 1,
    }  # fmt: skip
    assert second == {
        "hands": 1, "low": 1, "low_points": 0, "hand_points": 0, "hands_scored": 0, "low_scored": 0,
        "forced": 1, "forced_scored": 0,
    }  # fmt: skip
    assert (third["hands_scored"], fourth["low_points"]) == (0, 2)


def test_a_duel() -> None:
    first, second = tallies_of(2, {"direction": "low", "dealer": 0, "tricks": [4, 8]})
    assert first == {"duels": 1, "duels_won": 1, "duel_points": 8}
    assert second == {"duels": 1, "duels_won": 0, "duel_points": 0}


def test_what_the_game_shows_is_counted() -> None:
    check_statistics("two-way-street")
