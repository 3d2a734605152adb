"""Totals that differ from the paper: errors made by hand, so that the right explanation is known beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest

from scoring.cross_check import Suspect, compare_totals
from scoring.game import find_game
from scoring.possible_mistakes import known_mistakes
from scoring.rules.errors import IllegalDeal

GAME = find_game("belote")
WON = {"taker": 1, "points": 90, "last_trick": "attack"}  # 62 and 100
LOST = {"taker": 0, "points": 60, "last_trick": "attack"}  # 0 and 162
PASSED: dict[str, Any] = {"taker": None}
DISPUTE = {"taker": 0, "points": 71, "last_trick": "attack"}
SLAM = {"taker": 0, "points": 152, "last_trick": "attack"}  # 162 and 0, without its slam


def suspects(sheet: Sequence[dict[str, Any]], off: tuple[int, int], **house_rules: Any) -> tuple[Suspect, ...]:
    """Return the explanations if the paper has so many points more for seats 0 and 2, and for 1 and 3."""
    rules = GAME.rules
    options = rules.read_options(house_rules)
    played = list(rules.play_table([(4, facts) for facts in sheet], options))
    points = [deal.points for deal in played if not isinstance(deal, IllegalDeal)]
    totals = [sum(column) + off[seat % 2] for seat, column in enumerate(zip(*points, strict=True))]
    by_difference = GAME.paper_errors.errors_by_difference(rules.read_earlier(4, list(sheet)), options)
    errors = known_mistakes(rules, GAME.paper_errors, sheet, 4, options)
    return compare_totals(
        points, totals, errors, sides=rules.sides(4, options), errors_by_difference=by_difference
    ).suspects


def reasons(sheet: Sequence[dict[str, Any]], off: tuple[int, int], **house_rules: Any) -> list[tuple[str, int | None]]:
    return [(suspect.reason, suspect.row) for suspect in suspects(sheet, off, **house_rules)]


def test_a_missing_belote_is_found_in_the_deals_that_fit() -> None:
    # 20 more for seats 1 and 3: the belote of the taker in the first deal, or of either side in the second.
    assert reasons([WON, LOST], (0, 20)) == [("belote_missing_in", 0), ("belote_missing_in", 1)]
    assert reasons([WON, LOST], (20, 0)) == [("belote_missing_in", 0)]


def test_a_belote_that_the_paper_does_not_have_or_has_on_the_other_side() -> None:
    with_belote = {**WON, "belote": "attack"}
    assert ("belote_extra_in", 0) in reasons([with_belote, LOST], (0, -20))
    assert reasons([with_belote, LOST], (20, -20)) == [("belote_moved_in", 0)]


def test_a_missing_slam() -> None:
    assert reasons([SLAM, LOST], (100, 0)) == [("slam_missing_in", 0)]
    assert reasons([SLAM, LOST], (90, 0), slam=90) == [("slam_missing_in", 0)]
    assert reasons([{**SLAM, "all_tricks": "attack"}, LOST], (-100, 0)) == [("slam_extra_in", 0)]


def test_held_points_move_with_a_belote() -> None:
    # With a belote of the defence the dispute becomes a contract lost by 81 to 91: nothing is held for the second deal.
    assert ("belote_missing_in", 0) in reasons([DISPUTE, WON], (0, 182 - 81 - 81), dispute="held")


@pytest.mark.parametrize(
    ("off", "reason"),
    [
        ((13, 7), "belote_missing"),
        ((-13, -7), "belote_extra"),
        ((33, 67), "slam_missing"),
        ((90, 72), "deal_missing"),
        ((100, 82), "deal_missing"),
        ((-90, -72), "deal_extra"),
    ],
)
def test_the_sum_names_a_cause_when_no_deal_fits(off: tuple[int, int], reason: str) -> None:
    assert reasons([WON, LOST], off) == [(reason, None)]


def test_a_missing_deal_may_be_one_that_counts_as_passed() -> None:
    assert reasons([WON, PASSED, LOST], (90, 72)) == [("deal_missing", None), ("deal_passed_in", 1)]


def test_with_rounding_only_deals_are_compared() -> None:
    # 62 and 100 count 60 and 100; with a belote of the taker 60 and 120.
    assert ("belote_missing_in", 0) in reasons([WON, LOST], (0, 20), rounding=10)
    assert reasons([WON, LOST], (13, 7), rounding=10) == []
    assert reasons([WON, LOST], (90, 72), rounding="six_up") == []


def test_partners_with_different_totals_have_no_sum() -> None:
    by_difference = {20: [("belote_missing", None)]}
    check = partial(compare_totals, [(0, 0, 0, 0)], sides=((0, 2), (1, 3)), errors_by_difference=by_difference)
    assert check((10, 10, 10, 11)).suspects == ()
    assert check((10, 10, None, None)).suspects == (Suspect("belote_missing", None),)


def test_every_error_has_its_text() -> None:
    for text in GAME.paper_errors.words.values():
        assert str(text) % {"number": 1, "off": 20, "given": 1_782, "deals": 12, "gap": 8}
    assert not set(GAME.paper_errors.words) & set(GAME.rules.words)


@pytest.mark.parametrize(
    ("total", "options", "code"),
    [
        (12 * 162, {}, None),
        (12 * 162 + 3 * 20 + 100, {}, None),
        (11 * 162 + 20, {}, "deal_missing"),
        (13 * 162, {}, "deal_extra"),
        (12 * 162 + 90, {}, "sum_unlikely_more"),
        (12 * 162 + 90, {"slam": 90}, None),
        (1943, {}, "sum_unlikely_less"),
        (1940, {"rounding": 10}, None),
        (11 * 162, {"dispute": "replayed"}, None),
    ],
)
def test_the_sum_of_both_totals_names_the_likely_error(total: int, options: dict[str, Any], code: str | None) -> None:
    error = GAME.paper_errors.sum_error(total, 12, GAME.rules.read_options(options))
    assert (error and error[0]) == code
