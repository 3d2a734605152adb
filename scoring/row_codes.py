"""Types for a game's `row.py`: in the grid, a deal is typed as one row of short codes. No Django.

A cell has the name of its fact, like an input of the form. Texts are marked for translation here; the pages translate
them.
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
    """A cell that each row of the grid has.

    Three regular expressions must match whole texts; they use only syntax that Python and JavaScript share. `typed`
    matches each beginning of a valid text: a key that would not match goes to the next cell that accepts it, and empty
    optional cells are skipped. `full` matches a complete text: the cursor then moves to the next cell. `when` matches
    the texts of the row's `switch` cell for which this cell is needed.
    """

    name: str
    label: str  # marked for translation; may hold %(number)s
    typed: str
    full: str = ""
    when: str = ""
    width: int = 2  # in characters
    needed: bool = True
    second_line: bool = False  # on a second line, which opens if the deal needs the cell
    on_demand: bool = False  # visible only if the rules reported an error for it, or if it has a text
    digits: bool = False  # phones show the numeric keyboard
    seat: bool = False  # its text is a seat's printed number
    number: int = 0  # value of %(number)s in the label
    holds: tuple[str, ...] = ()  # further fields of the engine in this cell
    legend: tuple[str, ...] = ()  # lines that explain its codes, marked for translation; cells may have the same line


def cell_name_of_fact(field: str, columns: Sequence[Column]) -> str | None:
    cells = {name: column.name for column in columns for name in (*column.holds, column.name)}
    name = nearest_input(field, cells)
    return None if name is None else cells[name]


class Problem(NamedTuple):
    """The reason why a cell can't be read: a code of WORDS with its parameters."""

    code: str
    params: Mapping[str, Param]


class Reading(NamedTuple):
    """The result of reading a row: the facts (JSON of what happened), or None if some cell can't be read.

    `problems` has a problem for each cell that can't be read. The code for an empty cell is "missing".
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
    read: Callable[[Cells, Sequence[int]], Reading]  # (cells, seats) -> the facts; the rules check them
    # (facts, seats, letters) -> the cells of legal facts; `read` returns the same deal
    write: Callable[[Mapping[str, Any], Sequence[int], str], dict[str, str]]
    # The letters that `write` uses, marked for translation. `read` accepts the letters of all languages: each letter
    # must have the same meaning in every language, and a translation can use only letters that `read` accepts.
    letters: str = ""
    # Letters of the first line that are easily mistaken for each other, marked for translation as `letters` are.
    confusable: str = ""
    switch: str = ""  # the cell that decides which other cells are needed, by their `when`; "" without such a cell

    def legend(self, seats: int) -> tuple[str, ...]:
        """Return lines that explain the codes of all cells, marked for translation."""
        return tuple(dict.fromkeys(line for column in self.columns(seats) for line in column.legend))

    def cells(self, facts: Mapping[str, Any], seats: Sequence[int], translate: Translate = str) -> dict[str, str]:
        return self.write(facts, seats, translate(self.letters) if self.letters else "")


@dataclass(frozen=True)
class RowReader:
    """A reader for the cells of one row: a deal, typed as short codes. `problems` has the first problem of each wrong
    cell.
    """

    cells: Cells
    seats: Sequence[int]
    problems: dict[str, Problem] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return the text of the cell `name` in lower case, without spaces, and with a hyphen for a minus sign."""
        return re.sub(r"\s", "", self.cells.get(name, "")).replace("−", "-").lower()

    def refuse(self, name: str, code: str, **params: Param) -> None:
        self.problems.setdefault(name, Problem(code, params))

    def code(self, name: str, codes: Mapping[str, str]) -> str | None:
        """Return the value in `codes` for the text of the cell `name`. If the text is unknown, add a problem and return
        None.
        """
        text = self.text(name)
        if text in codes:
            return codes[text]
        self._refuse_text(name, text, "unknown_code")
        return None

    def seat(self, name: str, part: str | None = None, *, also: str = "") -> int | None:
        """Return the seat (from 0) for a printed seat number. `part` is the number; by default it is the text of the
        cell.

        If the number is unknown, add a problem and return None. `also` is another accepted text, listed in the error
        message.
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
        """Return the whole or half points in the cell (45, 45.5, 45,5 or 45½). For other texts, add a problem and
        return None.
        """
        text = self.text(name).replace(",", ".").replace("½", ".5")
        if re.fullmatch(r"[0-9]{1,3}(\.[05]?)?|\.5", text):
            number = float(text)
            return int(number) if number.is_integer() else number
        self._refuse_text(name, text, "unknown_number")
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
                return self.refuse(name, "unknown_code", given=text[start:])
            yield match[0]
            start = match.end()

    def require_empty(self, *names: str, also: str = "") -> None:
        """Add a problem to each of the cells `names` that is not empty. `also` is another accepted text."""
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


def plain_number_text(value: float) -> str:
    return str(int(value)) if value == int(value) else str(value)
