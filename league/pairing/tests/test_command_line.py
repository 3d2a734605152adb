"""`python -m league.pairing` answers every line; an error names its field."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league.pairing.__main__ import answer, main
from league.pairing.tests.test_properties import pair_requests, tournaments
from league.pairing.tests.test_vectors import parsed_answer
from league.standings.tests.test_command_line import HOSTILE
from scoring.tests import laws

ROOT = Path(__file__).parent.parent.parent.parent
FIELD = re.compile(r"(\w+(\.\w+)*)?")

RANK: dict[str, Any] = {"do": "rank", "units": ["u1", "u2", "u3"], "rounds": []}
PAIR: dict[str, Any] = {"do": "pair", "method": "ranking", "units": ["u1", "u2", "u3"]}
MATCH_POINTS = {"by": "match_points", "win": 3, "draw": 2, "loss": 1, "forfeit_win": 2, "forfeit": 0}


def with_rules(**rules: Any) -> dict[str, Any]:
    return {**RANK, "rules": rules}


def with_sides(*sides: Any, **round_: Any) -> dict[str, Any]:
    return {**RANK, "rounds": [{"tables": [{"sides": list(sides)}], **round_}]}


def side(unit: str, points: int | None = 10, **keys: Any) -> dict[str, Any]:
    return {"unit": unit, **({} if points is None else {"points": points}), **keys}


REFUSED: list[tuple[Any, str]] = [
    ([], ""),
    ({}, "do"),
    ({**RANK, "do": "draw"}, "do"),
    ({**RANK, "do": None}, "do"),
    ({**RANK, "seed": 1}, "seed"),
    ({"do": "rank", "units": []}, "rounds"),
    ({"do": "rank", "rounds": []}, "units"),
    ({**RANK, "units": ["u1", "u1"]}, "units"),
    ({**RANK, "units": ["u1", 2]}, "units.1"),
    ({**RANK, "units": ["u1", None]}, "units.1"),
    (with_rules(ranking="points"), "rules.ranking"),
    (with_rules(ranking={"by": "luck"}), "rules.ranking.by"),
    (with_rules(ranking={"by": "wins", "win": 3}), "rules.ranking.win"),
    *[
        (
            with_rules(ranking={key: value for key, value in MATCH_POINTS.items() if key != name}),
            f"rules.ranking.{name}",
        )
        for name in MATCH_POINTS
    ],
    (with_rules(ranking={**MATCH_POINTS, "loss": -1}), "rules.ranking.loss"),
    (with_rules(cap=-1), "rules.cap"),
    (with_rules(cap=None), "rules.cap"),
    (with_rules(forfeit_points="0"), "rules.forfeit_points"),
    (with_rules(exempt={"points": 972}), "rules.exempt.win"),
    (with_rules(exempt={"win": True}), "rules.exempt.points"),
    (with_rules(exempt={"points": 972, "mean": True, "win": True}), "rules.exempt.points"),
    (with_rules(exempt={"mean": False, "win": True}), "rules.exempt.mean"),
    (with_rules(ties=["points", "points"]), "rules.ties"),
    (with_rules(ties=["lot"]), "rules.ties"),
    ({**RANK, "rounds": [{"exempt": ["u1"]}]}, "rules.exempt"),
    ({**RANK, "rounds": [{"exempt": ["u9"]}]}, "rounds.0.exempt.0"),
    ({**RANK, "rounds": {}}, "rounds"),
    (with_sides(side("u1")), "rounds.0.tables.0.sides"),
    (with_sides(side("u1"), side("u9")), "rounds.0.tables.0.sides.1.unit"),
    (with_sides(side("u1"), side("u1")), "rounds.0"),
    (with_sides(side("u1"), side("u2"), exempt=["u2"]), "rounds.0"),
    (with_sides(side("u1"), side("u2", None)), "rounds.0.tables.0.sides.1.points"),
    (with_sides(side("u1"), side("u2", None, forfeit=True)), "rounds.0.tables.0.sides.0.points"),
    (with_sides(side("u1", None), side("u2", 5, forfeit=True)), "rounds.0.tables.0.sides.1.points"),
    (with_sides(side("u1", None), side("u2", None, forfeit=1)), "rounds.0.tables.0.sides.1.forfeit"),
    (with_sides(side("u1"), {"unit": "u2", "points": 1.5}), "rounds.0.tables.0.sides.1.points"),
    ({**PAIR, "method": "swiss"}, "method"),
    ({"do": "pair", "units": []}, "method"),
    ({**PAIR, "round": 1}, "round"),
    ({**PAIR, "rounds": []}, "rounds"),
    ({**PAIR, "seed": -1}, "seed"),
    ({**PAIR, "units": ["u1", None]}, "units.1"),
    ({**PAIR, "met": [["u1"]]}, "met.0"),
    ({**PAIR, "met": [["u1", "u9"]]}, "met"),
    ({**PAIR, "separated": [["u1", "u1"]]}, "separated"),
    ({**PAIR, "rested": ["u9"]}, "rested"),
    ({**PAIR, "method": "movement"}, "round"),
    ({**PAIR, "method": "movement", "round": 0}, "round"),
    ({**PAIR, "method": "movement", "round": 1, "units": ["u1", "u1"]}, "units"),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_errors_name_their_field(number: int) -> None:
    request, field = REFUSED[number]
    error = parsed_answer(request)["error"]
    assert error["field"] == field
    assert error["message"].strip()


def mutated() -> st.SearchStrategy[Any]:
    return laws.mutated(tournaments() | pair_requests())


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(mutated() | laws.json_values())
def test_any_json_is_answered_or_refused_on_a_field(request: Any) -> None:
    parsed = parsed_answer(request)
    if "error" in parsed:
        assert FIELD.fullmatch(parsed["error"]["field"])
        assert len(parsed["error"]["message"]) < 300
    else:
        assert "rows" in parsed or "tables" in parsed


def test_the_command_answers_every_hostile_line_in_order_and_ends_well() -> None:
    usual = json.dumps(PAIR).encode()
    lines = [line for hostile in HOSTILE.values() for line in (hostile, usual) if b"\n" not in hostile]
    command = [sys.executable, "-m", "league.pairing"]
    process = subprocess.run(command, input=b"\n".join(lines), capture_output=True, cwd=ROOT, check=False, timeout=60)
    assert (process.returncode, process.stderr) == (0, b"")
    answers = process.stdout.splitlines(keepends=True)
    assert len(answers) == len(lines)
    for line, received in zip(lines, answers, strict=True):
        assert (b'"error"' in received) == (line != usual)
        assert received == answer(line)


def test_the_examples_of_the_help_are_true(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    requests = re.findall(r'^  (\{"do".*?\})$\n  (?:\{"rows"|\{"tables")', text, re.MULTILINE | re.DOTALL)
    assert len(requests) == 2
    ranking, pairing = (json.loads(request) for request in requests)
    assert [row["unit"] for row in parsed_answer(ranking)["rows"]] == ["u1", "u2"]
    assert json.dumps(parsed_answer(pairing)) in text
