"""Totals that differ from the paper: errors made by hand, so that the right explanation is known beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from scoring.cross_check import compare_totals
from scoring.game import find_game
from scoring.possible_mistakes import known_mistakes
from scoring.rules.errors import IllegalDeal

GAME = find_game("contree")
# 104 + 10 + 100 = 214 and 48; 60 + 10 fail 90: 0 and 160 + 90 = 250, by the numbers of RULES.md, C4.
WON = {"taker": 0, "contract": 100, "trump": "spades", "points": 104, "last_trick": "attack"}
LOST = {"taker": 0, "contract": 90, "trump": "hearts", "points": 60, "last_trick": "attack"}
PASSED: dict[str, Any] = {"taker": None}


def reasons(sheet: Sequence[dict[str, Any]], off: tuple[int, int], **house_rules: Any) -> list[tuple[str, int | None]]:
    """Return the explanations if the paper has so many points more for seats 0 and 2, and for 1 and 3."""
    rules = GAME.rules
    options = rules.read_options(house_rules)
    played = list(rules.play_table([(4, facts) for facts in sheet], options))
    points = [deal.points for deal in played if not isinstance(deal, IllegalDeal)]
    totals = [sum(column) + off[seat % 2] for seat, column in enumerate(zip(*points, strict=True))]
    by_difference = GAME.paper_errors.errors_by_difference(rules.read_earlier(4, list(sheet)), options)
    errors = known_mistakes(rules, GAME.paper_errors, sheet, 4, options)
    suspects = compare_totals(
        points, totals, errors, sides=rules.sides(4, options), errors_by_difference=by_difference
    ).suspects
    return [(suspect.reason, suspect.row) for suspect in suspects]


def test_a_missing_belote_is_named_with_its_deals() -> None:
    # 20 more for seats 1 and 3: the defence's belote in the first deal. In the second, the taker's helps to 90 points,
    # so that the contract is made; the defence's is 20 more too.
    assert reasons([WON, LOST], (0, 20)) == [("belote_missing_in", 0), ("belote_missing_in", 1)]
    assert reasons([WON, LOST], (20, 0)) == [("belote_missing_in", 0)]


def test_a_missing_belote_is_named_with_rounded_points() -> None:
    # 214 and 48 are rounded to 210 and 50; with the belote 210 and 70.
    assert ("belote_missing_in", 0) in reasons([WON, LOST], (0, 20), rounding="five_up")


def test_a_belote_without_effect_is_no_explanation() -> None:
    assert reasons([WON], (0, 20), scoring="contract") == []
    assert reasons([{**WON, "trump": "no_trump"}], (0, 20)) == [("belote_missing", None)]


def test_a_belote_that_the_paper_does_not_have_or_has_on_the_other_side() -> None:
    with_belote = {**WON, "belotes": {"attack": 1}}
    assert reasons([with_belote, LOST], (-20, 0)) == [("belote_extra_in", 0)]
    assert reasons([with_belote, LOST], (-20, 20)) == [("belote_moved_in", 0)]
    two_belotes = {**WON, "trump": "all_trumps", "belotes": {"attack": 2}}
    assert reasons([two_belotes], (-20, 0)) == [("belote_extra_in", 0)]


def test_a_missing_slam() -> None:
    every_card = {**WON, "points": 152}  # 162 and the value; 252 with every trick
    assert reasons([every_card, LOST], (90, 0)) == [("slam_missing_in", 0)]
    assert reasons([{**every_card, "all_tricks": "attack"}, LOST], (-90, 0)) == [("slam_extra_in", 0)]


def test_a_forgotten_double() -> None:
    # Failed and doubled: 160 + 90 × 2 = 340 instead of 250.
    assert reasons([WON, LOST], (0, 90)) == [("double_missing_in", 1)]
    assert reasons([WON, {**LOST, "double": "double"}], (0, -90)) == [("double_extra_in", 1)]


@pytest.mark.parametrize(
    ("off", "reason"),
    [
        ((13, 7), "belote_missing"),
        ((-13, -7), "belote_extra"),
        ((33, 57), "slam_missing"),
        ((200, 62), "deal_missing"),  # 100 made: 162 + 100
        ((100, 150), "deal_missing"),  # 90 failed: 160 + 90
        ((200, 82), "deal_missing"),  # 100 made, with a belote
        ((-200, -62), "deal_extra"),
    ],
)
def test_the_sum_names_a_cause_when_no_deal_fits(off: tuple[int, int], reason: str) -> None:
    assert reasons([WON, LOST], off) == [(reason, None)]


def test_a_missing_deal_may_be_one_that_counts_as_passed() -> None:
    assert reasons([WON, PASSED], (200, 62)) == [("deal_missing", None), ("deal_passed_in", 1)]


def test_every_error_has_its_text() -> None:
    for text in GAME.paper_errors.words.values():
        assert str(text) % {"number": 1, "off": 20}
    assert not set(GAME.paper_errors.words) & set(GAME.rules.words)
