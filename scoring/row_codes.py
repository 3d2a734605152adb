"""A deal as one row of short codes in the grid: the types of a game's `row.py`. Pure.

A cell has the name of its field of the engine, as the inputs of a form do. Texts are marked for translation here and
translated by the pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scoring.field_names import nearest_input
from scoring.rules.errors import Param
from scoring.rules.words import KERNEL, Words
from scoring.rules.words import gettext_noop as _

Cells = Mapping[str, str]  # the texts of the cells, by their names
Translate = Callable[[str], str]

WORDS: Words = {
    **KERNEL,
    "unknown_code": _("%(given)s is not understood here."),
    "not_among": _("%(given)s is not understood here. Write %(allowed)s."),
    "unknown_number": _("%(given)s is not understood here. Write a number."),
    "no_such_seat": _("%(given)s does not play this deal. Write %(allowed)s."),
    "code_twice": _("%(given)s is written twice."),
    "not_asked": _("Leave this empty in such a deal."),
}


class Column(NamedTuple):
    """A cell of each row.

    Three patterns match whole texts; they use syntax that Python and JavaScript share. `typed`: any beginning of a
    valid text. A key that would break it goes to the next cell that can begin with it; optional empty cells are
    skipped. `full`: a complete text; the cursor moves to the next cell. `when`: the texts of the row's `switch` cell
    that need this cell.
    """

    name: str
    label: str  # marked for translation; may hold %(number)s
    typed: str
    full: str = ""
    when: str = ""
    width: int = 2  # in characters
    needed: bool = True
    second_line: bool = False  # on a second line, which opens if the deal needs the cell
    on_demand: bool = False  # visible only after an error of the rules on it, or if it has a text
    digits: bool = False  # phones show the numeric keyboard
    seat: bool = False  # has a seat's printed number
    number: int = 0
    holds: tuple[str, ...] = ()  # further fields of the engine in this cell
    legend: tuple[str, ...] = ()  # its codes and their meanings, marked for translation; cells may share a line


def cell_of(field: str, columns: Sequence[Column]) -> str | None:
    cells = {name: column.name for column in columns for name in (*column.holds, column.name)}
    name = nearest_input(field, cells)
    return None if name is None else cells[name]


class Problem(NamedTuple):
    """Why a cell can't be read: a code of WORDS with its parameters."""

    code: str
    params: Mapping[str, Param]


class Reading(NamedTuple):
    """The `facts` of a row; if cells can't be read, None, with a problem for each of them.

    An empty cell has the code "missing".
    """

    facts: dict[str, Any] | None
    problems: dict[str, Problem]


@dataclass(frozen=True, kw_only=True)
class RowCodes:
    """A game's row. `seats` are the printed numbers (from 1) of the players of the deal, in order."""

    # number of players -> the cells of a row, in the order of typing
    columns: Callable[[int], tuple[Column, ...]]
    read: Callable[[Cells, Sequence[int]], Reading]  # (cells, seats) -> the facts; the rules check them
    # (facts, seats, letters) -> the cells of legal facts; `read` returns the same deal
    write: Callable[[Mapping[str, Any], Sequence[int], str], dict[str, str]]
    # The letters of `write`, marked for translation. `read` has one table of letters for all languages: each letter
    # must mean the same in every language, and a translation chooses among the letters of the table.
    letters: str = ""
    # Letters of the first line that are easily mistaken for each other, marked for translation as `letters` are.
    confusable: str = ""
    switch: str = ""  # the cell that decides which other cells are needed, by their `when`; "" without such a cell

    def legend(self, seats: int) -> tuple[str, ...]:
        """Return the codes of all cells with their meanings, marked for translation."""
        return tuple(dict.fromkeys(line for column in self.columns(seats) for line in column.legend))

    def cells(self, facts: Mapping[str, Any], seats: Sequence[int], translate: Translate = str) -> dict[str, str]:
        return self.write(facts, seats, translate(self.letters) if self.letters else "")


@dataclass(frozen=True)
class RowReader:
    """Reads the cells of a row; `problems` has the first problem of each cell that can't be read."""

    cells: Cells
    seats: Sequence[int]
    problems: dict[str, Problem] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return a cell's text in lower case, without spaces, and with a hyphen for a minus sign."""
        return re.sub(r"\s", "", self.cells.get(name, "")).replace("−", "-").lower()

    def refuse(self, name: str, code: str, **params: Param) -> None:
        self.problems.setdefault(name, Problem(code, params))

    def code(self, name: str, codes: Mapping[str, str]) -> str | None:
        """Return the meaning of the code in the cell `name`, or None and refuse an unknown one."""
        text = self.text(name)
        if text in codes:
            return codes[text]
        self._refuse_text(name, text, "unknown_code")
        return None

    def seat(self, name: str, part: str | None = None, *, also: str = "") -> int | None:
        """Return the engine's seat of a printed number: the whole cell or the given part of it.

        `also`: another accepted text, listed in the error message.
        """
        text = self.text(name) if part is None else part
        if text.isdecimal() and int(text) in self.seats:
            return self.seats.index(int(text))
        allowed = [*([also] if also and text != also else []), *map(str, self.seats)]
        self._refuse_text(name, text, "no_such_seat", allowed=", ".join(allowed))
        return None

    def integer(self, name: str) -> int | None:
        text = self.text(name)
        if re.fullmatch(r"[0-9]{1,4}", text):
            return int(text)
        self._refuse_text(name, text, "unknown_number")
        return None

    def points(self, name: str) -> int | float | None:
        """Return whole or half points (45, 45.5, 45,5 or 45½), or None with a problem for any other text."""
        text = self.text(name).replace(",", ".").replace("½", ".5")
        if re.fullmatch(r"[0-9]{1,3}(\.[05]?)?|\.5", text):
            number = float(text)
            return int(number) if number.is_integer() else number
        self._refuse_text(name, text, "unknown_number")
        return None

    def tokens(self, name: str, pattern: str) -> Iterator[str]:
        """Yield a cell's successive matches of the pattern; stop and add a problem where it does not match."""
        text = self.text(name)
        start = 0
        while start < len(text):
            match = re.compile(pattern).match(text, start)
            if not match or not match[0]:
                return self.refuse(name, "unknown_code", given=text[start:])
            yield match[0]
            start = match.end()

    def require_empty(self, *names: str, also: str = "") -> None:
        """Add a problem to each of these cells that is not empty. `also`: another accepted text."""
        for name in names:
            if self.text(name) not in ("", also):
                self.refuse(name, "not_asked")

    def result(self, facts: dict[str, Any]) -> Reading:
        if self.problems:
            return Reading(None, self.problems)
        return Reading({name: value for name, value in facts.items() if value is not None}, {})

    def _refuse_text(self, name: str, text: str, code: str, **params: Param) -> None:
        if text:
            self.refuse(name, code, given=text, **params)
        else:
            self.refuse(name, "missing")


def number_text(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)
