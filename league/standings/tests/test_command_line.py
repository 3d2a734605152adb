"""`python -m league.standings` answers every line; an error names its field."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.standings import counted_evenings, extras, minimum, tie_breaks, worth
from league.standings.__main__ import answer, main
from league.standings.tests import seasons
from scoring.json_lines import MAX_DIGITS
from scoring.tests import laws

ROOT = Path(__file__).parent.parent.parent.parent
COMMAND = [sys.executable, "-m", "league.standings"]

RESULT: dict[str, Any] = {"player": "Ann", "points": 10}
EVENING: dict[str, Any] = {"id": "e1", "date": "2026-09-08", "results": [RESULT]}
USUAL: dict[str, Any] = {"evenings": [EVENING]}
TABLE = {"opponents": 3, "before": 1, "level": 1}
FIELD = re.compile(r"((rules|evenings|adjustments)(\.\w+)*)?")

HOSTILE: dict[str, bytes] = {
    "blank": b"",
    "spaces": b"  \t ",
    "not UTF-8": b'{"evenings": "\xff"}',
    "UTF-16": '{"evenings": []}'.encode("utf-16-le"),
    "a surrogate in UTF-8": b'{"evenings": "\xed\xa0\x80"}',
    "a byte order mark": b'\xef\xbb\xbf{"evenings": []}',
    "NUL": b"\x00",
    "NUL in a word": b'{"evenings": "\x00"}',
    "NaN": b'{"evenings": NaN}',
    "infinity": b'{"evenings": [], "rules": {"attendance": -Infinity}}',
    "1e400": b'{"evenings": [], "rules": {"attendance": 1e400}}',
    "5,000 digits": b'{"evenings": [], "rules": {"attendance": ' + b"9" * 5000 + b"}}",
    "100,000 brackets": b"[" * 100_000,
    "100,000 objects": b'{"a":' * 100_000,
    "100,000 pairs": b"[" * 100_000 + b"]" * 100_000,
    "a lone surrogate as a key": b'{"\\ud800": 1, "evenings": []}',
    "a lone surrogate as a word": b'{"evenings": [], "rules": {"ties": ["\\udc80"]}}',
    "half a line": b'{"evenings": [',
    "two values": b'{"evenings": []} {}',
    "a list": b"[]",
    "a word": b'"evenings"',
    "a long word": b'"' + b"x" * 300_000 + b'"',
}


def parsed_answer(line: bytes) -> dict[str, Any]:
    """Return an answer after its way through JSON, checked for its shape."""
    text = answer(line)
    assert text.endswith(b"\n")
    assert text.count(b"\n") == 1
    parsed: dict[str, Any] = json.loads(text.decode("utf-8"))
    if "error" in parsed:
        assert set(parsed) == {"error"}
        assert set(parsed["error"]) == {"field", "message"}
        assert parsed["error"]["message"].strip()
        unknown = "unknown here" in parsed["error"]["message"] or "more than once" in parsed["error"]["message"]
        assert unknown or FIELD.fullmatch(parsed["error"]["field"]), parsed
    else:
        assert set(parsed) == {"rows"}
    return parsed


def error_of(request: Any) -> dict[str, str]:
    parsed: dict[str, str] = parsed_answer(json.dumps(request).encode())["error"]
    return parsed


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_lines_are_answered_with_an_error(name: str) -> None:
    assert "error" in parsed_answer(HOSTILE[name])


@pytest.mark.parametrize("name", ["blank", "spaces", "not UTF-8", "NaN", "5,000 digits", "half a line", "a list"])
def test_a_line_without_a_request_is_an_error_without_field(name: str) -> None:
    assert parsed_answer(HOSTILE[name])["error"]["field"] == ""


@given(st.binary(max_size=200))
def test_any_bytes_are_answered(line: bytes) -> None:
    parsed_answer(line.replace(b"\n", b""))


@given(laws.json_values())
def test_any_json_is_answered(request: Any) -> None:
    parsed_answer(json.dumps(request).encode())


@given(laws.json_values(), st.sampled_from(["rules", "evenings", "adjustments"]))
def test_any_json_in_its_place_is_answered(value: Any, key: str) -> None:
    parsed_answer(json.dumps({**USUAL, key: value}).encode())


@given(laws.mutated(seasons.requests()))
def test_any_slip_in_a_request_is_answered(request: Any) -> None:
    parsed_answer(json.dumps(request).encode())


@given(seasons.requests(), st.integers(0, 400), st.binary(max_size=3))
def test_any_damaged_line_is_answered(request: Any, place: int, damage: bytes) -> None:
    line = json.dumps(request).encode()
    parsed_answer((line[:place] + damage + line[place + len(damage) :]).replace(b"\n", b""))


def with_rules(**rules: Any) -> dict[str, Any]:
    return {**USUAL, "rules": rules}


def with_result(**fields: Any) -> dict[str, Any]:
    return {"evenings": [{**EVENING, "results": [{**RESULT, **fields}]}]}


def with_table(**fields: Any) -> dict[str, Any]:
    return with_result(tables=[TABLE, {**TABLE, **fields}])


def with_evening(**fields: Any) -> dict[str, Any]:
    return {"evenings": [{**EVENING, "id": "e0"}, {**EVENING, **fields}]}


def without(value: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: item for name, item in value.items() if name != key}


PLACES = {"by": "places", "points": [3]}
WINS = {"by": "wins", "win": 4, "loss": 2, "exempt": 3}
DROP = {"which": "drop", "each": 1, "after": 0}
REFUSED: list[tuple[Any, str]] = [
    # the request
    ({}, "evenings"),
    ({"evenings": None}, "evenings"),
    ({"evenings": {}}, "evenings"),
    ({**USUAL, "rules": None}, "rules"),
    ({**USUAL, "rules": []}, "rules"),
    ({**USUAL, "colour": 1}, "colour"),
    ({**USUAL, "a b": 1}, ""),
    ({**USUAL, "x" * 100: 1}, ""),
    (with_rules(**{"a b": 1}), "rules"),
    # worth
    (with_rules(worth="points"), "rules.worth"),
    (with_rules(worth={}), "rules.worth.by"),
    (with_rules(worth={"by": None}), "rules.worth.by"),
    (with_rules(worth={"by": ["points"]}), "rules.worth.by"),
    (with_rules(worth={"by": "point"}), "rules.worth.by"),
    (with_rules(worth={"by": "points", "points": [1]}), "rules.worth.points"),
    (with_rules(worth={"by": "average", "win": 1}), "rules.worth.win"),
    (with_rules(worth=without(PLACES, "points")), "rules.worth.points"),
    (with_rules(worth={**PLACES, "points": []}), "rules.worth.points"),
    (with_rules(worth={**PLACES, "points": 3}), "rules.worth.points"),
    (with_rules(worth={**PLACES, "points": [3, -1]}), "rules.worth.points"),
    (with_rules(worth={**PLACES, "points": [3, True]}), "rules.worth.points"),
    (with_rules(worth={**PLACES, "rest": 1.0}), "rules.worth.rest"),
    (with_rules(worth={**PLACES, "rest": None}), "rules.worth.rest"),
    (with_rules(worth={**PLACES, "among": "guests"}), "rules.worth.among"),
    (with_rules(worth={**PLACES, "shared": True}), "rules.worth.shared"),
    *[(with_rules(worth=without(WINS, key)), f"rules.worth.{key}") for key in ("win", "loss", "exempt")],
    (with_rules(worth={**WINS, "win": "4"}), "rules.worth.win"),
    (with_rules(worth={**WINS, "plus_points": 1}), "rules.worth.plus_points"),
    # counts
    (with_rules(counts={}), "rules.counts.which"),
    (with_rules(counts={"final": True}), "rules.counts.which"),
    (with_rules(counts={"which": 1}), "rules.counts.which"),
    (with_rules(counts={"which": "all", "n": 1}), "rules.counts.n"),
    (with_rules(counts={"which": "all", "final": 1}), "rules.counts.final"),
    (with_rules(counts={"which": "best"}), "rules.counts.n"),
    (with_rules(counts={"which": "best", "n": 0}), "rules.counts.n"),
    (with_rules(counts={"which": "average", "n": 0}), "rules.counts.n"),
    (with_rules(counts={"which": "average", "n": None}), "rules.counts.n"),
    (with_rules(counts={"which": "best", "n": True}), "rules.counts.n"),
    *[(with_rules(counts=without(DROP, key)), f"rules.counts.{key}") for key in ("each", "after")],
    (with_rules(counts={**DROP, "each": 0}), "rules.counts.each"),
    (with_rules(counts={**DROP, "after": -1}), "rules.counts.after"),
    # minimum
    (with_rules(minimum=8), "rules.minimum"),
    (with_rules(minimum={"evenings": -1}), "rules.minimum.evenings"),
    (with_rules(minimum={"share": [8]}), "rules.minimum.share"),
    (with_rules(minimum={"share": [8, 12, 1]}), "rules.minimum.share"),
    (with_rules(minimum={"share": [0, 12]}), "rules.minimum.share"),
    (with_rules(minimum={"share": [8, 7]}), "rules.minimum.share"),
    (with_rules(minimum={"share": "8/12"}), "rules.minimum.share"),
    (with_rules(minimum={"share": [8, 12], "evenings": 8}), "rules.minimum.share"),
    (with_rules(minimum={"partners": 2}), "rules.minimum.partners"),
    (with_rules(partners=0), "rules.partners"),
    (with_rules(rests=0), "rules.rests"),
    # on top, and ties
    (with_rules(attendance=-1), "rules.attendance"),
    (with_rules(attendance="1"), "rules.attendance"),
    (with_rules(ties="wins"), "rules.ties"),
    (with_rules(ties=[["wins"]]), "rules.ties"),
    (with_rules(ties=["wins", "average", "wins"]), "rules.ties"),
    # evenings
    ({"evenings": [3]}, "evenings.0"),
    *[({"evenings": [without(EVENING, key)]}, f"evenings.0.{key}") for key in ("id", "date", "results")],
    (with_evening(id=1), "evenings.1.id"),
    (with_evening(id="e0"), "evenings"),
    (with_evening(date=20260908), "evenings.1.date"),
    (with_evening(date="8/9/2026"), "evenings.1.date"),
    (with_evening(date="2026-02-30"), "evenings.1.date"),
    (with_evening(date="20260908"), "evenings.1.date"),
    (with_evening(weight=-1), "evenings.1.weight"),
    (with_evening(weight=1.5), "evenings.1.weight"),
    (with_evening(weight=None), "evenings.1.weight"),
    (with_evening(final="yes"), "evenings.1.final"),
    (with_evening(results={}), "evenings.1.results"),
    (with_evening(place="hall"), "evenings.1.place"),
    ({"evenings": [{**EVENING, "final": True}, {**EVENING, "id": "e2", "final": True}]}, "evenings"),
    # results
    (with_evening(results=[RESULT, "Bea"]), "evenings.1.results.1"),
    (with_evening(results=[RESULT, RESULT]), "evenings.1.results.1.player"),
    (with_evening(results=[without(RESULT, "player")]), "evenings.1.results.0.player"),
    (with_evening(results=[without(RESULT, "points")]), "evenings.1.results.0.points"),
    (with_result(player=1), "evenings.0.results.0.player"),
    (with_result(points=1.0), "evenings.0.results.0.points"),
    (with_result(points=True), "evenings.0.results.0.points"),
    *[(with_result(**{key: -1}), f"evenings.0.results.0.{key}") for key in ("deals", "won", "lost", "exempt")],
    *[(with_result(**{key: False}), f"evenings.0.results.0.{key}") for key in ("deals", "won", "lost", "exempt")],
    *[(with_result(**{key: 1}), f"evenings.0.results.0.{key}") for key in ("member", "left", "tables", "rests")],
    (with_result(tables={}), "evenings.0.results.0.tables"),
    (with_result(tables=[3]), "evenings.0.results.0.tables.0"),
    *[(with_result(tables=[without(TABLE, key)]), f"evenings.0.results.0.tables.0.{key}") for key in TABLE],
    *[(with_table(**{key: -1}), f"evenings.0.results.0.tables.1.{key}") for key in TABLE],
    (with_table(opponents=0), "evenings.0.results.0.tables.1.opponents"),
    (with_table(before=3), "evenings.0.results.0.tables.1"),
    (with_table(seat=3), "evenings.0.results.0.tables.1.seat"),
    # adjustments
    ({**USUAL, "adjustments": {}}, "adjustments"),
    ({**USUAL, "adjustments": [{"player": "Ann"}]}, "adjustments.0.points"),
    ({**USUAL, "adjustments": [{"points": 1}]}, "adjustments.0.player"),
    ({**USUAL, "adjustments": [{"player": "Ann", "points": 1, "date": "2026-09-08"}]}, "adjustments.0.date"),
]


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_errors_name_their_field(number: int) -> None:
    request, field = REFUSED[number]
    assert error_of(request)["field"] == field


@pytest.mark.parametrize(
    ("line", "field"),
    [
        (b'{"evenings": [], "evenings": []}', "evenings"),
        (b'{"evenings": [], "rules": {"counts": {"which": "best", "n": 1, "n": 2}}}', "rules.counts.n"),
        (b'{"evenings": [{"id": "a", "id": "b", "date": "2026-09-08", "results": []}]}', "evenings.0.id"),
        (b'{"evenings": [], "rules": {"a b": 1, "a b": 2}}', "rules"),
        (b'{"a b": 1, "a b": 2, "evenings": []}', ""),
        (b'{"evenings": [], "adjustments": [{"player": ":", "points": 1, "points": 1}]}', "adjustments.0.points"),
    ],
)
def test_repeated_keys_are_refused_on_their_field(line: bytes, field: str) -> None:
    assert parsed_answer(line)["error"]["field"] == field


@pytest.mark.parametrize("sent", ["x" * 500, [["x"] * 70] * 70, {"x" * 500: 1}, -(10**500)])
def test_messages_repeat_at_most_80_characters_of_a_value(sent: Any) -> None:
    for request in (with_rules(worth=sent), with_rules(ties=[sent]), with_evening(weight=sent)):
        assert len(error_of(request)["message"]) < 300


def test_missing_keys_have_their_defaults() -> None:
    explicit = {
        "rules": {
            "worth": {"by": "points"},
            "counts": {"which": "all", "final": False},
            "minimum": {},
            "attendance": 0,
            "ties": [],
        },
        "evenings": [
            {
                **EVENING,
                "weight": 1,
                "final": False,
                "results": [
                    {
                        **RESULT,
                        "deals": 0,
                        "member": True,
                        "left": False,
                        "won": 0,
                        "lost": 0,
                        "exempt": 0,
                        "tables": [],
                    }
                ],
            }
        ],
        "adjustments": [],
    }
    assert answer(json.dumps(explicit).encode()) == answer(json.dumps(USUAL).encode())
    assert parsed_answer(json.dumps(USUAL).encode())["rows"] == [
        {
            "player": "Ann",
            "rank": 1,
            "total": 10,
            "evenings": 1,
            "counted": ["e1"],
            "dropped": [],
            "worth": {"e1": 10},
            "attendance": 0,
            "adjustment": 0,
            "tie_break": "",
            "missing": 0,
        }
    ]


def test_names_are_given_back_as_they_came() -> None:
    for player in ("", "Zoé ♠", '"', "\ud800", "\n", "a:b"):
        line = json.dumps(with_result(player=player)).encode()
        assert parsed_answer(line)["rows"][0]["player"] == player


def test_numbers_that_answers_can_not_hold_are_refused_as_such() -> None:
    largest = 10 ** (MAX_DIGITS - 1)
    weighty = with_result(points=largest)
    assert "rows" in parsed_answer(json.dumps(weighty).encode())
    weighty["evenings"][0]["weight"] = largest
    assert error_of(weighty)["field"] == ""
    several = [{"player": str(number), "points": 1, "deals": 3**number + 1} for number in range(200)]
    average = {"rules": {"worth": {"by": "average"}}, "evenings": [{**EVENING, "results": several}]}
    assert error_of(average)["field"] == ""


def test_the_command_answers_every_hostile_line_in_order_and_ends_well() -> None:
    usual = json.dumps(USUAL).encode()
    lines = [line for hostile in HOSTILE.values() for line in (hostile, usual) if b"\n" not in hostile]
    process = subprocess.run(COMMAND, input=b"\n".join(lines), capture_output=True, cwd=ROOT, check=False, timeout=60)
    assert process.returncode == 0
    assert process.stderr == b""
    answers = process.stdout.splitlines(keepends=True)
    assert len(answers) == len(lines)
    for line, received in zip(lines, answers, strict=True):
        assert (received == answer(usual)) == (line == usual)


def test_a_closed_output_ends_it_quietly() -> None:
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        process.stdin.write(json.dumps(USUAL).encode() + b"\n")
        process.stdin.close()
        assert process.wait(timeout=20) == 1
        assert process.stderr.read() == b""


def test_help_names_every_rule_and_its_example_works(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0
    text = capsys.readouterr().out
    kinds = (
        worth.WORTH_RULES,
        counted_evenings.COUNTED_EVENINGS_RULES,
        minimum.MINIMUM_RULES,
        extras.EXTRAS,
        tie_breaks.TIE_BREAKS,
    )
    for name in [name for kind in kinds for name in kind]:
        assert re.search(rf"^  {name} ", text, re.MULTILINE)
    request, shown_answer = (line.strip() for line in text.splitlines() if line.startswith("  {"))
    assert answer(request.encode()).decode().strip() == shown_answer
    assert "rows" in json.loads(shown_answer)


def test_a_wrong_argument_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--fast"])
    assert end.value.code == 2
    assert "usage" in capsys.readouterr().err
