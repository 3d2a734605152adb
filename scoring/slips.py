"""What a recorded row would give if one of its cells were a little other: the slips that a cross-check tries out.

Pure: asks the game's row and its rules. Every cell's text is changed as hands and eyes do it: one character for
another, two neighbours swapped, a number one or two off, something left out or added; what the game can't read falls
away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.cross_check import Slip
from scoring.row_codes import RowCodes
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Rules

DIGITS = "0123456789"
SIGNS = "+-"
OFF = (-1, 1, -2, 2)  # by so much a number is miscounted or misread


def slips(
    rules: Rules, row: RowCodes, facts: Sequence[tuple[Mapping[str, Any], Sequence[int]]], size: int, options: Any
) -> Iterator[Slip]:
    """Yield every slip in the first lines of these deals, each with the seats that sit it out; `size`: the table's.

    Where a deal hands something on, a slip's points hold what it changes in the later deals, too.
    """
    sheet = [rules.read(size, deal) for deal, _resting in facts] if rules.carries(options) else []
    for index, (deal, resting) in enumerate(facts):
        playing = [seat for seat in range(size) if seat not in resting]
        carried = rules.carried(sheet[:index], options)
        later = _given(rules, sheet, index + 1, size, options)
        printed = [seat + 1 for seat in playing]
        cells = row.cells(deal, printed)
        for column, reason, might in _variants(row, cells, len(playing)):
            reading = row.read({**cells, column: might}, printed)
            if reading.facts is None:
                continue
            try:
                other = rules.read(len(playing), reading.facts)
            except IllegalDeal:
                continue
            points = [0] * size
            for seat, got in zip(playing, rules.score(other, options, *carried).points, strict=True):
                points[seat] = got
            if sheet:
                changed = _given(rules, [*sheet[:index], other, *sheet[index + 1 :]], index + 1, size, options)
                points = [own + then - now for own, then, now in zip(points, changed, later, strict=True)]
            yield Slip(index, reason, column, cells.get(column, ""), might, tuple(points))


def _given(rules: Rules, sheet: Sequence[Any], begin: int, size: int, options: Any) -> tuple[int, ...]:
    """Return what a sheet's deals from `begin` on give each seat."""
    points = (
        rules.score(sheet[at], options, *rules.carried(sheet[:at], options)).points for at in range(begin, len(sheet))
    )
    return tuple(map(sum, zip((0,) * size, *points, strict=True)))


def _variants(row: RowCodes, cells: Mapping[str, str], seats: int) -> Iterator[tuple[str, str, str]]:
    """Yield (column, reason, text) for each cell of the first line."""
    for column in row.columns(seats):
        if column.second_line:
            continue
        text = cells.get(column.name, "")
        for at in range(len(text) - 1):
            if text[at] != text[at + 1] and text[at : at + 2].isdecimal():
                yield column.name, "digits_swapped", text[:at] + text[at + 1] + text[at] + text[at + 2 :]
        for at, was in enumerate(text):
            reason = "other_seat" if column.seat else "other_digit" if was in DIGITS and len(text) > 1 else "other_code"
            for other in _others(was, row.confusable):
                yield column.name, reason, text[:at] + other + text[at + 1 :]
        if column.digits and not column.seat:
            yield from ((column.name, "near_number", near) for near in _near(text))
        if not column.needed:
            if text:
                yield column.name, "other_code", ""
            yield from ((column.name, "other_code", text + added) for added in (*SIGNS, *row.confusable))


def _near(text: str) -> Iterator[str]:
    """Yield a text with each of its numbers one or two off, where more than one digit changes: 40 for 39."""
    for found in re.finditer(r"\d+", text):
        was = found[0]
        for number in (int(was) + off for off in OFF):
            other = str(number)
            if number >= 0 and (len(other) != len(was) or sum(map(str.__ne__, other, was)) > 1):
                yield text[: found.start()] + other + text[found.end() :]


def _others(was: str, codes: str) -> str:
    for alike in (DIGITS, SIGNS, codes):
        if was in alike:
            return alike.replace(was, "")
    return ""
