"""`python -m scoring` answers every line, and the engine needs no Django."""

import io
import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scoring.__main__
from scoring import registry
from scoring.__main__ import _json_of_lines, answer, answer_lines, main
from scoring.json_lines import CHUNK_BYTES
from scoring.tests import laws

ROOT = Path(__file__).parent.parent.parent
COMMAND = [sys.executable, "-m", "scoring"]

USUAL = {"game": "belote", "seats": 4, "facts": {"taker": 0, "points": 75, "last_trick": "attack"}}
USUAL_POINTS = [85, 77, 85, 77]  # 003, the second example
DUEL = {"direction": "high", "dealer": 0, "tricks": [6, 4]}

HOSTILE: dict[str, bytes] = {
    "blank": b"",
    "spaces": b"  \t ",
    "not UTF-8": b'{"game": "\xff"}',
    "UTF-16": '{"game": "belote"}'.encode("utf-16"),
    "a surrogate in UTF-8": b'{"game": "\xed\xa0\x80"}',
    "a byte order mark": b"\xef\xbb\xbf{}",
    "NUL": b"\x00",
    "NUL in a word": b'{"game": "\x00"}',
    "NUL escaped": b'{"game": "belote\\u0000", "seats": 4, "facts": {}}',
    "NaN": b'{"game": "belote", "seats": NaN, "facts": {}}',
    "infinity": b'{"game": "belote", "seats": -Infinity, "facts": {}}',
    "1e400": b'{"game": "belote", "seats": 4, "facts": {"points": 1e400}}',
    "5,000 digits": b'{"game": "belote", "seats": ' + b"9" * 5000 + b', "facts": {}}',
    "100,000 brackets": b"[" * 100_000,
    "100,000 objects": b'{"a":' * 100_000,
    "100,000 pairs": b"[" * 100_000 + b"]" * 100_000,
    "a lone surrogate": b'{"game": "\\ud800", "seats": 4, "facts": {}}',
    "a lone surrogate as a key": b'{"\\ud800": 1}',
    "a lone surrogate as a fact": b'{"game": "belote", "seats": 4, "facts": {"\\udc80": "\\udc80"}}',
    "half a line": b'{"game": "bel',
    "two values": b"{} {}",
    "a list": b"[]",
    "a word": b'"belote"',
    "a long word": b'"' + b"x" * 300_000 + b'"',
    "a game that is a list": b'{"game": [], "seats": 4, "facts": {}}',
}


def parsed_answer(line: bytes) -> dict[str, Any]:
    """Return an answer after its way through JSON, checked for its shape."""
    text = answer(line)
    assert text.endswith(b"\n")
    assert text.count(b"\n") == 1
    reply: dict[str, Any] = json.loads(text.decode("utf-8"))
    if "error" in reply:
        assert set(reply) == {"error"}
        assert set(reply["error"]) == {"field", "message"}
        assert reply["error"]["field"]
        assert reply["error"]["message"].strip()
    else:
        assert list(reply) == ["points", "lines", "warnings"]
        sums = [0] * len(reply["points"])
        for line_ in reply["lines"]:
            assert line_["reason"].strip()
            sums = [total + points for total, points in zip(sums, line_["points"], strict=True)]
        assert reply["points"] == sums
    return reply


def field_of(request: Any) -> str:
    line = request if isinstance(request, bytes) else json.dumps(request).encode()
    return str(parsed_answer(line)["error"]["field"])


def vectors() -> list[dict[str, Any]]:
    paths = sorted((ROOT / "scoring/games").glob("*/tests/vectors/*.jsonl"))
    return [json.loads(line) for path in paths for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_vector_is_answered_with_its_points() -> None:
    reply = vectors()
    assert len(reply) >= 160
    for vector in reply:
        assert parsed_answer(json.dumps(vector["request"]).encode())["points"] == vector["points"]


def test_games_that_hand_nothing_on_ignore_the_earlier_deals() -> None:
    reply, compared = vectors(), 0
    for vector, next_vector in zip(reply, reply[1:] + reply[:1], strict=True):
        request, before = vector["request"], next_vector["request"]
        if (request["game"], request["seats"]) != (before["game"], before["seats"]):
            continue
        rules = registry.rules(request["game"])
        if rules.uses_earlier_points(rules.read_options(request.get("options"))):
            continue
        compared += 1
        after = {**request, "earlier": [before["facts"], request["facts"]]}
        assert parsed_answer(json.dumps(after).encode()) == parsed_answer(json.dumps(request).encode())
    assert compared >= 160


def test_every_answer_is_written_as_json_writes_it() -> None:
    for vector in vectors():
        text = answer(json.dumps(vector["request"]).encode()).decode()
        assert text == json.dumps(json.loads(text), ensure_ascii=False) + "\n"


def test_what_is_kept_from_other_deals_changes_no_answer() -> None:
    lines = [json.dumps(vector["request"]).encode() for vector in vectors()]
    fresh = []
    for line in lines:
        _json_of_lines.clear()
        fresh.append(answer(line))
    assert [answer(line) for line in lines] == fresh  # games share codes, and seats and numbers differ
    assert [answer(line) for line in reversed(lines)] == fresh[::-1]


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring.__main__, "MAX_CACHED_TEXTS", 10)
    _json_of_lines.clear()
    for vector in vectors():
        answer(json.dumps(vector["request"]).encode())
        assert len(_json_of_lines) <= 10


