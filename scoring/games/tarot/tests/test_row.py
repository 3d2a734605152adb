"""Tarot's short codes: what a secretary types for a deal, and that nothing is lost between facts and cells."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.game import find_game
from scoring.games.tarot import play, row
from scoring.games.tarot.tests import strategies
from scoring.tests import row_laws, spreadsheet_laws
from tests.examples import examples

GAME = find_game("tarot")
VECTORS = [
    json.loads(line)
    for path in sorted((Path(__file__).parent / "vectors").glob("*.jsonl"))
    for line in path.read_text().splitlines()
]
FOUR, FIVE = (1, 2, 3, 4), (1, 2, 3, 4, 5)


def cells(text: str, names: str = "taker contract oudlers points extras") -> dict[str, str]:
    return dict(zip(names.split(), text.split(), strict=False))


@pytest.mark.parametrize(
    ("typed", "facts"),
    [
        ("1 t 2 43", {"contract": "take", "taker": 0, "oudlers": 2, "points": 43}),
        (
            "1 G 2 60 +d",
            {
                "contract": "guard",
                "taker": 0,
                "oudlers": 2,
                "points": 60,
                "small_last": "attack",
                "handfuls": [{"seat": 0, "size": "double"}],
            },
        ),
        (
            "3 C 0 12,5 −h4p2",
            {
                "contract": "guard_against",
                "taker": 2,
                "oudlers": 0,
                "points": 12.5,
                "small_last": "defence",
                "handfuls": [{"seat": 3, "size": "simple"}, {"seat": 1, "size": "simple"}],
            },
        ),
        (
            "2 s 3 91 as+",
            {
                "contract": "guard_without",
                "taker": 1,
                "oudlers": 3,
                "points": 91,
                "slam_announced": True,
                "slam": "attack",
            },
        ),
        (
            "1 g 2 87 +has+",
            {
                "contract": "guard",
                "taker": 0,
                "oudlers": 2,
                "points": 87,
                "small_last": "attack",
                "handfuls": [{"seat": 0, "size": "simple"}],
                "slam_announced": True,
                "slam": "attack",
            },
        ),
        ("0 x", {"contract": "passed"}),
    ],
)
def test_codes_in_both_languages(typed: str, facts: dict[str, Any]) -> None:
    assert row.parse(cells(typed), FOUR) == ({**facts}, {})


def test_five_players_name_the_partner() -> None:
    names = "taker contract partner oudlers points"
    assert row.parse(cells("2 g 5 1 51", names), FIVE).facts == {
        "contract": "guard", "taker": 1, "partner": 4, "oudlers": 1, "points": 51,
    }  # fmt: skip
    alone = row.parse(cells("2 g 0 1 51", names), FIVE).facts
    assert alone is not None
    assert "partner" not in alone


def test_seats_are_those_printed_on_the_sheet() -> None:
    """Seat 2 rests: seat 3 is the second player."""
    parsed_row = row.parse(cells("3 g 1 51 h5"), (1, 3, 4, 5))
    assert parsed_row.facts is not None
    assert parsed_row.facts["taker"] == 1
    assert parsed_row.facts["handfuls"] == [{"seat": 3, "size": "simple"}]
    assert row.parse(cells("2 g 1 51"), (1, 3, 4, 5)).problems["taker"].code == "no_such_seat"


@pytest.mark.parametrize(
    ("typed", "cell", "code"),
    [
        ("9 t 2 43", "taker", "no_such_seat"),
        ("1 z 2 43", "contract", "unknown_code"),
        ("1 t two 43", "oudlers", "unknown_number"),
        ("1 t 4", "oudlers", "not_among"),
        ("1 t 2 4.3", "points", "unknown_number"),
        ("1 t 2 43 ++", "extras", "code_twice"),
        ("1 t 2 43 +q", "extras", "unknown_code"),
        ("1 t 2 43 h9", "extras", "unknown_code"),
        ("1 x", "taker", "not_asked"),
        ("0 x 2", "oudlers", "not_asked"),
        ("0 t 2 43", "taker", "no_such_seat"),
        ("1 t 2", "points", "missing"),
    ],
)
def test_what_can_not_be_read_is_marked_in_its_cell(typed: str, cell: str, code: str) -> None:
    parsed_row = row.parse(cells(typed), FOUR)
    assert parsed_row.facts is None
    assert parsed_row.problems[cell].code == code


def test_one_for_one_has_its_piles_in_the_second_line() -> None:
    typed = {
        "taker": "0", "contract": "m", "extras": "+1h2", "dog_points": "6", "teams": "13",
        "piles.0.points": "50,5", "piles.0.oudlers": "vep", "piles.0.tricks": "10",
        "piles.1.points": "34.5", "piles.1.tricks": "8", "piles.1.tie": "1020/3",
    }  # fmt: skip
    assert row.parse(typed, FOUR).facts == {
        "contract": "one_for_one",
        "dog_points": 6,
        "teams": [[0, 2], [1, 3]],
        "piles": [
            {"points": 50.5, "oudlers": ["21", "excuse", "small"], "tricks": 10},
            {
                "points": 34.5,
                "oudlers": [],
                "tricks": 8,
                "characters": {"kings": 1, "queens": 0, "knights": 2, "jacks": 0},
                "first_trick": 3,
            },
        ],
        "small_last": 0,
        "handfuls": [{"seat": 1, "size": "simple"}],
    }


@pytest.mark.parametrize("seats", GAME.sizes)
def test_columns(seats: int) -> None:
    row_laws.check_columns(GAME, seats)


def test_vectors_survive_the_cells() -> None:
    for vector in VECTORS:
        request = vector["request"]
        row_laws.check_round_trip(GAME, request["facts"], range(1, request["seats"] + 1))


@settings(max_examples=examples(60), deadline=None)
@given(strategies.deals(), st.sampled_from((None, "PGSCOEXpdtcavep")))
def test_any_facts_survive_the_cells(request: strategies.DealRequest, letters: str | None) -> None:
    row_laws.check_round_trip(GAME, request.facts, range(1, request.seats + 1), letters)


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 2**32), st.sampled_from((3, 4, 5, 6)), st.integers(1, 5))
def test_played_deals_survive_the_cells(seed: int, seats: int, resting: int) -> None:
    """Also where one of a larger table rests."""
    played = play.play(Random(seed), seats, [0.5] * seats)
    numbers = [number for number in range(1, 7) if number != resting][:seats] if seats < 6 else range(1, 7)
    row_laws.check_round_trip(GAME, played.facts, numbers)


@settings(max_examples=examples(80), deadline=None)
@given(st.data(), st.integers(3, 6))
def test_any_text_is_read_or_refused(data: st.DataObject, seats: int) -> None:
    names = [column.name for column in row.columns(seats)]
    text = st.text("0123456tgwaox hdts+-/.,2e½", max_size=6) | st.text(max_size=3)
    typed = data.draw(st.dictionaries(st.sampled_from(names), text, max_size=12))
    row_laws.check_any_text(GAME, typed, range(1, seats + 1))


@pytest.mark.parametrize(("typed", "allowed"), [("9 t 2 43", "0, 1, 2, 3, 4"), ("0 t 2 43", "1, 2, 3, 4")])
def test_a_wrong_taker_lists_no_taker_among_the_codes(typed: str, allowed: str) -> None:
    """Unless the cell has a 0 already, beside a contract."""
    assert row.parse(cells(typed), FOUR).problems["taker"].params["allowed"] == allowed


def test_words_of_spreadsheets_are_codes_of_the_row() -> None:
    spreadsheet_laws.check_spreadsheet(GAME)
