"""The counters of a tarot deal, from deals worked by hand."""

from typing import Any

from scoring.games.tarot.rules import RULES
from scoring.games.tarot.statistics import tally
from scoring.statistics import CounterIncrements
from scoring.tests.statistics_laws import check_statistics


def tallies_of(seats: int, facts: dict[str, Any], **options: Any) -> tuple[CounterIncrements, ...]:
    deal, house = RULES.read(seats, facts), RULES.read_options(options)
    return tuple(tally(deal, house, RULES.score(deal, house).points))


def test_a_take_lost_by_8_of_a_table_of_5_with_a_partner() -> None:
    facts = {"contract": "take", "taker": 0, "partner": 2, "points": 43, "oudlers": 1, "small_last": "defence"}
    taker, defender, partner, second_defender, _last = tallies_of(5, facts)
    # −25 − 8 for the contract, −10 for the Small: −43 from and to each of three defenders
    assert taker == {
        "with_taker": 1, "taker": 1, "taker_points": -86, "margin": -8, "take": 1, "take_won": 0,
        "oudlers_1": 1, "oudlers_1_won": 0, "small_last": 1, "small_last_for": 0,
    }  # fmt: skip
    assert partner == {"with_taker": 1, "partner": 1, "partner_points": -43, "small_last": 1, "small_last_for": 0}
    assert defender == second_defender
    assert defender == {
        "with_taker": 1, "defender": 1, "defender_points": 43, "defender_won": 1, "small_last": 1, "small_last_for": 1,
    }  # fmt: skip


def test_a_guard_won_by_19_with_a_double_handful() -> None:
    facts = {"contract": "guard", "taker": 1, "points": 60, "oudlers": 2, "handfuls": [{"seat": 1, "size": "double"}]}
    defender, taker, *_defenders = tallies_of(4, facts)
    # (25 + 19) × 2 + 30 = 118 from each
    assert taker == {
        "with_taker": 1, "taker": 1, "taker_won": 1, "taker_points": 354, "margin": 19, "guard": 1, "guard_won": 1,
        "oudlers_2": 1, "oudlers_2_won": 1, "handfuls": 1,
    }  # fmt: skip
    assert defender == {"with_taker": 1, "defender": 1, "defender_points": -118}


def test_a_slam_is_of_the_side_that_made_it() -> None:
    facts = {"contract": "guard", "taker": 0, "points": 91, "oudlers": 3, "slam": "attack"}
    taker, defender, *_defenders = tallies_of(3, facts)
    assert taker["slams"] == 1
    assert "slams" not in defender


def test_what_a_house_rule_voids_or_everyone_passed_counts_nothing() -> None:
    short = {"contract": "take", "taker": 0, "points": 40.5, "oudlers": 2}
    assert tallies_of(4, short, half_point_short="void") == ({}, {}, {}, {})
    assert tallies_of(4, {"contract": "passed"}) == ({}, {}, {}, {})
    assert tallies_of(4, short)[0]["taker"] == 1


def test_one_for_one_who_is_first_and_who_gains() -> None:
    piles = [
        {"points": 40, "tricks": 10, "oudlers": ["21"]},
        {"points": 25, "tricks": 8, "oudlers": ["excuse"]},
        {"points": 15, "tricks": 6, "oudlers": []},
    ]
    facts = {"contract": "one_for_one", "dog_points": 11, "piles": piles}
    seats = tallies_of(3, facts)  # differences −11, −26 and −41
    assert [seat["one_for_one_first"] for seat in seats] == [1, 0, 0]
    assert all(seat["one_for_one"] == 1 for seat in seats)
    assert [seat["one_for_one_gained"] for seat in seats] == [int(seat["one_for_one_points"] > 0) for seat in seats]


def test_what_the_game_shows_is_counted() -> None:
    check_statistics("tarot")
