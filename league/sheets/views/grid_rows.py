"""The rows of the grid, a page with one row of short codes per deal of a table.

Recorded deals are shown as codes. The open row, where a deal is entered, also has points, errors and warnings.
`deal_entry` parses and writes the open row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.utils.translation import gettext

from league.models import Seat
from league.sheets.forms.row import RESTING_SEAT_FIELD, RowForm
from league.sheets.queries.score_sheet import ScoreSheet, SheetCell, SheetRow
from scoring.entry import UNFINISHED_ERROR_CODES, Entry
from scoring.game import Game
from scoring.numbers import points as format_total
from scoring.numbers import signed_points
from scoring.row_codes import Column


class RecordedGridRow(NamedTuple):
    """A recorded deal as a row of short codes: (column, code) pairs, and points with running totals per seat."""

    row: SheetRow
    codes: list[tuple[Column, str]]
    cells: list[SheetCell]


def recorded_grid_rows(game: Game, sheet: ScoreSheet, columns: Sequence[Column]) -> list[RecordedGridRow]:
    return [RecordedGridRow(row, _codes(game, sheet, row, columns), row.cells) for row in sheet.rows]


def _codes(game: Game, sheet: ScoreSheet, row: SheetRow, columns: Sequence[Column]) -> list[tuple[Column, str]]:
    playing = [seat.number + 1 for seat in sheet.seats if seat.number not in row.deal.rests]
    texts = game.row.translated_cells(row.deal.facts, playing, gettext) if row.is_readable else {}
    if row.deal.rests:
        texts[RESTING_SEAT_FIELD] = str(row.deal.rests[0] + 1)
    return [(column, texts.get(column.name, "")) for column in columns if not column.second_line]


def points_by_seat(points: Sequence[int], seats: Sequence[Seat], resting: Sequence[int]) -> list[int | None]:
    """Return the points by seat; None for a resting seat. `points` are in order of the seats that play."""
    remaining_points = iter(points)
    return [None if seat.number in resting else next(remaining_points) for seat in seats]


def row_json(form: RowForm, entry: Entry | None, before: Sequence[int]) -> dict[str, Any]:
    """Return the points, errors and warnings of the row that the user is typing, as JSON for the script.

    `before` are the running totals before this deal. In the result, `points` are by seat (null if the seat rests or the
    points are unknown), `shown` is their text, and `totals` are the running totals after this deal. `wrong` are errors
    by cell, `needed` the names of missing cells, `refused` errors without a cell. `doubts` are warnings; to confirm
    them, the script sends `fingerprint`.
    """
    errors = form.errors.as_data()
    wrong = {
        name.removeprefix("cell_"): " ".join(texts)
        for name in errors
        if (
            texts := [
                text for error in errors[name] if error.code not in UNFINISHED_ERROR_CODES for text in error.messages
            ]
        )
        and name != NON_FIELD_ERRORS
    }
    needed = [
        name.removeprefix("cell_")
        for name in errors
        if name not in (NON_FIELD_ERRORS,) and _is_unfinished(errors[name])
    ]
    points = _open_row_points(form, entry)
    totals = [total + (got or 0) for total, got in zip(before, points, strict=True)]
    return {
        "points": points,
        "shown": [signed_points(got) if got is not None else "" for got in points],
        "totals": [str(format_total(total)) for total in totals],
        "wrong": wrong,
        "needed": needed,
        "doubts": list(entry.warnings) if entry else [],
        "fingerprint": entry.fingerprint if entry else "",
        "refused": [str(text) for text in form.non_field_errors()],
    }


def open_row_cells(form: RowForm, entry: Entry | None, before: Sequence[int]) -> list[tuple[Seat, SheetCell]]:
    """Return each seat with its points and its running total in the row that the user is typing.

    `before` are the running totals before this deal.
    """
    points = _open_row_points(form, entry)
    cells = [SheetCell(got, total + (got or 0)) for got, total in zip(points, before, strict=True)]
    return list(zip(form.seats, cells, strict=True))


def _open_row_points(form: RowForm, entry: Entry | None) -> list[int | None]:
    if entry is None:
        return [None] * len(form.seats)
    return points_by_seat(entry.explanation.points, form.seats, form.resting_seats)


def _is_unfinished(errors: Sequence[forms.ValidationError]) -> bool:
    return all(error.code in UNFINISHED_ERROR_CODES for error in errors)


def parse_totals(text: str, seats: int) -> list[int]:
    """Return the running totals that the page sent, by seat; zeros if they are invalid. They are only displayed."""
    parts = text.split(",")
    if len(parts) != seats or not all(part.removeprefix("-").isdecimal() and len(part) < 9 for part in parts):
        return [0] * seats
    return [int(part) for part in parts]


def running_totals(sheet: ScoreSheet, deal_number: int) -> list[int]:
    """Return the totals by seat before the deal with this number."""
    if deal_number <= 1 or not sheet.rows:
        return [0] * len(sheet.seats)
    return [cell.total for cell in sheet.rows[min(deal_number - 1, len(sheet.rows)) - 1].cells]
