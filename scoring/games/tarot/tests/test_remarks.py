"""Remarks, from deals worked by hand."""

from typing import Any

from scoring.games.tarot.remarks import remarks
from scoring.games.tarot.rules import RULES
from scoring.tests.remarks_laws import check_remarks


def codes(seats: int, facts: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(remark.code, dict(remark.params)) for remark in remarks(RULES.read(seats, facts))]


def test_what_its_own_players_do_has_its_words() -> None:
    check_remarks("tarot")


def test_a_slam_names_its_side_and_handfuls_who_showed_them() -> None:
    facts = {"contract": "guard", "taker": 1, "partner": 3, "points": 91, "oudlers": 3, "slam": "attack"}
    handfuls = [{"seat": 1, "size": "simple"}]
    assert codes(5, {**facts, "handfuls": handfuls}) == [
        ("remark_slam", {"seats": (1, 3)}),
        ("remark_simple_handful", {"seat": 1}),
    ]


def test_an_ordinary_deal_is_not_remarkable() -> None:
    assert codes(4, {"contract": "take", "taker": 0, "points": 43, "oudlers": 2}) == []
    assert codes(4, {"contract": "passed"}) == []


def test_a_slam_of_the_defence_names_the_taker() -> None:
    facts = {"contract": "take", "taker": 2, "points": 0, "oudlers": 0, "slam": "defence"}
    assert codes(4, facts) == [("remark_slam_of_defence", {"seat": 2})]
