"""133 seasons with their rows and 15 refusals with their fields, computed by an independent implementation."""

import json
from pathlib import Path
from typing import Any

import pytest

from league.standings.__main__ import answer
from league.standings.tests import naive

LINES = (Path(__file__).parent / "vectors/seasons.jsonl").read_text(encoding="utf-8").splitlines()
VECTORS = [json.loads(line) for line in LINES]
SEASONS = [vector for vector in VECTORS if "answer" in vector]
REFUSALS = [vector for vector in VECTORS if "field" in vector]


def parsed_answer(request: Any) -> Any:
    return json.loads(answer(json.dumps(request).encode()))


def test_no_vector_is_missing() -> None:
    assert (len(SEASONS), len(REFUSALS)) == (133, 15)


@pytest.mark.parametrize("number", range(len(SEASONS)))
def test_season_has_its_rows(number: int) -> None:
    assert parsed_answer(SEASONS[number]["request"]) == SEASONS[number]["answer"]


@pytest.mark.parametrize("number", range(len(SEASONS)))
def test_brute_force_has_the_same_rows(number: int) -> None:
    assert naive.answer(SEASONS[number]["request"]) == SEASONS[number]["answer"]["rows"]


@pytest.mark.parametrize("number", range(len(REFUSALS)))
def test_refusal_names_its_field(number: int) -> None:
    error = parsed_answer(REFUSALS[number]["request"])["error"]
    assert error["field"] == REFUSALS[number]["field"]
    assert error["message"].strip()