@pytest.mark.parametrize("around", ["{}", " {}", "\t{} ", "{}\r", "{} \t\r"])
def test_white_space_around_a_request_is_nothing(around: str) -> None:
    line = json.dumps(USUAL)
    assert answer(around.replace("{}", line).encode()) == answer(line.encode())


@pytest.mark.parametrize("around", ["\u00a0{}", "{}\u00a0", "{}x", "{}{}", "x{}"])
def test_anything_else_around_a_request_is_no_json(around: str) -> None:
    assert field_of(around.replace("{}", json.dumps(USUAL)).encode()) == "request"


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_lines_are_answered_with_an_error(name: str) -> None:
    assert "error" in parsed_answer(HOSTILE[name])


@given(st.binary(max_size=200))
def test_any_bytes_are_answered(line: bytes) -> None:
    parsed_answer(line)


@given(laws.json_values())
def test_any_json_is_answered(request: Any) -> None:
    parsed_answer(json.dumps(request).encode())


@given(st.sampled_from(vectors()), st.data())
def test_any_slip_in_a_request_is_answered(vector: dict[str, Any], data: st.DataObject) -> None:
    request = data.draw(laws.mutated(st.just(vector["request"])))
    parsed_answer(json.dumps(request).encode())


@given(st.sampled_from(vectors()), st.integers(0, 400), st.binary(max_size=3))
def test_any_damaged_line_is_answered(vector: dict[str, Any], place: int, damage: bytes) -> None:
    line = json.dumps(vector["request"]).encode()
    parsed_answer(line[:place] + damage + line[place + len(damage) :])


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        ({**USUAL, "game": None}, "request"),
        ({**USUAL, "game": "whist"}, "request"),
        ({**USUAL, "game": 4}, "request"),
        ({**USUAL, "seats": None}, "request"),
        ({**USUAL, "facts": None}, "request"),
        ({"seats": 4, "facts": {}}, "request"),
        ({**USUAL, "colour": "red"}, "request"),
        (b'{"game": "belote", "game": "belote", "seats": 4, "facts": {"taker": null}}', "request"),
        ({**USUAL, "seats": 5}, "seats"),
        ({**USUAL, "seats": 4.0}, "seats"),
        ({**USUAL, "seats": True}, "seats"),
        ({**USUAL, "facts": []}, "facts"),
        ({**USUAL, "facts": "taker"}, "facts"),
        ({**USUAL, "facts": {**USUAL["facts"], "points": 153}}, "points"),  # type: ignore[dict-item]
        ({**USUAL, "options": 3}, "options"),
        ({**USUAL, "options": {"floor": 3}}, "options.floor"),
        (b'{"game": "belote", "seats": 4, "facts": {"taker": 0, "taker": 1}}', "taker"),
        (b'{"game": "belote", "seats": 4, "facts": {"points": ":", "taker" :0, "taker": {}}}', "taker"),
        (b'{"game": "belote", "seats": 4, "facts": {"taker": 0, "points": ":"}}', "points"),
        (b'{"game": "belote", "seats": 4, "facts": {"a b": 0, "a b": 1}}', "facts"),
        (b'{"game": "belote", "seats": 4, "facts": {}, "options": {"x": 0, "x": 1}}', "options.x"),
        ({**USUAL, "last": 0}, "request"),
        ({**USUAL, "last": "true"}, "request"),
        ({**USUAL, "last": {"last": True}}, "request"),
        (b'{"game": "belote", "seats": 4, "facts": {}, "last": {"a": 1, "a": 1}}', "request"),
        ({**USUAL, "earlier": {}}, "earlier"),
        ({**USUAL, "earlier": 0}, "earlier"),
        ({**USUAL, "earlier": False}, "earlier"),
        ({**USUAL, "earlier": "taker"}, "earlier"),
        ({**USUAL, "earlier": [USUAL["facts"], 0]}, "earlier.1"),
        ({**USUAL, "earlier": [None]}, "earlier.0"),
        ({**USUAL, "earlier": [USUAL["facts"], {"taker": 4, "points": 1, "last_trick": "attack"}]}, "earlier.1.taker"),
        ({**USUAL, "earlier": [{"taker": None, "colour": "red"}]}, "earlier.0.colour"),
        ({**USUAL, "earlier": [{}], "options": {"floor": 3}}, "options.floor"),
        (b'{"game": "belote", "seats": 4, "facts": {}, "earlier": [{"taker": 0, "taker": 1}]}', "earlier.0.taker"),
        (
            {"game": "two-way-street", "seats": 2, "facts": DUEL, "earlier": [{**DUEL, "tricks": [1, -1]}]},
            "earlier.0.tricks.1",
        ),
        (
            b'{"game": "two-way-street", "seats": 3, "facts": {"hands": [{"call": "high", "call": "low"}]}}',
            "hands.0.call",
        ),
    ],
)
def test_errors_name_their_field(request_: Any, field: str) -> None:
    assert field_of(request_) == field


