"""The laws of forms try facts that a game's own examples may never have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.tests.form_laws import with_nulls
from scoring.totals.game import GAME


def read(seats: int, facts: object) -> tuple[object, ...]:
    """`knocked` may be null, `bid` may be left out only, and each of the `hands` has an optional `slam`."""
    values = reading.checked_object(facts, "facts", frozenset({"hands"}), frozenset({"hands", "knocked", "bid"}))
    if "bid" in values and values["bid"] is None:
        raise IllegalDeal("bid", "missing")
    hands: list[Mapping[str, Any]] = [
        reading.checked_object(hand, f"hands.{index}", frozenset(), frozenset({"slam"}))
        for index, hand in enumerate(values["hands"])
    ]
    return values.get("knocked"), values.get("bid"), *(hand.get("slam") for hand in hands)


def test_left_out_facts_are_null_where_the_rules_accept_it() -> None:
    """Without this the law of round trips would pass with nothing tried."""
    facts: dict[str, Any] = {"hands": [{}, {"slam": True}]}
    filled = with_nulls(replace(GAME.rules, read=read), 4, facts)
    assert filled == {"hands": [{"slam": None}, {"slam": True}], "knocked": None}
    assert facts == {"hands": [{}, {"slam": True}]}
