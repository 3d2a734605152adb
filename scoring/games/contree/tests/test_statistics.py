"""Counters, records and remarks of deals worked by hand."""

from typing import Any

import pytest

from scoring.games.contree.records import record_candidates
from scoring.games.contree.remarks import remarks
from scoring.games.contree.rules import RULES
from scoring.games.contree.statistics import tally
from scoring.statistics import CounterIncrements
from scoring.tests.records_laws import check_records
from scoring.tests.remarks_laws import check_remarks
from scoring.tests.statistics_laws import check_statistics

PLAIN: dict[str, Any] = {"taker": 1, "contract": 100, "trump": "spades", "points": 104, "last_trick": "attack"}
SWEPT = {**PLAIN, "points": 152, "all_tricks": "attack"}


def tallies_of(facts: dict[str, Any]) -> tuple[CounterIncrements, ...]:
    deal, options = RULES.read(4, facts), RULES.read_options({})
    return tuple(tally(deal, options, RULES.score(deal, options).points))


def test_laws() -> None:
    check_statistics("contree")
    check_records("contree")
    check_remarks("contree")


def test_a_contract_that_was_made() -> None:
    defender, taker, second_defender, partner = tallies_of(PLAIN)
    assert taker == {"with_taker": 1, "taker": 1, "taker_points": 214, "taker_won": 1, "middle": 1, "middle_won": 1}
    assert partner == {"with_taker": 1, "partner": 1, "partner_points": 214, "partner_won": 1}
    assert defender == second_defender == {"with_taker": 1, "defender": 1, "defender_points": 48, "defender_won": 0}


def test_a_doubled_capot_that_failed() -> None:
    defender, taker, *_seats = tallies_of({**PLAIN, "contract": "capot", "double": "double"})
    assert (taker["capots"], taker["capots_won"], taker["doubled_attack"], taker["doubled_attack_won"]) == (1, 0, 1, 0)
    assert (defender["doubled_defence"], defender["doubled_defence_won"]) == (1, 1)
    assert (taker["highest"], taker["highest_won"]) == (1, 0)


def test_every_trick_and_a_belote() -> None:
    defender, taker, _defender, partner = tallies_of({**SWEPT, "belotes": {"attack": 1}})
    assert (taker["slams"], partner["slams"], taker["belotes"]) == (1, 1, 1)
    assert not {"slams", "belotes"} & defender.keys()


def test_a_passed_deal_counts_nothing() -> None:
    assert tallies_of({"taker": None}) == ({}, {}, {}, {})


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (PLAIN, []),
        ({"taker": None}, []),
        ({**SWEPT, "contract": "capot"}, ["remark_capot"]),
        ({**PLAIN, "contract": "capot"}, ["remark_capot_failed"]),
        ({**SWEPT, "contract": "generale", "all_tricks": "taker"}, ["remark_generale"]),
        ({**SWEPT, "contract": "generale"}, ["remark_generale_failed"]),
        (SWEPT, ["remark_all_tricks"]),
        (
            {**PLAIN, "points": 0, "last_trick": "defence", "all_tricks": "defence", "double": "redouble"},
            ["remark_all_tricks_of_defence", "remark_redoubled"],
        ),
    ],
)
def test_remarks(facts: dict[str, Any], expected: list[str]) -> None:
    assert [remark.code for remark in remarks(RULES.read(4, facts))] == expected


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (PLAIN, []),
        ({"taker": None}, []),
        ({**PLAIN, "double": "redouble"}, [("redoubled", 1), ("redoubled", 3)]),
        ({**PLAIN, "double": "redouble", "points": 50}, []),
        (
            {**SWEPT, "contract": "capot"},
            [("capot", 1), ("all_tricks", 1), ("capot", 3), ("all_tricks", 3)],
        ),
        (
            {**SWEPT, "contract": "generale", "all_tricks": "taker"},
            [("generale", 1), ("all_tricks", 1), ("all_tricks", 3)],
        ),
        (
            {**PLAIN, "points": 0, "last_trick": "defence", "all_tricks": "defence"},
            [("all_tricks", 0), ("all_tricks", 2)],
        ),
    ],
)
def test_records(facts: dict[str, Any], expected: list[tuple[str, int]]) -> None:
    candidates = [
        (candidate.record, candidate.seat)
        for candidate in record_candidates(RULES.read(4, facts), RULES.read_options({}))
    ]
    assert candidates == expected
