"""A deal as one row of short codes, as the grid has it: what a game's `row.py` is made of.

Pure: knows cells and printed seat numbers, no form, no page. A cell bears the name of the engine's field that it holds,
as the inputs of a form do. Words are marked for translation here and translated where they are shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scoring.field_names import nearest
from scoring.rules.errors import Param
from scoring.rules.words import KERNEL, Words
from scoring.rules.words import gettext_noop as _

Cells = Mapping[str, str]  # a cell's name → what stands in it
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
    """A cell that every row has.

    `typed` is a pattern that whatever has been typed so far matches: a key that breaks it goes to the next cell that it
    could begin, over empty ones that need not be filled. `full`: what matches it needs no further key, and the cursor
    moves on. `when`: the cell is asked for only if the row's `switch` cell matches this. Patterns are for whole texts,
    in what Python and scripts share.
    """

    name: str
    label: str  # marked for translation; may hold %(number)s
    typed: str
    full: str = ""
    when: str = ""
    width: int = 2  # in characters, also the most that fit comfortably
    needed: bool = True
    second_line: bool = False  # stands in the line that opens when it is asked for
    on_demand: bool = False  # stands there only once the rules ask for it, or something is in it
    digits: bool = False  # phones show their number keys
    seat: bool = False  # holds a seat's printed number
    number: int = 0
    holds: tuple[str, ...] = ()  # the engine's fields that stand in this cell beside the one whose name it bears
    legend: tuple[str, ...] = ()  # its codes in a few words, marked for translation; several cells may have one line


def cell_of(field: str, columns: Sequence[Column]) -> str | None:
    """Return the name of the cell in which an engine's field stands; None if it concerns the whole row."""
    cells = {held: column.name for column in columns for held in (*column.holds, column.name)}
    found = nearest(field, cells)
    return None if found is None else cells[found]


class Problem(NamedTuple):
    """Why a cell can't be read: a code of WORDS and what fills its text."""

    code: str
    params: Mapping[str, Param]


class Reading(NamedTuple):
    """What a row says: `facts`, or None with the `problems` of its cells; an empty cell's code is "missing"."""

    facts: dict[str, Any] | None
    problems: dict[str, Problem]


@dataclass(frozen=True, kw_only=True)
class RowCodes:
    """A game's row: a value made of functions. `seats` are the printed numbers (from 1) of those who play, in order."""

    # seats, a number -> the cells of a table at which so many play each deal, in the order in which they are filled
    columns: Callable[[int], tuple[Column, ...]]
    read: Callable[[Cells, Sequence[int]], Reading]  # (cells, seats) -> the facts; whether they are possible, rules say
    # (facts, seats, letters) -> the cells of facts that the rules accept; `read` of them is the same deal
    write: Callable[[Mapping[str, Any], Sequence[int], str], dict[str, str]]
    letters: str = (
        ""  # those that `write` uses, marked for translation; a translation chooses among those that are read
    )
    confusable: str = ""  # the letters of the first line that may be typed for one another
    switch: str = ""  # the cell that decides which others are asked for; "" if none does

    def legend(self, seats: int) -> tuple[str, ...]:
        """Return the codes in a few words, marked for translation, at a table where so many play."""
        return tuple(dict.fromkeys(line for column in self.columns(seats) for line in column.legend))

    def cells(self, facts: Mapping[str, Any], seats: Sequence[int], translate: Translate = str) -> dict[str, str]:
        """Return the cells of facts, in the letters of the reader's language."""
        return self.write(facts, seats, translate(self.letters) if self.letters else "")


@dataclass(frozen=True)
class Reader:
    """Reads one row's cells and gathers what is wrong with them."""

    cells: Cells
    seats: Sequence[int]
    problems: dict[str, Problem] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """Return what stands in a cell, without blanks, in lower case, with a plain minus."""
        return re.sub(r"\s", "", self.cells.get(name, "")).replace("−", "-").lower()

    def refuse(self, name: str, code: str, **params: Param) -> None:
        """Note what is wrong with a cell; the first thing stays."""
        self.problems.setdefault(name, Problem(code, params))

    def code(self, name: str, codes: Mapping[str, str]) -> str | None:
        """Return what a cell's code stands for."""
        text = self.text(name)
        if text in codes:
            return codes[text]
        self._refuse_text(name, text, "unknown_code")
        return None

    def seat(self, name: str, text: str | None = None, *, also: str = "") -> int | None:
        """Return the engine's seat of a printed number, which is the whole cell or the `text` out of it.

        `also` is what else such a cell may hold, for whoever is told what to write.
        """
        shown = self.text(name) if text is None else text
        if shown.isdecimal() and int(shown) in self.seats:
            return self.seats.index(int(shown))
        allowed = [*([also] if also and shown != also else []), *map(str, self.seats)]
        self._refuse_text(name, shown, "no_such_seat", allowed=", ".join(allowed))
        return None

    def integer(self, name: str) -> int | None:
        """Return a whole number."""
        text = self.text(name)
        if re.fullmatch(r"[0-9]{1,4}", text):
            return int(text)
        self._refuse_text(name, text, "unknown_number")
        return None

    def points(self, name: str) -> int | float | None:
        """Return a number that may end in a half: 45, 45.5, 45,5 or 45½."""
        text = self.text(name).replace(",", ".").replace("½", ".5")
        if re.fullmatch(r"[0-9]{1,3}(\.[05]?)?|\.5", text):
            number = float(text)
            return int(number) if number.is_integer() else number
        self._refuse_text(name, text, "unknown_number")
        return None

    def tokens(self, name: str, pattern: str) -> Iterator[str]:
        """Yield a cell's codes one after the other, up to the first that isn't understood."""
        text = self.text(name)
        at = 0
        while at < len(text):
            found = re.compile(pattern).match(text, at)
            if not found or not found[0]:
                return self.refuse(name, "unknown_code", given=text[at:])
            yield found[0]
            at = found.end()

    def leave_empty(self, *names: str, but: str = "") -> None:
        """Refuse whatever stands in these cells, except the text `but`."""
        for name in names:
            if self.text(name) not in ("", but):
                self.refuse(name, "not_asked")

    def result(self, facts: dict[str, Any]) -> Reading:
        """Return the facts without what is None, if nothing was wrong."""
        told = {name: value for name, value in facts.items() if value is not None}
        return Reading(None if self.problems else told, self.problems)

    def _refuse_text(self, name: str, text: str, code: str, **params: Param) -> None:
        if text:
            self.refuse(name, code, given=text, **params)
        else:
            self.refuse(name, "missing")


def number_text(value: float) -> str:
    """Return a number as a cell has it: 45 or 45.5."""
    return str(int(value)) if value == int(value) else str(value)
