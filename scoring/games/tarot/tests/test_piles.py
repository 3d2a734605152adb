"""The piles are read in one go where they are as usual, and one by one otherwise: with one result."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.games.tarot import piles
from scoring.games.tarot.tests.strategies import DealRequest, one_for_one_deals
from scoring.rules.errors import IllegalDeal
from scoring.tests import laws


def outcome(read: Any, value: object, number: int) -> object:
    """Return the value, or the refusal."""
    try:
        return read(value, number)
    except IllegalDeal as error:
        return error.field, error.code, dict(error.params)


@given(one_for_one_deals(), st.data())
def test_in_one_go_is_as_read_each(deal: DealRequest, data: st.DataObject) -> None:
    raw_piles = deal.facts["piles"]
    for value in (raw_piles, data.draw(laws.mutated(st.just({"piles": raw_piles})))):
        value = value if isinstance(value, list) else value.get("piles")
        assert outcome(piles.read, value, len(raw_piles)) == outcome(piles._read_each_value, value, len(raw_piles))


def usual() -> list[dict[str, Any]]:
    """Three piles of 24 tricks in all, the last without one."""
    return [pile(40.0, ["21"], 12, 2), pile(45, [], 12, 1), pile(0, [], 0, None, kings=0)]


def pile(points: float, oudlers: list[str], tricks: int, first: int | None, *, kings: int = 1) -> dict[str, Any]:
    characters = {"kings": kings, "queens": 0, "knights": 0, "jacks": 0}
    return {"points": points, "oudlers": oudlers, "tricks": tricks, "characters": characters, "first_trick": first}


def test_the_read_fast_piles_are_read_in_one_go() -> None:
    assert piles._read_fast(usual()) == piles._read_each_value(usual(), 3)


@pytest.mark.parametrize(
    ("index", "name", "value", "code"),
    [
        (0, "points", True, "not_half"),
        (0, "points", -0.5, "too_small"),
        (0, "points", [], "not_half"),
        (0, "oudlers", {"21": 1}, "not_a_list"),
        (0, "oudlers", "21", "not_a_list"),
        (0, "oudlers", [["21"]], "unknown_word"),
        (0, "oudlers", ["21", "21"], "oudler_twice"),
        (1, "oudlers", ["21"], "oudler_twice"),
        (0, "tricks", True, "not_whole"),
        (0, "tricks", 12.0, "not_whole"),
        (0, "tricks", -1, "too_small"),
        (0, "first_trick", True, "not_whole"),
        (0, "first_trick", -1, "too_small"),
        (0, "first_trick", 1, "first_trick_twice"),
        (2, "first_trick", 1, "first_without_trick"),
        (2, "points", 4.5, "points_without_trick"),
        (0, "characters", {"kings": True, "queens": 0, "knights": 0, "jacks": 0}, "not_whole"),
        (0, "characters", {"kings": -1, "queens": 0, "knights": 0, "jacks": 0}, "too_small"),
        (1, "characters", {"kings": 4, "queens": 0, "knights": 0, "jacks": 0}, "too_many_characters"),
        (0, "characters", {"kings": 1, "queens": 0, "knights": 0, "jacks": 0, "aces": 0}, "unknown_key"),
        (0, "characters", {"kings": 1, "queens": 0, "knights": 0}, "missing"),
        (0, "aces", 1, "unknown_key"),
    ],
)
def test_a_slip_in_read_fast_piles_is_refused(index: int, name: str, value: object, code: str) -> None:
    raw_piles = usual()
    raw_piles[index][name] = value
    with pytest.raises(IllegalDeal, match=code) as refused:
        piles.read(raw_piles, 3)
    assert refused.value.field.startswith("piles.")


def test_the_first_slip_is_named_whichever_would_be_seen_first() -> None:
    raw_piles = usual()
    raw_piles[0]["oudlers"] = raw_piles[1]["oudlers"] = ["small"]
    raw_piles[2]["tricks"] = "none"
    with pytest.raises(IllegalDeal, match="oudler_twice") as refused:
        piles.read(raw_piles, 3)
    assert refused.value.field == "piles.1.oudlers"
