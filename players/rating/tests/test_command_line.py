"""`python -m players.rating`: reading, writing and errors."""

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from players.rating.command_line import InvalidLine, backtest_lines, history_lines, rating_lines, read_results
from scoring import registry
from scoring.rules.interface import TableLength

ROOT = Path(__file__).parents[3]
LENGTHS = {
    "cards": TableLength("deals", 4, 10, 20, "club"),
    "bids": TableLength("top", 12, 19, 25, "published"),
}
GOOD: dict[str, Any] = {
    "game": "bids",
    "date": "2026-10-02",
    "round": 1,
    "sides": [{"players": ["anna"], "total": 25}, {"players": ["bob"], "total": 18}],
}
GAME = next(slug for slug in registry.slugs() if registry.rules(slug).length == LENGTHS["bids"])


def line(**changes: Any) -> bytes:
    """GOOD with changes; ... leaves a key out."""
    return json.dumps({key: value for key, value in {**GOOD, **changes}.items() if value is not ...}).encode()


def sides(*row: Any) -> list[Any]:
    return [GOOD["sides"][0], *row]


def run(text: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "players.rating", *arguments]
    return subprocess.run(command, input=text, capture_output=True, cwd=ROOT, check=False)


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        (b"", "line"),
        (b"{", "line"),
        (b"[]", "line"),
        (b"null", "line"),
        (b"\xff", "line"),
        (b"\xef\xbb\xbf" + line(), "line"),
        (b"[" * 100_000, "line"),
        (b'{"round": ' + b"9" * 5_000 + b"}", "line"),
        (line().replace(b"25", b"NaN"), "line"),
        (line(place=1), "line"),
        (b'{"round": 1, ' + line()[1:], "round"),
        (line(game=...), "game"),
        (line(game="chess"), "game"),
        (line(game=["bids"]), "game"),
        (line(date=...), "date"),
        (line(date="20261002"), "date"),
        (line(date="2026-W40-5"), "date"),
        (line(date="2026-02-29"), "date"),
        (line(date="2026-10-02\n"), "date"),
        (line(date="٢٠٢٦-10-02"), "date"),
        (line(date=20261002), "date"),
        (line(round=0), "round"),
        (line(round=True), "round"),
        (line(round=1.0), "round"),
        (line(round="1"), "round"),
        (line(round=None), "round"),
        (line(deals=0), "deals"),
        (line(deals=False), "deals"),
        (line(game="cards"), "deals"),
        (line(game="cards", deals=None), "deals"),
        (line(sides=...), "sides"),
        (line(sides={}), "sides"),
        (line(sides=[]), "sides"),
        (line(sides=sides()), "sides"),
        (line(sides=[{"players": [f"p{n}"], "total": n} for n in range(101)]), "sides"),
        (line(sides=sides(5)), "sides.1"),
        (line(sides=sides({"players": ["bob"]})), "sides.1.total"),
        (line(sides=sides({"players": ["bob"], "total": True})), "sides.1.total"),
        (line(sides=sides({"players": ["bob"], "total": 18.5})), "sides.1.total"),
        (line(sides=sides({"players": ["bob"], "total": 10**9 + 1})), "sides.1.total"),
        (line(sides=sides({"total": 18})), "sides.1.players"),
        (line(sides=sides({"players": [], "total": 18})), "sides.1.players"),
        (line(sides=sides({"players": "bob", "total": 18})), "sides.1.players"),
        (line(sides=sides({"players": ["bob", 7], "total": 18})), "sides.1.players.1"),
        (line(sides=sides({"players": [" "], "total": 18})), "sides.1.players.0"),
        (line(sides=sides({"players": ["\ud800"], "total": 18})), "sides.1.players.0"),
        (line(sides=sides({"players": ["bob", "anna"], "total": 18})), "sides.1.players.1"),
        (line(sides=sides({"players": ["bob"], "total": 18, "place": 2})), "sides.1"),
        (line().replace(b'"total": 18', b'"total": 18, "total": 18'), "sides.1.total"),
    ],
)
def test_bad_line_is_named_with_its_field(bad: bytes, field: str) -> None:
    with pytest.raises(InvalidLine) as caught:
        read_results(line() + b"\n" + bad + b"\n" + line() + b"\n", LENGTHS)
    assert (caught.value.line, caught.value.field) == (2, field)
    assert str(caught.value).startswith(f"line 2: {field}: ")


def test_windows_line_ends_and_a_last_line_without_one() -> None:
    assert len(read_results(line() + b"\r\n" + line(round=2), LENGTHS)["bids"]) == 2


def test_no_results_no_ratings() -> None:
    assert list(rating_lines(read_results(b"", LENGTHS), LENGTHS)) == []


def test_lines_by_game_then_rating_then_player() -> None:
    cards = line(game="cards", deals=20, sides=[{"players": [name], "total": 0} for name in ("zoé", "yves")])
    rows = [json.loads(row) for row in rating_lines(read_results(cards + b"\n" + line(), LENGTHS), LENGTHS)]
    assert [(row["game"], row["player"], row["rating"]) for row in rows] == [
        ("bids", "anna", 1024),
        ("bids", "bob", 976),
        ("cards", "yves", 1000),
        ("cards", "zoé", 1000),
    ]


def test_six_decimals_to_the_last() -> None:
    # One against three: 16 points shared by three (test_rating.py has the sum).
    raw = line(game="cards", deals=20, sides=[{"players": ["z"], "total": 9}, {"players": ["a", "b", "c"], "total": 8}])
    assert list(rating_lines(read_results(raw, LENGTHS), LENGTHS)) == [
        '{"game": "cards", "player": "z", "rating": 1016.000000, "tables": 1, "provisional": true}',
        '{"game": "cards", "player": "a", "rating": 994.666667, "tables": 1, "provisional": true}',
        '{"game": "cards", "player": "b", "rating": 994.666667, "tables": 1, "provisional": true}',
        '{"game": "cards", "player": "c", "rating": 994.666666, "tables": 1, "provisional": true}',
    ]


