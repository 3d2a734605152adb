"""The counters of a belote deal, from the documents' examples."""

from typing import Any

from scoring.games.belote.rules import RULES
from scoring.games.belote.statistics import tally
from scoring.statistics import CounterIncrements
from scoring.tests.statistics_laws import check_statistics


def tallies_of(facts: dict[str, Any], **options: Any) -> tuple[CounterIncrements, ...]:
    deal, house = RULES.read(4, facts), RULES.read_options(options)
    return tuple(tally(deal, house, RULES.score(deal, house).points))


def test_a_contract_lost_to_the_belote_of_the_defence() -> None:
    taker, defender, partner, second_defender = tallies_of(
        {"taker": 0, "points": 75, "last_trick": "attack", "belote": "defence"}
    )
    assert taker == {"with_taker": 1, "taker": 1, "taker_points": 0, "taker_won": 0}
    assert partner == {"with_taker": 1, "partner": 1, "partner_points": 0, "partner_won": 0}
    assert defender == second_defender
    assert defender == {"with_taker": 1, "defender": 1, "defender_points": 182, "defender_won": 1, "belotes": 1}


def test_all_tricks_and_the_belote() -> None:
    facts = {"taker": 3, "points": 152, "last_trick": "attack", "belote": "attack", "all_tricks": "attack"}
    defender, partner, _other, taker = tallies_of(facts)
    expected = {"slams": 1, "belotes": 1, "with_taker": 1}
    assert taker == {**expected, "taker": 1, "taker_points": 282, "taker_won": 1}
    assert partner == {**expected, "partner": 1, "partner_points": 282, "partner_won": 1}
    assert defender == {"with_taker": 1, "defender": 1, "defender_points": 0, "defender_won": 0}


def test_a_dispute_is_neither_made_nor_lost() -> None:
    facts = {"taker": 0, "points": 71, "last_trick": "attack"}
    taker, defender, *_defenders = tallies_of(facts, dispute="held")
    assert (taker["taker_won"], taker["taker_disputed"], defender["defender_won"]) == (0, 1, 0)
    as_written = tallies_of(facts)[0]
    assert as_written["taker_won"] == 1
    assert "taker_disputed" not in as_written


def test_exactly_81_in_tournaments() -> None:
    facts = {"taker": 0, "points": 71, "last_trick": "attack", "belote": None}
    assert tallies_of(facts, dispute="lost")[0]["taker_won"] == 0
    assert tallies_of(facts, dispute="replayed") == ({}, {}, {}, {})


def test_an_irregularity_is_counted_for_its_player() -> None:
    assert [tally["penalties"] for tally in tallies_of({"penalty": 2})] == [0, 0, 1, 0]


def test_what_everyone_passed_counts_nothing() -> None:
    assert tallies_of({"taker": None}) == ({}, {}, {}, {})


def test_what_the_game_shows_is_counted() -> None:
    check_statistics("belote")
