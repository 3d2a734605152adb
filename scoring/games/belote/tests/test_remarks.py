"""Remarks, from deals worked by hand."""

from typing import Any

from scoring.games.belote.remarks import remarks
from scoring.games.belote.rules import RULES
from scoring.tests.remarks_laws import check_remarks


def codes(seats: int, facts: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [(remark.code, dict(remark.params)) for remark in remarks(RULES.read(seats, facts))]


def test_what_its_own_players_do_has_its_words() -> None:
    check_remarks("belote")


def test_every_trick_names_the_pair_that_won_them() -> None:
    won = {"taker": 1, "points": 152, "last_trick": "attack", "all_tricks": "attack"}
    assert codes(4, won) == [("remark_all_tricks", {"seats": (1, 3)})]
    lost = {"taker": 1, "points": 0, "last_trick": "defence", "all_tricks": "defence"}
    assert codes(4, lost) == [("remark_all_tricks_of_defence", {"seats": (0, 2)})]


def test_an_ordinary_deal_is_not_remarkable() -> None:
    assert codes(4, {"taker": 0, "points": 82, "last_trick": "attack"}) == []
    assert codes(4, {"taker": None}) == []
