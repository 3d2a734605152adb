"""Types for a game's `row.py`: in the grid, a deal is typed as one row of short codes. No Django.

A cell has the name of its fact, like an input of the form. For example, the cells taker `1`, contract `g`, oudlers `2`,
points `56` and extras `d1` are the facts {"taker": 0, "contract": "guard", "oudlers": 2, "points": 56, "handfuls":
[{"seat": 0, "size": "double"}]}. Texts are marked for translation here; the pages translate them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scoring.field_names import nearest_input
from scoring.rules.errors import Param
from scoring.rules.words import COMMON_WORDS, Words
from scoring.rules.words import gettext_noop as _

Cells = Mapping[str, str]  # the texts of the cells, by their names
Translate = Callable[[str], str]

WORDS: Words = {
    **COMMON_WORDS,
    "unknown_code": _("%(given)s is not understood here."),
    "not_among": _("%(given)s is not understood here. Write %(allowed)s."),
    "unknown_number": _("%(given)s is not understood here. Write a number."),
    "no_such_seat": _("%(given)s does not play this deal. Write %(allowed)s."),
    "code_twice": _("%(given)s is written twice."),
    "not_asked": _("Leave this empty in such a deal."),
}


class Column(NamedTuple):
    """A column of the grid: each row has one cell in it.

    Three regular expressions must match whole texts; they use only syntax that Python and JavaScript share.
    `prefix_pattern` matches each beginning of a valid text: a key that would not match goes to the next cell that
    accepts it, and empty optional cells are skipped. `complete_pattern` matches a complete text: the cursor then moves
    to the next cell. `needed_pattern` matches the texts of the selector cell (`RowCodes.selector_cell`) for which this
    cell is needed.
    """

    name: str
    label: str  # marked for translation; may hold %(number)s
    prefix_pattern: str
    complete_pattern: str = ""
    needed_pattern: str = ""
    width: int = 2  # in characters
    needed: bool = True
    second_line: bool = False  # on a second line, which opens if the deal needs the cell
    on_demand: bool = False  # visible only if the rules reported an error for it, or if it has a text
    is_numeric: bool = False  # phones show the numeric keyboard
    is_seat_number: bool = False  # its text is a seat's printed number
    number: int = 0  # value of %(number)s in the label
    other_facts: tuple[str, ...] = ()  # names of further facts in this cell
    legend: tuple[str, ...] = ()  # lines that explain its codes, marked for translation; cells may have the same line


def cell_name_of_fact(field: str, columns: Sequence[Column]) -> str | None:
    """Return the name of the cell in which the fact `field` is typed, or None.

    If the fact has no cell, this is the cell of its nearest parent: "oudlers" for "oudlers.1".
    """
    cells = {name: column.name for column in columns for name in (*column.other_facts, column.name)}
    name = nearest_input(field, cells)
    return None if name is None else cells[name]


class Problem(NamedTuple):
    """The reason why a cell can't be read: a code of WORDS with its parameters."""

    code: str
    params: Mapping[str, Param]


class ParsedRow(NamedTuple):
    """The facts of a row (JSON of what happened), or None if some cell can't be read.

    `problems` has a problem by name of each cell that can't be read; its code is "missing" if a needed cell is empty.
    """

    facts: dict[str, Any] | None
    problems: dict[str, Problem]


@dataclass(frozen=True, kw_only=True)
class RowCodes:
    """A game's row of short codes, for the grid.

    `seats` in the functions are the printed seat numbers (from 1) of the players of the deal, in order.
    """

    # number of players -> the cells of a row, in the order of typing
    columns: Callable[[int], tuple[Column, ...]]
    parse: Callable[[Cells, Sequence[int]], ParsedRow]  # (cells, seats) -> the facts; the rules check them
    # (facts, seats, letters) -> the cells of legal facts; `parse` returns the same deal
    format_cells: Callable[[Mapping[str, Any], Sequence[int], str], dict[str, str]]
    # The letters that `format_cells` uses, marked for translation. `parse` accepts the letters of all languages: each
    # letter must have the same meaning in every language, and a translation can use only letters that `parse` accepts.
    letters: str = ""
    # Letters of the first line that are easily mistaken for each other, marked for translation as `letters` are.
    confusable_letters: str = ""
    # The cell whose text decides which other cells are needed, by their `needed_pattern`; "" without such a cell.
    selector_cell: str = ""

    def legend(self, seats: int) -> tuple[str, ...]:
        """Return lines that explain the codes of all cells, marked for translation."""
        return tuple(dict.fromkeys(line for column in self.columns(seats) for line in column.legend))

    def translated_cells(
        self, facts: Mapping[str, Any], seats: Sequence[int], translate: Translate = str
    ) -> dict[str, str]:
        return self.format_cells(facts, seats, translate(self.letters) if self.letters else "")


