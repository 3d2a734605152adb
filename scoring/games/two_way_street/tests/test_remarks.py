"""Remarks, from deals worked by hand."""

from typing import Any

from scoring.games.two_way_street.remarks import remarks
from scoring.games.two_way_street.rules import RULES
from scoring.tests.remarks_laws import check_remarks


def codes(seats: int, facts: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(remark.code, dict(remark.params)) for remark in remarks(RULES.read(seats, facts))]


def test_what_its_own_players_do_has_its_words() -> None:
    check_remarks("two-way-street")


def test_every_trick_is_told_and_an_ordinary_hand_is_not() -> None:
    hands = [{"call": "high", "tricks": 8}, {"call": "low", "tricks": 0}, {"call": "low", "tricks": 0}]
    assert codes(3, {"hands": hands}) == [("remark_every_trick_high", {"seat": 0})]
    assert codes(3, {"hands": [{"call": "high", "tricks": 4}, *hands[1:2], {"call": "low", "tricks": 4}]}) == []
