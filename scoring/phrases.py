"""Texts for the engine's codes, in the viewer's language, with players' names and localised numbers.

This module uses no form and no database. The preview of a deal, its page and the page of the rules use the same
functions.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext, ngettext, pgettext

from scoring.game import Game
from scoring.numbers import number_text
from scoring.row_codes import WORDS, Column, Problem
from scoring.rules.errors import IllegalDeal, Param
from scoring.rules.interface import ScoredDeal
from scoring.rules.words import format_message

_NUMBER = re.compile(r"-?\d{1,15}(\.\d{1,3})?")


class SeatPoints(NamedTuple):
    """The points of a deal for one seat. `formula` is their computation, such as "75 + 10 = 85". It is "" in a game
    whose lines (reasons for points) need no formula, and may be "" for 0 points.
    """

    name: str
    role: str
    points: int
    formula: str


class ExplanationLine(NamedTuple):
    """One reason for points: its text, the clauses of the game's RULES.md that it cites, and (name, points) of each
    player who gets or loses points.
    """

    text: str
    clauses: list[str]
    points: tuple[tuple[str, int], ...]


class ExplanationWarning(NamedTuple):
    field: str
    text: str


@dataclass(frozen=True)
class Explanation:
    seats: tuple[SeatPoints, ...]
    lines: tuple[ExplanationLine, ...]
    warnings: tuple[ExplanationWarning, ...]

    @property
    def has_formulas(self) -> bool:
        return any(seat.formula for seat in self.seats)

    @property
    def points(self) -> tuple[int, ...]:
        return tuple(seat.points for seat in self.seats)


def explain(
    game: Game,
    facts: object,
    names: Sequence[str],
    house_rules: Mapping[str, Any],
    earlier: Sequence[object] = (),
    *,
    last: bool = False,
) -> Explanation:
    """Return the points of a deal with the reasons as text. Raise IllegalDeal if this deal or an earlier deal is not
    legal.

    `names` are the players of this deal in the order of their seats from 0, without resting players. `earlier` has the
    facts (JSON of what happened) of the table's previous deals. `last` is true for the table's last deal.
    """
    rules = game.rules
    options = rules.read_options(house_rules)
    seats = rules.check_seats(len(names))
    previous = rules.read_earlier(seats, earlier)
    return explain_scored_deal(game, rules.play(seats, facts, options, previous, last), names, options, previous)


def explain_scored_deal(
    game: Game, scored: ScoredDeal, names: Sequence[str], options: Any, earlier: Sequence[Any]
) -> Explanation:
    """Return the points of a scored deal with the reasons as text. `earlier` has the table's previous deals as
    `Rules.read_earlier` returns them.
    """
    carried = game.rules.carry_arguments(earlier, options)

    def formula(seat: int) -> str:
        return game.rules.formula(scored.deal, options, seat, *carried, **game.rules.last_deal_kwargs(scored.last))

    return Explanation(
        seats=tuple(
            SeatPoints(name, message_text(game, role, {}, names), points, formula(seat))
            for seat, (name, role, points) in enumerate(zip(names, scored.roles, scored.points, strict=True))
        ),
        lines=tuple(
            ExplanationLine(
                message_text(game, line.code, line.params, names),
                line.clauses,
                tuple((name, points) for name, points in zip(names, line.points, strict=True) if points),
            )
            for line in scored.lines
        ),
        warnings=tuple(
            ExplanationWarning(warning.field, message_text(game, warning.code, warning.params, names))
            for warning in scored.warnings
        ),
    )


def refusal_text(game: Game, illegal: IllegalDeal, names: Sequence[str]) -> str:
    return message_text(game, illegal.code, illegal.params, names)


def problem_text(problem: Problem) -> str:
    return format_message(WORDS, problem.code, problem.params, translate=gettext)


def column_label(column: Column) -> str:
    return gettext(column.label) % {"number": column.number}


def cell_problem_text(problem: Problem, column: Column) -> str:
    """Return the text for a problem of a cell. If the cell's code is unknown, the text lists the codes that the column
    accepts.
    """
    codes = column_codes(column)
    if problem.code != "unknown_code" or not codes:
        return problem_text(problem)
    return gettext("%(given)s is not understood here. Write: %(codes)s.") % {**problem.params, "codes": codes}


def column_codes(column: Column) -> str:
    """Return the lines of the column's legend as one text, without the label at the start of each: “seat number; 0 when
    everyone passed”.
    """
    label = f"{column_label(column)}{gettext(': ')}"
    return " · ".join(gettext(line).removeprefix(label) for line in column.legend)


def message_text(game: Game, code: str, params: Mapping[str, Param], names: Sequence[str]) -> str:
    """Return the message for a code in the user's language, with names for seats.

    A text for pages (`game.words`) replaces the engine's text of the same code.
    """
    words = ChainMap(dict(game.words), dict(game.rules.words), dict(game.remarks.words), dict(game.paper_errors.words))
    # Typed numbers are in `params` as JSON text (49.5); convert them, so that French shows 49,5.
    localised = {
        name: float(value) if isinstance(value, str) and value not in words and _NUMBER.fullmatch(value) else value
        for name, value in params.items()
    }
    return format_message(
        words,
        code,
        localised,
        translate=gettext,
        translate_plural=ngettext,
        translate_in_context=pgettext,
        seat=lambda seat: names[seat],
        number=number_text,
    )
