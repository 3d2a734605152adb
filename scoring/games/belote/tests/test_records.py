"""The records of belote."""

from typing import Any

from scoring.games.belote.records import feats
from scoring.games.belote.rules import RULES
from scoring.tests.records_laws import check_records


def feats_of(facts: dict[str, Any]) -> list[tuple[str, int]]:
    return [(feat.record, feat.seat) for feat in feats(RULES.read(4, facts), RULES.read_options({}))]


def test_laws() -> None:
    check_records("belote")


def test_every_trick_is_the_pairs() -> None:
    won = {"taker": 1, "points": 152, "last_trick": "attack", "all_tricks": "attack"}
    assert feats_of(won) == [("all_tricks", 1), ("all_tricks", 3)]
    lost = {"taker": 1, "points": 0, "last_trick": "defence", "all_tricks": "defence"}
    assert feats_of(lost) == [("all_tricks", 0), ("all_tricks", 2)]
    assert feats_of({"taker": 0, "points": 82, "last_trick": "attack"}) == []
    assert feats_of({"taker": None}) == []
