"""The records of Two Way Street."""

from scoring.games.two_way_street.records import record_candidates
from scoring.games.two_way_street.rules import RULES
from scoring.tests.records_laws import check_records

OPTIONS = RULES.read_options({})


def test_laws() -> None:
    check_records("two-way-street")


def test_every_trick_by_its_call() -> None:
    hands = [{"call": "high", "tricks": 8}, {"call": "low", "tricks": 0}, {"call": "low", "tricks": 0}]
    assert [tuple(candidate) for candidate in record_candidates(RULES.read(3, {"hands": hands}), OPTIONS)] == [
        ("every_trick_high", 0)
    ]
    shared = [{"call": "high", "tricks": 4}, *hands[1:2], {"call": "low", "tricks": 4}]
    assert record_candidates(RULES.read(3, {"hands": shared}), OPTIONS) == ()
