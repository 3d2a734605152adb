"""Properties of every game's rules. Each game's tests call these checks with deals of their own.

A `Subject` is the game under test; facts, options and seats come from the caller's strategies.
"""

import ast
import copy
import json
import math
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from hypothesis import strategies as st

from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Rules
from scoring.rules.score import EngineScore
from scoring.rules.words import COMMON_WORDS, format_message

Facts = dict[str, Any]
Relabel = Callable[[Facts, Sequence[int]], Facts]

# A clause stands at the head of a line, after its list or heading marks: "- **B2.1** The ten …", "### T1.4 …".
CLAUSE = re.compile(r"^[ \t]*(?:#+|[-*+]|\d+\.)?[ \t]*(?:\*\*|`|\[)?([A-Z]\d+(?:\.\d+)*)\b", re.MULTILINE)


class Subject(NamedTuple):
    """A game under test."""

    rules: Rules
    folder: Path  # holds RULES.md and examples.toml
    fields: re.Pattern[str]  # full match of every field that RULES.md documents, and "seats", "facts", "options"
    formulas: bool = True  # every seat that scores has one


def score(
    subject: Subject,
    seats: int,
    facts: object,
    options: object = None,
    earlier: Sequence[object] = (),
    *,
    last: bool = False,
) -> EngineScore:
    """Read and score, like `Rules.play`."""
    rules = subject.rules
    rules.check_seats(seats)
    house = rules.read_options({} if options is None else options)
    carried = rules.carry_arguments(rules.read_earlier(seats, list(earlier)), house)
    return rules.score(rules.read(seats, facts), house, *carried, **rules.last_deal_kwargs(last))


def clauses(folder: Path) -> frozenset[str]:
    """Return the numbered clauses of the folder's RULES.md."""
    return frozenset(CLAUSE.findall((folder / "RULES.md").read_text(encoding="utf-8")))


def check_deal(
    subject: Subject,
    seats: int,
    facts: Facts,
    options: Mapping[str, object] | None = None,
    earlier: Sequence[Facts] = (),
    *,
    last: bool = False,
) -> EngineScore:
    """Check all that must hold for a legal deal after others, and return its score, for laws of the game's own."""
    house: dict[str, object] = dict(options or {})
    before = copy.deepcopy((facts, house, earlier))
    answer = score(subject, seats, facts, house, earlier, last=last)
    assert (facts, house, earlier) == before, "reading or scoring changed its input"
    assert score(subject, seats, facts, house, earlier, last=last) == answer, "two runs differ"
    check_lines(subject, seats, answer)
    check_round_trip(subject, seats, facts, house, earlier)
    check_roles_and_formulas(subject, seats, facts, house, earlier, last=last)
    return answer


def check_lines(subject: Subject, seats: int, answer: EngineScore) -> None:
    """Lines add up to the points, cite existing clauses, and have texts."""
    assert not subject.rules.never_negative or min(answer.points, default=0) >= 0
    assert len(answer.points) == seats
    assert all(type(points) is int for points in answer.points)
    clause_numbers = clauses(subject.folder)
    added = [0] * seats
    for line in answer.lines:
        assert len(line.points) == seats
        assert all(type(points) is int for points in line.points)
        missing = set(line.clauses) - clause_numbers
        assert not missing, f"{missing} are not in RULES.md"
        assert_has_text(subject, line.code, line.params)
        added = [total + points for total, points in zip(added, line.points, strict=True)]
    assert tuple(added) == answer.points
    for warning in answer.warnings:
        assert subject.fields.fullmatch(warning.field), warning.field
        assert_has_text(subject, warning.code, warning.params)


def check_round_trip(
    subject: Subject, seats: int, facts: Facts, options: Mapping[str, object], earlier: Sequence[Facts] = ()
) -> None:
    """Facts and options survive being written as JSON, in any order of keys."""
    decoded = (json.loads(json.dumps(raw, sort_keys=True)) for raw in (facts, dict(options), list(earlier)))
    assert score(subject, seats, *decoded) == score(subject, seats, facts, options, earlier)


def check_roles_and_formulas(
    subject: Subject,
    seats: int,
    facts: Facts,
    options: Mapping[str, object],
    earlier: Sequence[Facts] = (),
    *,
    last: bool = False,
) -> None:
    """Every seat has a role with a text that fits the database, and a formula with its points as result."""
    rules = subject.rules
    deal, house = rules.read(seats, facts), rules.read_options(dict(options))
    carried = rules.carry_arguments(rules.read_earlier(seats, list(earlier)), house)
    roles = rules.roles(deal)
    assert len(roles) == seats
    keyword = rules.last_deal_kwargs(last)
    points = rules.score(deal, house, *carried, **keyword).points
    for seat, role in enumerate(roles):
        assert 0 < len(role) <= 16, f"a role has 1 to 16 characters: {role}"
        assert role in rules.words, f"WORDS of rules.py lacks the role {role}"
        formula = rules.formula(deal, house, seat, *carried, **keyword)
        if formula:
            assert evaluate(formula) == points[seat], formula
        elif subject.formulas:
            assert points[seat] == 0


