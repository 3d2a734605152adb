"""Contrée's short codes."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.game import find_game
from scoring.games.contree import play, row
from scoring.games.contree.tests.test_rules import VECTORS, deals_with_options
from scoring.tests import laws, row_laws, spreadsheet_laws
from tests.examples import examples

GAME = find_game("contree")
SEATS = (1, 2, 3, 4)
PLAIN = {"taker": "2", "contract": "10", "trump": "s", "points": "104", "last_trick": "+"}
FACTS = {"taker": 1, "contract": 100, "trump": "spades", "points": 104, "last_trick": "attack"}


def test_a_plain_deal_has_eight_keys() -> None:
    assert row.parse(PLAIN, SEATS) == (FACTS, {})
    assert row.format_cells(FACTS, SEATS, "shdcnas") == {**PLAIN, "extras": ""}
    assert len("".join(PLAIN.values())) == 8
    columns = {column.name: column for column in GAME.row.columns(4)}
    assert all(re.fullmatch(columns[name].complete_pattern, text) for name, text in PLAIN.items()), (
        "the cursor moves on by itself"
    )
    assert row.parse({"taker": "0"}, SEATS).facts == {"taker": None}


@pytest.mark.parametrize(
    ("code", "contract"),
    [("08", 80), ("8", 80), ("09", 90), ("10", 100), ("18", 180), ("c", "capot"), ("C", "capot"), ("g", "generale")],
)
def test_contracts(code: str, contract: int | str) -> None:
    facts = row.parse({**PLAIN, "contract": code}, SEATS).facts
    assert facts is not None
    assert facts["contract"] == contract


@pytest.mark.parametrize(
    ("letters", "trump"),
    [("sp", "spades"), ("h", "hearts"), ("dk", "diamonds"), ("ct", "clubs"), ("n", "no_trump"), ("a", "all_trumps")],
)
def test_suits_in_both_languages(letters: str, trump: str) -> None:
    for letter in (*letters, *letters.upper()):
        facts = row.parse({**PLAIN, "trump": letter}, SEATS).facts
        assert facts is not None
        assert facts["trump"] == trump


@pytest.mark.parametrize(
    ("extras", "expected"),
    [
        ("x", {"double": "double"}),
        ("xx", {"double": "redouble"}),
        ("x b+", {"double": "double", "belotes": {"attack": 1}}),
        ("b2+b1−", {"belotes": {"attack": 2, "defence": 1}}),
        ("a50-", {"announcements": {"defence": 50}}),
        ("xxb-a100+s*", {
            "double": "redouble",
            "belotes": {"defence": 1},
            "announcements": {"attack": 100},
            "all_tricks": "taker",
        }),
        ("c-", {"all_tricks": "defence"}),
    ],
)  # fmt: skip
def test_extras(extras: str, expected: dict[str, Any]) -> None:
    assert row.parse({**PLAIN, "extras": extras}, SEATS).facts == {**FACTS, **expected}


@pytest.mark.parametrize(
    ("changes", "cell", "code"),
    [
        ({"taker": "5"}, "taker", "no_such_seat"),
        ({"contract": "7"}, "contract", "unknown_code"),
        ({"contract": "1"}, "contract", "unknown_code"),
        ({"contract": ""}, "contract", "missing"),
        ({"trump": "x"}, "trump", "unknown_code"),
        ({"points": "x"}, "points", "unknown_number"),
        ({"last_trick": "?"}, "last_trick", "unknown_code"),
        ({"extras": "b"}, "extras", "unknown_code"),
        ({"extras": "b+b+"}, "extras", "code_twice"),
        ({"extras": "xbx"}, "extras", "unknown_code"),
        ({"extras": "xb+x"}, "extras", "code_twice"),
        ({"extras": "xxx"}, "extras", "code_twice"),
        ({"taker": "0"}, "points", "not_asked"),
        ({"last_trick": ""}, "last_trick", "missing"),
    ],
)
def test_unreadable_codes_are_marked_in_their_cell(changes: dict[str, str], cell: str, code: str) -> None:
    assert row.parse({**PLAIN, **changes}, SEATS).problems[cell].code == code


def test_columns_explain_announcements_only_where_they_are_played() -> None:
    row_laws.check_columns(GAME, 4)
    game = GAME.with_house_rules({"announcements": True})
    row_laws.check_columns(game, 4)
    assert set(game.row.legend(4)) - set(GAME.row.legend(4)) == {row.ANNOUNCEMENTS_LEGEND}


def test_vectors_survive_the_cells_in_both_languages() -> None:
    for vector in VECTORS:
        row_laws.check_round_trip(GAME, vector["request"]["facts"], SEATS)
        row_laws.check_round_trip(GAME, vector["request"]["facts"], SEATS, "phktnac")


@settings(deadline=None)
@given(deals_with_options())
def test_any_facts_survive_the_cells(deal: tuple[laws.Facts, dict[str, Any]]) -> None:
    row_laws.check_round_trip(GAME, deal[0], SEATS)


@settings(max_examples=examples(40), deadline=None)
@given(st.integers(0, 2**32))
def test_played_deals_survive_the_cells(seed: int) -> None:
    facts = play.play(Random(seed), 4, [0.5] * 4, {"announcements": True}).facts
    row_laws.check_round_trip(GAME, facts, SEATS)


@given(
    st.dictionaries(
        st.sampled_from(("taker", "contract", "trump", "points", "last_trick", "extras")),
        st.text("0189+-*bsxcga x½", max_size=5),
    )
)
def test_any_text_is_read_or_refused(cells: dict[str, str]) -> None:
    row_laws.check_any_text(GAME, cells, SEATS)


def test_words_of_spreadsheets_are_codes_of_the_row() -> None:
    spreadsheet_laws.check_spreadsheet(GAME)
