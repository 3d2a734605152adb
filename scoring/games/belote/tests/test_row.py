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
from scoring.tests import laws, row_laws, spreadsheet_laws
from tests.examples import examples

GAME = find_game("belote")
WITH_TEN = GAME.with_typing_variant("with_ten")
SEATS = (1, 2, 3, 4)


def test_first_example_of_003() -> None:
    cells = {"taker": "1", "points": "75", "last_trick": "+", "extras": "b-"}
    facts = {"taker": 0, "points": 75, "last_trick": "attack", "belote": "defence"}
    assert row.parse(cells, SEATS) == (facts, {})
    assert row.parse({"taker": "0"}, SEATS).facts == {"taker": None}


@pytest.mark.parametrize("typed", ["I2", "i2"])
def test_an_irregularity_is_an_i_and_its_seat(typed: str) -> None:
    assert row.parse({"taker": typed}, SEATS).facts == {"penalty": 1}
    assert WITH_TEN.row.parse({"taker": typed}, SEATS).facts == {"penalty": 1}


@pytest.mark.parametrize(
    ("cells", "cell", "code"),
    [
        ({"taker": "5"}, "taker", "no_such_seat"),
        ({"taker": "i"}, "taker", "missing"),
        ({"taker": "i5"}, "taker", "no_such_seat"),
        ({"taker": "i1", "points": "75"}, "points", "not_asked"),
        ({"taker": "1", "points": "x"}, "points", "unknown_number"),
        ({"taker": "1", "points": "75", "last_trick": "?"}, "last_trick", "unknown_code"),
        ({"taker": "1", "points": "75", "last_trick": "+", "extras": "b"}, "extras", "unknown_code"),
        ({"taker": "1", "points": "75", "last_trick": "+", "extras": "b+b-"}, "extras", "code_twice"),
        ({"taker": "0", "points": "75"}, "points", "not_asked"),
        ({"taker": "1", "points": "75"}, "last_trick", "missing"),
    ],
)
def test_what_can_not_be_read_is_marked_in_its_cell(cells: dict[str, str], cell: str, code: str) -> None:
    assert row.parse(cells, SEATS).problems[cell].code == code


def test_columns() -> None:
    row_laws.check_columns(GAME, 4)
    row_laws.check_columns(WITH_TEN, 4)


@pytest.mark.parametrize(
    ("typed", "sign", "points"), [("85", "+", 75), ("162", "+", 152), ("10", "+", 0), ("75", "-", 75)]
)
def test_points_with_the_ten_are_the_same_facts(typed: str, sign: str, points: int) -> None:
    cells = {"taker": "1", "points": typed, "last_trick": sign}
    facts = WITH_TEN.row.parse(cells, SEATS).facts
    assert facts is not None
    assert facts["points"] == points
    assert WITH_TEN.row.format_cells(facts, SEATS, "bs") == {**cells, "extras": ""}


@pytest.mark.parametrize("typed", ["9", "0", "163"])
def test_with_the_last_trick_its_ten_is_in_the_points(typed: str) -> None:
    parsed_row = WITH_TEN.row.parse({"taker": "1", "points": typed, "last_trick": "+"}, SEATS)
    assert parsed_row.facts is None
    assert parsed_row.problems["points"].code == "out_of_range"


def test_vectors_survive_the_cells() -> None:
    for vector in VECTORS:
        row_laws.check_round_trip(GAME, vector["request"]["facts"], SEATS, "bc")


@settings(deadline=None)
@given(deals())
def test_any_facts_survive_the_cells(facts: laws.Facts) -> None:
    row_laws.check_round_trip(GAME, facts, SEATS)
    row_laws.check_round_trip(WITH_TEN, facts, SEATS)


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 2**32))
def test_played_deals_survive_the_cells(seed: int) -> None:
    row_laws.check_round_trip(GAME, play.play(Random(seed), 4, [0.5] * 4).facts, SEATS)


@given(
    st.dictionaries(st.sampled_from(("taker", "points", "last_trick", "extras")), st.text("0123+-bs x½", max_size=5))
)
def test_any_text_is_read_or_refused(cells: dict[str, str]) -> None:
    row_laws.check_any_text(GAME, cells, SEATS)
    row_laws.check_any_text(WITH_TEN, cells, SEATS)


def test_words_of_spreadsheets_are_codes_of_the_row() -> None:
    spreadsheet_laws.check_spreadsheet(GAME)
