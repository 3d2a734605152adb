"""A game by totals: its sides, its three kinds of check sum, and deals that are refused with the reason."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scoring.__main__ import answer
from scoring.game import find_game
from scoring.registry import TOTALS, slugs
from scoring.rules.errors import DoubtfulTotals, IllegalDeal
from scoring.totals.rules import RULES, Options


def test_each_player_is_alone_unless_two_sides_play() -> None:
    assert RULES.sides(3, Options()) == ((0,), (1,), (2,))
    assert RULES.sides(6, Options(two_sides=True)) == ((0, 2, 4), (1, 3, 5))


@pytest.mark.parametrize(
    ("options", "totals", "deals"),
    [
        (Options(), [1, -5, 70], 3),
        (Options(check_sum=0), [10, -4, -6], 3),
        (Options(check_sum=50), [20, 30], 3),
        # Jass: 157 points in each deal. The sum counts each side once, not each player.
        (Options(two_sides=True, check_sum=157, per_deal=True), [1000, 884, 1000, 884], 12),
    ],
)
def test_right_sums_are_accepted(options: Options, totals: list[int], deals: int) -> None:
    RULES.check_totals(totals, deals, options)


@pytest.mark.parametrize(
    ("options", "totals", "must"),
    [
        (Options(check_sum=0), [10, -4, -5], 0),
        (Options(check_sum=50), [20, 31], 50),
        (Options(two_sides=True, check_sum=157, per_deal=True), [1000, 885, 1000, 885], 12 * 157),
    ],
)
def test_a_wrong_sum_is_doubtful(options: Options, totals: list[int], must: int) -> None:
    with pytest.raises(DoubtfulTotals) as doubt:
        RULES.check_totals(totals, 12, options)
    assert (doubt.value.field, doubt.value.params["must"]) == ("totals", must)


def test_partners_with_other_totals_are_refused() -> None:
    with pytest.raises(IllegalDeal) as refusal:
        RULES.check_totals([10, 20, 10, 21], 1, Options(two_sides=True))
    assert refusal.value.field == "totals.3"
    assert not isinstance(refusal.value, DoubtfulTotals)


def test_options_are_read_and_refused_by_name() -> None:
    raw = {"two_sides": True, "low_wins": True, "check_sum": 157, "per_deal": True}
    assert RULES.read_options(raw) == Options(two_sides=True, low_wins=True, check_sum=157, per_deal=True)
    assert RULES.read_options({}) == RULES.read_options(None) == Options()


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        ({"two_sides": 1}, "options.two_sides"),
        ({"check_sum": 1.5}, "options.check_sum"),
        ({"check_sum": 100_000}, "options.check_sum"),
        ({"winner": "low"}, "options.winner"),
    ],
)
def test_other_options_are_refused(raw: dict[str, Any], field: str) -> None:
    with pytest.raises(IllegalDeal) as refusal:
        RULES.read_options(raw)
    assert refusal.value.field == field


def test_no_deal_is_played() -> None:
    with pytest.raises(IllegalDeal) as refusal:
        RULES.play(4, {"points": 3}, Options())
    assert refusal.value.field == "game"


@pytest.mark.parametrize("request_", [{"game": TOTALS}, {"game": TOTALS, "seats": 4, "facts": {}}])
def test_the_command_refuses_it_on_the_game_and_says_why(request_: dict[str, Any]) -> None:
    error = json.loads(answer(json.dumps(request_).encode()))["error"]
    assert error["field"] == "game"
    assert "not scored" in error["message"]


def test_it_is_in_no_menu() -> None:
    assert TOTALS not in slugs()
    assert find_game(TOTALS).slug == TOTALS
    assert not find_game(TOTALS).has_deals
