"""The engine's codes as people read them: in the reader's language, with players' names and localised numbers.

Knows no form and no row. A deal is explained from its facts alone, so preview, deal page and rules page agree.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext, ngettext

from scoring.game import Game
from scoring.numbers import number
from scoring.row_codes import WORDS, Column, Problem
from scoring.rules.errors import IllegalDeal, Param
from scoring.rules.words import say

_NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,3})?")


class SeatPoints(NamedTuple):
    """What a deal gave one seat. `formula` is "" where the lines say it all, or nothing was scored."""

    name: str
    role: str
    points: int
    formula: str


class SaidLine(NamedTuple):
    """One reason in words, the clause of the game's RULES.md that it cites, and whom it gave or cost what."""

    text: str
    clause: str
    given: tuple[tuple[str, int], ...]


class SaidWarning(NamedTuple):
    """A doubt in words, and the engine's field that it is about."""

    field: str
    text: str


@dataclass(frozen=True)
class Explanation:
    """A deal's points, seat by seat and reason by reason."""

    seats: tuple[SeatPoints, ...]
    lines: tuple[SaidLine, ...]
    warnings: tuple[SaidWarning, ...]

    @property
    def has_formulas(self) -> bool:
        """Whether the arithmetic is written out for anyone."""
        return any(seat.formula for seat in self.seats)

    @property
    def points(self) -> tuple[int, ...]:
        """Points by seat."""
        return tuple(seat.points for seat in self.seats)


def explain(
    game: Game,
    facts: object,
    names: Sequence[str],
    house_rules: Mapping[str, Any],
    earlier: Sequence[object] = (),
) -> Explanation:
    """Read and score facts, and say why. Raises IllegalDeal.

    `names` are those who play, by the engine's seat. `earlier` are the facts of the table's deals before this one.
    """
    rules = game.rules
    options = rules.read_options(house_rules)
    seats = rules.check_seats(len(names))
    deal = rules.read(seats, facts)
    before = rules.read_earlier(seats, earlier)
    carried = rules.carried(before, options)
    score = rules.score(deal, options, *carried)
    doubts = (*score.warnings, *rules.doubts(deal, options, before))
    by_seat = zip(names, rules.roles(deal), score.points, strict=True)
    return Explanation(
        seats=tuple(
            SeatPoints(name, said(game, role, {}, names), points, rules.formula(deal, options, seat, *carried))
            for seat, (name, role, points) in enumerate(by_seat)
        ),
        lines=tuple(
            SaidLine(said(game, line.code, line.params, names), line.clause, _given(names, line.points))
            for line in score.lines
        ),
        warnings=tuple(SaidWarning(doubt.field, said(game, doubt.code, doubt.params, names)) for doubt in doubts),
    )


def _given(names: Sequence[str], points: Sequence[int]) -> tuple[tuple[str, int], ...]:
    return tuple((name, given) for name, given in zip(names, points, strict=True) if given)


def refusal(game: Game, illegal: IllegalDeal, names: Sequence[str]) -> str:
    """Return why the engine refused, in words."""
    return said(game, illegal.code, illegal.params, names)


def unreadable(problem: Problem) -> str:
    """Return why a cell of a row can't be read, in words."""
    return say(WORDS, problem.code, problem.params, translate=gettext)


def column_label(column: Column) -> str:
    """Return what a column of a row is called, with its number where it has one."""
    return gettext(column.label) % {"number": column.number}


def unreadable_cell(problem: Problem, column: Column) -> str:
    """Return why a cell can't be read; where it has another code than those that it takes, its legend says which."""
    codes = codes_of(column)
    if problem.code != "unknown_code" or not codes:
        return unreadable(problem)
    return gettext("%(given)s is not understood here. Write: %(codes)s.") % {**problem.params, "codes": codes}


def codes_of(column: Column) -> str:
    """Return the codes that a cell takes and what each stands for, in the letters of the reader's language."""
    begin = f"{column_label(column)}{gettext(': ')}"
    return " · ".join(gettext(line).removeprefix(begin) for line in column.legend)


def said(game: Game, code: str, params: Mapping[str, Param], names: Sequence[str]) -> str:
    """Return one of a game's codes in words: the game's words for pages first, then the engine's."""
    words = ChainMap(dict(game.words), dict(game.rules.words), dict(game.remarks.words))
    # What was given comes as the text that JSON had: 49.5. Readers of other languages write 49,5.
    read = {name: _number(value) if value not in words else value for name, value in params.items()}
    return say(
        words,
        code,
        read,
        translate=gettext,
        translate_plural=ngettext,
        seat=lambda seat: names[seat],
        number=number,
    )


def _number(value: Param) -> Param:
    return float(value) if isinstance(value, str) and _NUMBER.fullmatch(value) else value
