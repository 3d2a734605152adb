"""The grid of a table's sheet: its recorded deals as rows of codes, and what is said of the row that is typed.

How a row becomes a deal, deal_entry says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.translation import gettext

from league.models import Seat
from league.sheets.forms.row import RESTS, RowForm
from league.sheets.queries.score_sheet import ScoreSheet, SheetCell, SheetRow
from scoring.entry import UNFINISHED, Entry
from scoring.game import Game
from scoring.numbers import points as total_shown
from scoring.numbers import signed
from scoring.row_codes import Column


class CodedRow(NamedTuple):
    """A recorded deal: its codes, in the order of the first line's columns, and what it gave each seat."""

    row: SheetRow
    codes: list[tuple[Column, str]]
    cells: list[SheetCell]


def coded(game: Game, sheet: ScoreSheet, columns: Sequence[Column]) -> list[CodedRow]:
    """Return a sheet's rows as codes; the second line's cells are left to the row when it is revised."""
    return [CodedRow(row, _codes(game, sheet, row, columns), row.cells) for row in sheet.rows]


def _codes(game: Game, sheet: ScoreSheet, row: SheetRow, columns: Sequence[Column]) -> list[tuple[Column, str]]:
    playing = [seat.number + 1 for seat in sheet.seats if seat.number not in row.deal.rests]
    texts = game.row.cells(row.deal.facts, playing, gettext) if row.is_readable else {}
    if row.deal.rests:
        texts[RESTS] = str(row.deal.rests[0] + 1)
    return [(column, texts.get(column.name, "")) for column in columns if not column.second_line]


def by_seat(points: Sequence[int], seats: Sequence[Seat], resting: Sequence[int]) -> list[int | None]:
    """Return a deal's points by the table's seats; None for who sat it out."""
    rest = iter(points)
    return [None if seat.number in resting else next(rest) for seat in seats]


def said(form: RowForm, entry: Entry | None, before: Sequence[int]) -> dict[str, Any]:
    """Return what a row comes to, for the script: each part as it is to be shown.

    `points` by seat (null: rests, or nothing yet) with `shown`, and `totals` with what stood `before`; `wrong` by
    cell; `needed` cells; `doubts` in words with their `fingerprint`; `refused`: what no cell is to blame for.
    """
    errors = form.errors.as_data()
    wrong = {
        name.removeprefix("cell_"): " ".join(found)
        for name in errors
        if (found := [text for error in errors[name] if error.code not in UNFINISHED for text in error.messages])
        and name != NON_FIELD_ERRORS
    }
    needed = [
        name.removeprefix("cell_") for name in errors if name not in (NON_FIELD_ERRORS,) and _unfinished(errors[name])
    ]
    points = by_seat(entry.explanation.points, form.seats, form.resting) if entry else [None] * len(form.seats)
    totals = [total + (got or 0) for total, got in zip(before, points, strict=True)]
    return {
        "points": points,
        "shown": [signed(got) if got is not None else "" for got in points],
        "totals": [str(total_shown(total)) for total in totals],
        "wrong": wrong,
        "needed": needed,
        "doubts": list(entry.warnings) if entry else [],
        "fingerprint": entry.fingerprint if entry else "",
        "refused": [str(text) for text in form.non_field_errors()],
    }


def own_cells(form: RowForm, entry: Entry | None, before: Sequence[int]) -> list[tuple[Seat, SheetCell]]:
    """Return what the row that is typed gives each seat, and its total with it; nothing while it can't be read."""
    points = by_seat(entry.explanation.points, form.seats, form.resting) if entry else [None] * len(form.seats)
    cells = [SheetCell(got, total + (got or 0)) for got, total in zip(points, before, strict=True)]
    return list(zip(form.seats, cells, strict=True))


def _unfinished(errors: Sequence[forms.ValidationError]) -> bool:
    return all(error.code in UNFINISHED for error in errors)


def totals_before(text: str, seats: int) -> list[int]:
    """Return running totals as the page sends them, for showing only; zeros when they make no sense."""
    parts = text.split(",")
    if len(parts) != seats or not all(part.removeprefix("-").isdecimal() and len(part) < 9 for part in parts):
        return [0] * seats
    return [int(part) for part in parts]


def running(sheet: ScoreSheet, place: int) -> list[int]:
    """Return each seat's total before the deal of that number."""
    if place <= 1 or not sheet.rows:
        return [0] * len(sheet.seats)
    return [cell.total for cell in sheet.rows[min(place - 1, len(sheet.rows)) - 1].cells]
