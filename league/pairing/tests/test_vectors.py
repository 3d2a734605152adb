"""300 requests with their answers, computed by an independent implementation."""

import json
from pathlib import Path
from typing import Any

import pytest

from league.pairing.__main__ import answer

LINES = (Path(__file__).parent / "vectors/tournaments.jsonl").read_text(encoding="utf-8").splitlines()
VECTORS = [json.loads(line) for line in LINES]
EXACT = [vector for vector in VECTORS if "answer" in vector]
PAIRINGS = [vector for vector in VECTORS if "least" in vector]


def parsed_answer(request: Any) -> Any:
    return json.loads(answer(json.dumps(request).encode()))


def cost_of(request: dict[str, Any], tables: list[list[str]]) -> list[int]:
    """Return [separated pairs, rematches, squares]; the squares of a draw by lot are 0."""
    ranks = {unit: index for index, unit in enumerate(request["units"])}
    separated, meetings = ({frozenset(pair) for pair in request.get(name, ())} for name in ("separated", "met"))
    return [
        sum(frozenset(table) in separated for table in tables),
        sum(frozenset(table) in meetings for table in tables),
        sum((ranks[first] - ranks[second]) ** 2 for first, second in tables) if request["method"] == "ranking" else 0,
    ]


def test_no_vector_is_missing() -> None:
    assert (len(EXACT), len(PAIRINGS)) == (180, 120)


@pytest.mark.parametrize("number", range(len(EXACT)))
def test_ranking_or_movement_is_the_answer(number: int) -> None:
    assert parsed_answer(EXACT[number]["request"]) == EXACT[number]["answer"]


@pytest.mark.parametrize("number", range(len(PAIRINGS)))
def test_pairing_has_the_least_cost(number: int) -> None:
    request = PAIRINGS[number]["request"]
    pairing = parsed_answer(request)
    least_costs = {solution["rests"]: solution["cost"] for solution in PAIRINGS[number]["least"]}
    cost = cost_of(request, pairing["tables"])
    assert cost == least_costs[pairing["rests"]]
    assert pairing["rematches"] == cost[1]
