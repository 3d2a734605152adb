"""Belote's short codes."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.game import find_game
from scoring.games.belote import play, row
from scoring.games.belote.tests.test_forms import VECTORS
from scoring.games.belote.tests.test_rules import deals
from scoring.tests import laws, row_laws

GAME = find_game("belote")
SEATS = (1, 2, 3, 4)


def test_first_example_of_003() -> None:
    cells = {"taker": "1", "points": "75", "last_trick": "+", "extras": "b-"}
    facts = {"taker": 0, "points": 75, "last_trick": "attack", "belote": "defence"}
    assert row.read(cells, SEATS) == (facts, {})
    assert row.read({"taker": "0"}, SEATS).facts == {"taker": None}


@pytest.mark.parametrize(
    ("cells", "cell", "code"),
    [
        ({"taker": "5"}, "taker", "no_such_seat"),
        ({"taker": "1", "points": "x"}, "points", "unknown_number"),
        ({"taker": "1", "points": "75", "last_trick": "?"}, "last_trick", "unknown_code"),
        ({"taker": "1", "points": "75", "last_trick": "+", "extras": "b"}, "extras", "unknown_code"),
        ({"taker": "1", "points": "75", "last_trick": "+", "extras": "b+b-"}, "extras", "code_twice"),
        ({"taker": "0", "points": "75"}, "points", "not_asked"),
        ({"taker": "1", "points": "75"}, "last_trick", "missing"),
    ],
)
def test_what_can_not_be_read_is_marked_in_its_cell(cells: dict[str, str], cell: str, code: str) -> None:
    assert row.read(cells, SEATS).problems[cell].code == code


def test_columns() -> None:
    row_laws.check_columns(GAME, 4)


def test_vectors_survive_the_cells() -> None:
    for vector in VECTORS:
        row_laws.check_round_trip(GAME, vector["request"]["facts"], SEATS, "bc")


@settings(deadline=None)
@given(deals())
def test_any_facts_survive_the_cells(facts: laws.Facts) -> None:
    row_laws.check_round_trip(GAME, facts, SEATS)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_played_deals_survive_the_cells(seed: int) -> None:
    row_laws.check_round_trip(GAME, play.play(Random(seed), 4, [0.5] * 4).facts, SEATS)


@given(
    st.dictionaries(st.sampled_from(("taker", "points", "last_trick", "extras")), st.text("0123+-bs x½", max_size=5))
)
def test_any_text_is_read_or_refused(cells: dict[str, str]) -> None:
    row_laws.check_any_text(GAME, cells, SEATS)
