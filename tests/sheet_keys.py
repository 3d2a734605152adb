"""Paper sheets as data, and the keys that enter their deals as the legend beside the grid tells them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

SHEETS = tomllib.loads(Path(__file__).with_name("sheets.toml").read_text(encoding="utf-8"))
CONTRACTS = {"take": "t", "guard": "g", "guard_without": "w", "guard_against": "a"}
SIZES = {"simple": "h", "double": "d", "triple": "t"}
SIDES = {"attack": "+", "defence": "-"}
OUDLERS = {"21": "t", "excuse": "e", "small": "s"}


def keys(facts: Mapping[str, Any], seats: int) -> Iterator[str]:
    """The keys of a deal, the one that records it last."""
    if facts["contract"] == "passed":
        yield from ("x", "Enter")
        return
    if facts["contract"] == "one_for_one":
        yield from _keys_of_piles(facts)
        return
    yield from (str(facts["taker"] + 1), CONTRACTS[facts["contract"]])
    if seats == 5:
        yield str(facts["partner"] + 1) if "partner" in facts else "0"
    yield str(facts["oudlers"])
    yield from f"{facts['points']:g}"
    yield from SIDES.get(facts.get("small_last", ""), "")
    for shown in facts.get("handfuls", []):
        yield SIZES[shown["size"]]
        if shown["seat"] != facts["taker"]:
            yield str(shown["seat"] + 1)
    yield from "a" if facts.get("slam_announced") else ""
    yield from f"s{SIDES[facts['slam']]}" if "slam" in facts else ""
    yield "Enter"


def _keys_of_piles(facts: Mapping[str, Any]) -> Iterator[str]:
    """The keys of a deal one for one at four seats; Tab only where another digit could belong to the number."""
    yield from ("o", *f"{facts['dog_points']:g}", "Tab")
    for pile in facts["piles"]:
        points, oudlers, tricks = (
            f"{pile['points']:g}",
            [OUDLERS[each] for each in pile["oudlers"]],
            str(pile["tricks"]),
        )
        yield from (*points, *oudlers)
        if len(points) == 1 and not oudlers:
            yield "Tab"
        yield from tricks
        if tricks == "1" and pile is not facts["piles"][-1]:
            yield "Tab"
    yield "Enter"
