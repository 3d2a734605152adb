"""Two Way Street's short codes, for a hand and for a duel."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.game import find_game
from scoring.games.two_way_street import play, row
from scoring.games.two_way_street.tests.test_forms import VECTORS
from scoring.tests import row_laws, spreadsheet_laws
from tests.examples import examples

GAME = find_game("two-way-street")


def test_a_hand() -> None:
    """`H` says forced; a French secretary writes b, bas, for low."""
    cells = {"hands.0": "h6", "hands.1": "b1", "hands.2": "H3"}
    hands = [
        {"call": "high", "tricks": 6},
        {"call": "low", "tricks": 1},
        {"call": "high", "tricks": 3, "forced": True},
    ]
    assert row.parse(cells, (1, 2, 3)) == ({"hands": hands}, {})


def test_a_duel() -> None:
    cells = {"dealer": "2", "direction": "l", "tricks.0": "6", "tricks.1": "4"}
    assert row.parse(cells, (1, 2)) == ({"direction": "low", "dealer": 1, "tricks": [6, 4]}, {})


@pytest.mark.parametrize("text", ["x3", "h", "3", "h-1"])
def test_what_can_not_be_read_is_marked_in_its_cell(text: str) -> None:
    problems = row.parse({"hands.0": "h6", "hands.1": text}, (1, 2, 3)).problems
    assert {cell: problem.code for cell, problem in problems.items()} == {
        "hands.1": "unknown_code",
        "hands.2": "missing",
    }


@pytest.mark.parametrize("seats", GAME.sizes)
def test_columns(seats: int) -> None:
    row_laws.check_columns(GAME, seats)


def test_vectors_survive_the_cells() -> None:
    for vector in VECTORS:
        request = vector["request"]
        row_laws.check_round_trip(GAME, request["facts"], range(1, request["seats"] + 1), "hb")


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 10))
def test_played_deals_survive_the_cells(seed: int, seats: int) -> None:
    row_laws.check_round_trip(GAME, play.play(Random(seed), seats, [0.5] * seats).facts, range(1, seats + 1))


@given(st.dictionaries(st.sampled_from(("hands.0", "hands.1", "hands.2")), st.text("hlbHLB0123 x", max_size=4)))
def test_any_text_is_read_or_refused(cells: dict[str, str]) -> None:
    row_laws.check_any_text(GAME, cells, (1, 2, 3))


def test_words_of_spreadsheets_are_codes_of_the_row() -> None:
    spreadsheet_laws.check_spreadsheet(GAME)