def test_null_is_the_same_as_left_out() -> None:
    extras: list[dict[str, object]] = [{}, {"options": None}, {"options": {}}, {"earlier": None}, {"earlier": []}]
    extras += [{"last": None}, {"last": False}]
    for extra in extras:
        request = {**USUAL, **extra}
        assert parsed_answer(json.dumps(request).encode())["points"] == USUAL_POINTS


def test_messages_repeat_no_more_than_80_characters_of_what_was_given() -> None:
    for facts in ({"taker": "x" * 500}, {"taker": [["x"] * 70] * 70}, {"x" * 500: 1}, {"taker": 10**500}):
        message = parsed_answer(json.dumps({**USUAL, "facts": facts}).encode())["error"]["message"]
        assert len(message) < 250


def test_numbers_that_answers_can_not_hold_are_refused_as_such() -> None:
    # 4,000 digits are read, and three times as much can still be written; one more is refused.
    for digits, refused in ((4000, False), (4001, True)):
        hands = [{"call": "high", "forced": True, "tricks": int("9" * 2)}] * 2 + [{"call": "high", "tricks": 0}]
        line = json.dumps({"game": "two-way-street", "seats": 3, "facts": {"hands": hands}})
        assert ("error" in parsed_answer(line.replace("99", "9" * digits, 1).encode())) == refused


def test_lines_are_split_wherever_they_arrive_in_pieces() -> None:
    line = json.dumps(USUAL).encode()
    padded = line + b" " * (2 * CHUNK_BYTES)
    for text, count in ((b"", 0), (line, 1), (line + b"\n", 1), (line + b"\r\n" + line, 2), (b"\n\n", 2)):
        assert len(answers_to(text)) == count
    assert [each.get("points") for each in answers_to(padded + b"\n" + padded)] == [USUAL_POINTS] * 2


def answers_to(text: bytes) -> list[dict[str, Any]]:
    sink = io.BytesIO()
    answer_lines(io.BytesIO(text), sink)
    return [json.loads(line) for line in sink.getvalue().splitlines()]


def test_the_command_answers_every_hostile_line_in_order_and_ends_well() -> None:
    usual = json.dumps(USUAL).encode()
    lines = [each for hostile in HOSTILE.values() for each in (hostile, usual) if b"\n" not in hostile]
    process = subprocess.run(COMMAND, input=b"\n".join(lines), capture_output=True, cwd=ROOT, check=False, timeout=60)
    assert process.returncode == 0
    assert process.stderr == b""
    answers = [json.loads(line) for line in process.stdout.splitlines()]
    assert len(answers) == len(lines)
    for line, reply in zip(lines, answers, strict=True):
        assert reply.get("points") == (USUAL_POINTS if line == usual else None)


def test_a_partner_on_a_pipe_gets_each_answer_before_asking_again() -> None:
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdin
        assert process.stdout
        for _ in range(3):
            process.stdin.write(json.dumps(USUAL).encode() + b"\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["points"] == USUAL_POINTS
        process.stdin.close()
        assert process.wait(timeout=20) == 0


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


def test_help_explains_itself_with_each_games_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0
    text = capsys.readouterr().out
    for slug, folder in zip(registry.slugs(), registry.FOLDERS, strict=True):
        path = ROOT / "scoring/games" / folder / "examples.toml"
        example = tomllib.loads(path.read_text(encoding="utf-8"))["example"][0]
        assert f'"game": "{slug}"' in text
        assert f'{{"points": {example["points"]}' in text


def test_a_wrong_argument_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--fast"])
    assert end.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_the_engine_runs_where_django_can_not_be_imported() -> None:
    modules = ["scoring.registry", "scoring.__main__"]
    modules += [f"scoring.rules.{path.stem}" for path in (ROOT / "scoring/rules").glob("[a-z]*.py")]
    modules += [f"scoring.games.{folder}.{half}" for folder in registry.FOLDERS for half in ("rules", "play")]
    program = f"""
import sys, importlib
sys.modules["django"] = None
before = set(sys.modules)
for name in {modules!r}:
    importlib.import_module(name)
from scoring import registry
for slug in registry.slugs():
    registry.rules(slug)
outside = {{name.partition(".")[0] for name in set(sys.modules) - before}} - sys.stdlib_module_names - {{"scoring"}}
assert not outside, outside
"""
    process = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )
    assert process.returncode == 0, process.stderr