def check_relabelling(
    subject: Subject,
    seats: int,
    facts: Facts,
    options: Mapping[str, object] | None,
    order: Sequence[int],
    relabel: Relabel,
    earlier: Sequence[Facts] = (),
    *,
    last: bool = False,
) -> None:
    """Seats are only names: when seat i becomes seat order[i], so do its points and its role."""
    rules = subject.rules
    relabelled, *before = (relabel(copy.deepcopy(deal), order) for deal in (facts, *earlier))
    old = score(subject, seats, facts, options, earlier, last=last).points
    new = score(subject, seats, relabelled, options, before, last=last).points
    assert [new[order[seat]] for seat in range(seats)] == list(old)
    roles, moved_roles = rules.roles(rules.read(seats, facts)), rules.roles(rules.read(seats, relabelled))
    assert [moved_roles[order[seat]] for seat in range(seats)] == list(roles)


def check_any_json(subject: Subject, seats: object, facts: object, options: object = None) -> None:
    """Any JSON is scored, or refused on a field of RULES.md; no other exception is raised."""
    rules = subject.rules
    before = copy.deepcopy((facts, options))
    try:
        seat_count = rules.check_seats(seats)
        house = rules.read_options({} if options is None else options)
        answer = rules.score(rules.read(seat_count, facts), house, *rules.carry_arguments((), house))
    except IllegalDeal as error:
        check_refusal(subject, error)
    else:
        check_lines(subject, seat_count, answer)
    assert repr((facts, options)) == repr(before), "reading changed its input"


def check_refusal(subject: Subject, refusal: IllegalDeal) -> None:
    """A refusal has an existing field, or an unknown key, and a text."""
    assert isinstance(refusal.field, str)
    assert 0 < len(refusal.field) <= 120
    assert refusal.code == "unknown_key" or subject.fields.fullmatch(refusal.field), refusal.field
    assert_has_text(subject, refusal.code, refusal.params)


def check_words(subject: Subject) -> None:
    """No word of the game hides one of the kernel's."""
    assert not set(subject.rules.words) & set(COMMON_WORDS)


def assert_has_text(subject: Subject, code: str, params: Mapping[str, Any]) -> None:
    """The code has English words; a placeholder without a parameter raises KeyError."""
    assert format_message(subject.rules.words, code, params).strip()


_OPERATORS: Mapping[type, Callable[..., Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.USub: operator.neg,
}


def evaluate(formula: str) -> Fraction:
    """Return the value of `((25 + 19 + 10) × 2 + 30) × 3 = 414`, after checking that both sides are equal.

    Signs: + − × ÷ ( ) ⌈ ⌉ ⌊ ⌋, whole numbers and halves, max(…). Anything else is an AssertionError.
    """
    left_side, right = formula.split(" = ")
    assert re.fullmatch(r"−?\d+", right), formula
    source = left_side.replace("⌈", "ceil(").replace("⌊", "floor(").replace("⌉", ")").replace("⌋", ")")
    for sign, python in (("−", "-"), ("×", "*"), ("÷", "/")):
        assert python not in source, f"{python} is not the sign {sign}"
        source = source.replace(sign, python)
    value = _value(ast.parse(source, mode="eval").body)
    assert value == int(right.replace("−", "-")), formula
    return value


def _value(node: ast.expr) -> Fraction:
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return Fraction(str(node.value))
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.UnaryOp):
        return _OPERATORS[type(node.op)](_value(node.operand))
    assert isinstance(node, ast.Call), ast.dump(node)
    assert isinstance(node.func, ast.Name), ast.dump(node)
    values = [_value(argument) for argument in node.args]
    functions: Mapping[str, Callable[..., Any]] = {"max": max, "ceil": math.ceil, "floor": math.floor}
    return Fraction(functions[node.func.id](*values))


def json_values() -> st.SearchStrategy[Any]:
    """Any JSON value, and the floats that only JavaScript would write."""
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12)
    return st.recursive(
        leaves,
        lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=12), inner, max_size=5),
        max_leaves=12,
    )


@st.composite
def mutated(draw: st.DrawFn, deals: st.SearchStrategy[Facts]) -> Any:
    """Legal facts with one to three slips: a value replaced, left out, doubled, or a key too many."""
    facts: Any = copy.deepcopy(draw(deals))
    for _ in range(draw(st.integers(1, 3))):
        places = _places(facts)
        if not places:
            break
        holder, key = draw(st.sampled_from(places))
        slip = draw(st.sampled_from(("replace", "near", "drop", "double", "add")))
        if slip == "replace":
            holder[key] = draw(json_values())
        elif slip == "near" and type(holder[key]) in (int, float):
            holder[key] += draw(st.sampled_from((-1, 1, 0.5, 10, 10**30)))
        elif slip == "drop":
            del holder[key]
        elif isinstance(holder, list):
            holder.append(copy.deepcopy(holder[key]))
        else:
            holder[draw(st.text(max_size=8))] = copy.deepcopy(holder[key])
    return facts


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Return every (container, key) inside a JSON value."""
    positions: list[tuple[Any, Any]] = []
    queue = [value]
    while queue:
        container = queue.pop()
        keys = (
            list(container)
            if isinstance(container, dict)
            else range(len(container))
            if isinstance(container, list)
            else ()
        )
        for key in keys:
            positions.append((container, key))
            queue.append(container[key])
    return positions
