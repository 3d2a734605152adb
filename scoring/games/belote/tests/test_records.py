"""The records of belote."""

from typing import Any

from scoring.games.belote.records import record_candidates
from scoring.games.belote.rules import RULES
from scoring.tests.records_laws import check_records


def candidates_of(facts: dict[str, Any]) -> list[tuple[str, int]]:
    return [
        (candidate.record, candidate.seat)
        for candidate in record_candidates(RULES.read(4, facts), RULES.read_options({}))
    ]


def test_laws() -> None:
    check_records("belote")


def test_every_trick_is_the_pairs() -> None:
    won = {"taker": 1, "points": 152, "last_trick": "attack", "all_tricks": "attack"}
    assert candidates_of(won) == [("all_tricks", 1), ("all_tricks", 3)]
    lost = {"taker": 1, "points": 0, "last_trick": "defence", "all_tricks": "defence"}
    assert candidates_of(lost) == [("all_tricks", 0), ("all_tricks", 2)]
    assert candidates_of({"taker": 0, "points": 82, "last_trick": "attack"}) == []
    assert candidates_of({"taker": None}) == []