@dataclass(frozen=True)
class RowParser:
    """A parser for the cells of one row: a deal, typed as short codes.

    `problems` has the first problem of each wrong cell.
    """

    cells: Cells
    seats: Sequence[int]
    problems: dict[str, Problem] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return the text of the cell `name` in lower case, without spaces, and with a hyphen for a minus sign."""
        return re.sub(r"\s", "", self.cells.get(name, "")).replace("−", "-").lower()

    def add_problem(self, name: str, code: str, **params: Param) -> None:
        self.problems.setdefault(name, Problem(code, params))

    def code(self, name: str, codes: Mapping[str, str]) -> str | None:
        """Return the value in `codes` for the text of the cell `name`. If the text is unknown, add a problem and return
        None.
        """
        text = self.text(name)
        if text in codes:
            return codes[text]
        self._add_text_problem(name, text, "unknown_code")
        return None

    def seat(self, name: str, part: str | None = None, *, other_text: str = "") -> int | None:
        """Return the seat (from 0) for the seat number in the cell `name`, or in `part`, if the cell has several parts.

        If no seat has this number, add a problem and return None. The error message lists the allowed numbers, and
        `other_text`, if the caller accepts it as well.
        """
        text = self.text(name) if part is None else part
        if text.isdecimal() and int(text) in self.seats:
            return self.seats.index(int(text))
        allowed = [*([other_text] if other_text and text != other_text else []), *map(str, self.seats)]
        self._add_text_problem(name, text, "no_such_seat", allowed=", ".join(allowed))
        return None

    def integer(self, name: str) -> int | None:
        text = self.text(name)
        if re.fullmatch(r"[0-9]{1,4}", text):
            return int(text)
        self._add_text_problem(name, text, "unknown_number")
        return None

    def points(self, name: str) -> int | float | None:
        """Return the whole or half points in the cell (45, 45.5, 45,5 or 45½). For other texts, add a problem and
        return None.
        """
        text = self.text(name).replace(",", ".").replace("½", ".5")
        if re.fullmatch(r"[0-9]{1,3}(\.[05]?)?|\.5", text):
            number = float(text)
            return int(number) if number.is_integer() else number
        self._add_text_problem(name, text, "unknown_number")
        return None

    def tokens(self, name: str, pattern: str) -> Iterator[str]:
        """Yield the successive matches of `pattern` in the cell's text. At the first text that does not match, add a
        problem and stop.
        """
        text = self.text(name)
        start = 0
        while start < len(text):
            match = re.compile(pattern).match(text, start)
            if not match or not match[0]:
                return self.add_problem(name, "unknown_code", given=text[start:])
            yield match[0]
            start = match.end()

    def require_empty(self, *names: str, other_text: str = "") -> None:
        """Add a problem to each of the cells `names` that is not empty. `other_text` is also accepted."""
        for name in names:
            if self.text(name) not in ("", other_text):
                self.add_problem(name, "not_asked")

    def parsed_row(self, facts: dict[str, Any]) -> ParsedRow:
        """Return the row with all facts that are not None, or with the problems if a cell has a problem."""
        if self.problems:
            return ParsedRow(None, self.problems)
        return ParsedRow({name: value for name, value in facts.items() if value is not None}, {})

    def _add_text_problem(self, name: str, text: str, code: str, **params: Param) -> None:
        if text:
            self.add_problem(name, code, given=text, **params)
        else:
            self.add_problem(name, "missing")


def plain_number_text(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)