def test_history_has_each_player_and_period() -> None:
    raw = b"\n".join([line(round=2), line(), line(date="2026-10-01")])
    rows = [json.loads(row) for row in history_lines(read_results(raw, LENGTHS), LENGTHS)]
    assert [(row["date"], row["round"], row["player"], row["tables"], row["dates"]) for row in rows] == [
        ("2026-10-01", 1, "anna", 1, 1),
        ("2026-10-01", 1, "bob", 1, 1),
        ("2026-10-02", 1, "anna", 2, 2),
        ("2026-10-02", 1, "bob", 2, 2),
        ("2026-10-02", 2, "anna", 3, 2),
        ("2026-10-02", 2, "bob", 3, 2),
    ]


def test_backtest_has_each_game_and_rules() -> None:
    # Nobody was rated before: every prediction is a coin's.
    cards = line(game="cards", deals=3, sides=[{"players": [name], "total": 0} for name in "ab"])
    raw = b"\n".join([line(sides=sides({"players": ["bob"], "total": 2}, {"players": ["carl"], "total": 1})), cards])
    figures = '"log_loss": 0.693147, "coin": 0.693147, "better_by": 0.00, "verdict": "too few"}'
    assert list(backtest_lines(read_results(raw, LENGTHS), LENGTHS)) == [
        f'{{"game": "{game}", "rules": "{rules}", "tables": {tables}, "pairs": {pairs}, {figures}'
        for game, tables, pairs in [("bids", 1, 3), ("cards", 0, 0)]
        for rules in ("club", "published")
    ]


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.sampled_from(["anna", "bids"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
side_values = st.fixed_dictionaries({"players": st.lists(values, max_size=2), "total": values}) | values
results = st.fixed_dictionaries(
    {"game": st.sampled_from(["cards", "bids"]) | values, "date": st.just("2026-10-02") | values},
    optional={
        "round": st.integers(0, 3) | values,
        "deals": st.integers(0, 25) | values,
        "sides": st.lists(side_values, max_size=3) | values,
    },
)


@given(st.binary() | st.lists(results | values).map(lambda row: "\n".join(map(json.dumps, row)).encode()))
@example(b"\n")
@example(b'"\\ud800"')
def test_anything_is_read_or_named(raw: bytes) -> None:
    problem: InvalidLine | None = None
    try:
        read = read_results(raw, LENGTHS)
    except InvalidLine as error:
        read, problem = {}, error
    for text in (*rating_lines(read, LENGTHS), *history_lines(read, LENGTHS), *backtest_lines(read, LENGTHS)):
        json.loads(text.encode())
    if problem:
        assert 1 <= problem.line <= raw.count(b"\n") + 1
        assert str(problem).encode().startswith(f"line {problem.line}: {problem.field}: ".encode())
        assert problem.field
        assert problem.problem


def test_command_rates_the_published_example() -> None:
    people = zip(("anna", "bob", "carl", "dora"), (25, 18, 12, 12), strict=True)
    raw = line(game=GAME, sides=[{"players": [name], "total": total} for name, total in people])
    process = run(raw + b"\n")
    assert (process.returncode, process.stderr) == (0, b"")
    assert [json.loads(row)["rating"] for row in process.stdout.splitlines()] == [1048, 1016, 968, 968]


def test_command_overrides_rules() -> None:
    # Club rules for two: 4 × 4 × ½ = 8.
    process = run(line(game=GAME), "--rules", f"{GAME}=club")
    assert [json.loads(row)["rating"] for row in process.stdout.splitlines()] == [1008, 992]


def test_command_writes_histories() -> None:
    process = run(line(game=GAME), "--history")
    assert [json.loads(row)["round"] for row in process.stdout.splitlines()] == [1, 1]


def test_command_tries_all_rules() -> None:
    # In a duel the published K is 48, the club's 16: after one win, differences of 48 and 16 points.
    process = run(line(game=GAME) + b"\n" + line(game=GAME, round=2), "--backtest")
    trials = {row["rules"]: row for row in map(json.loads, process.stdout.splitlines())}
    for rules, difference in [("club", 16), ("published", 48)]:
        loss = (math.log(2) + math.log(1 + 10 ** (-difference / 400))) / 2
        assert trials[rules]["log_loss"] == pytest.approx(loss, abs=1e-6)
        assert trials[rules]["better_by"] == pytest.approx(100 * (1 - loss / math.log(2)), abs=0.01)


@pytest.mark.parametrize("bad", [b"\xff\n", b"{}\n", line(game="\ud800"), line(round=True)])
def test_command_refuses_without_output(bad: bytes) -> None:
    process = run(line(game=GAME) + b"\n" + bad)
    assert (process.returncode, process.stdout) == (2, b"")
    assert process.stderr.startswith(b"line 2: ")
    assert process.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("--rules", "chess=club"),
        ("--rules", f"{GAME}=elo"),
        ("--rules",),
        ("x",),
        ("--backtest", "--history"),
        ("--backtest", "--rules", f"{GAME}=club"),
    ],
)
def test_command_refuses_unknown_arguments(arguments: tuple[str, ...]) -> None:
    process = run(b"", *arguments)
    assert (process.returncode, process.stdout) == (2, b"")


def test_command_explains_itself() -> None:
    process = run(b"", "--help")
    assert process.returncode == 0
    assert b"--history" in process.stdout
