"""What a recorded row would give if one of its cells were a little other: the slips that a cross-check tries out.

Pure: asks the game's row and its rules. Every cell's text is changed as hands and eyes do it: one character for
another, two neighbours swapped, something left out or added; what the game can't read falls away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.cross_check import Slip
from scoring.row_codes import RowCodes
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Rules

DIGITS = "0123456789"
SIGNS = "+-"


def slips(
    rules: Rules, row: RowCodes, facts: Sequence[tuple[Mapping[str, Any], Sequence[int]]], size: int, options: Any
) -> Iterator[Slip]:
    """Yield every slip in the first lines of these deals, each with the seats that sit it out; `size`: the table's."""
    for index, (deal, resting) in enumerate(facts):
        playing = [seat for seat in range(size) if seat not in resting]
        carried = _carried(rules, facts[:index], size, options)
        printed = [seat + 1 for seat in playing]
        cells = row.written(deal, printed)
        for column, reason, might in _variants(row, cells, len(playing)):
            reading = row.read({**cells, column: might}, printed)
            if reading.facts is None:
                continue
            try:
                score = rules.score(rules.read(len(playing), reading.facts), options, *carried)
            except IllegalDeal:
                continue
            points = [0] * size
            for seat, got in zip(playing, score.points, strict=True):
                points[seat] = got
            yield Slip(index, reason, column, cells.get(column, ""), might, tuple(points))


def _carried(
    rules: Rules, earlier: Sequence[tuple[Mapping[str, Any], Sequence[int]]], size: int, options: Any
) -> tuple[Any, ...]:
    """Return what these deals hand on to the next; they are read only for a game in which they do."""
    return rules.carried([rules.read(size, facts) for facts, _resting in earlier], options) if rules.carry else ()


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
        if not column.needed:
            if text:
                yield column.name, "other_code", ""
            yield from ((column.name, "other_code", text + added) for added in (*SIGNS, *row.confusable))


def _others(was: str, codes: str) -> str:
    for alike in (DIGITS, SIGNS, codes):
        if was in alike:
            return alike.replace(was, "")
    return ""
