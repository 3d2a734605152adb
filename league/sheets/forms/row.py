"""A row of the grid as a form, with one field per cell of codes. The form only parses: it stores and scores nothing.

The grid shows the deals of a table, one deal per row, entered by short codes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.models import Deal, Seat, Table
from league.sheets.forms.sheet_write import SheetWriteForm
from league.sheets.queries.deal_scores import default_resting_seats, is_readable
from league.sheets.queries.score_sheet import playing_names
from scoring.game import Game
from scoring.phrases import cell_problem_text, column_label
from scoring.row_codes import Column, cell_name_of_fact
from scoring.rules.words import gettext_noop

RESTING_SEAT_FIELD = "rests"
MAX_CELL_LENGTH = 20  # characters in a cell


def cell_field_name(column: str) -> str:
    return f"cell_{column}"


def row_columns(game: Game, table: Table) -> tuple[Column, ...]:
    """Return the columns of the grid, which has one row of short codes per deal.

    If one player of the table rests in each deal, the resting seat is the first column.
    """
    columns = game.row.columns(table.players_of_deal)
    if not table.one_rests:
        return columns
    complete_pattern = "." if table.size < 10 else ""
    return (
        Column(
            RESTING_SEAT_FIELD,
            gettext_noop("Rests"),
            "[0-9]{0,2}",
            complete_pattern=complete_pattern,
            width=1,
            is_numeric=True,
        ),
        *columns,
    )


class RowForm(SheetWriteForm):
    """The short codes of one deal, as a row of the grid (a page with one row per deal of a table)."""

    def __init__(
        self, data: Any = None, *, game: Game, table: Table, seats: Sequence[Seat], deal_number: int, deal: Deal | None
    ) -> None:
        """`deal_number` is the number of the deal, also of a new deal.

        `deal` is the deal to revise; None for a new deal.
        """
        super().__init__(data, reason_needed=table.requires_reason, seen_version=deal.version if deal else None)
        self.fields["reason"].widget.attrs["class"] = "form-control"
        self.game, self.table, self.seats = game, table, seats
        self.initial_resting_seats = deal.rests if deal else default_resting_seats(table, deal_number)
        self.columns = row_columns(game, table)
        self.parsed_facts: dict[str, Any] = {}
        self.current_version = deal.version if deal else None  # the version of the stored deal
        for column in self.columns:
            label = column_label(column)
            widget = _cell_input(column, table.size)
            self.fields[cell_field_name(column.name)] = forms.CharField(
                label=label, required=False, max_length=MAX_CELL_LENGTH, widget=widget
            )
        if table.one_rests:
            self.initial[cell_field_name(RESTING_SEAT_FIELD)] = str(self.initial_resting_seats[0] + 1)
        if deal is not None and is_readable(table, deal):
            cells = game.row.translated_cells(deal.facts, self.playing_seats, gettext)
            self.initial.update({cell_field_name(name): text for name, text in cells.items()})

    @property
    def resting_seats(self) -> list[int]:
        """Return the numbers of the resting seats, as typed so far; the default if the typed seat is invalid."""
        if not self.initial_resting_seats:
            return []
        typed = str(self[cell_field_name(RESTING_SEAT_FIELD)].value() or "")
        is_seat = typed.isdecimal() and len(typed) <= MAX_CELL_LENGTH and 1 <= int(typed) <= self.table.size
        return [int(typed) - 1] if is_seat else list(self.initial_resting_seats)

    @property
    def playing_seats(self) -> list[int]:
        """Return the seats that do not rest, counted from 1."""
        resting = self.resting_seats
        return [seat.number + 1 for seat in self.seats if seat.number not in resting]

    @property
    def playing_names(self) -> list[str]:
        """Return the names of the players who do not rest, by seat."""
        return playing_names(self.seats, self.resting_seats)

    def show_conflict(self, version: int, summary: str) -> None:
        """Add an error with the stored deal, which another user has changed: its version number and its summary."""
        self.current_version = version
        text = _("This deal was changed meanwhile. It is now: %(deal)s. Send yours again to replace it.")
        self.add_error(None, ValidationError(text, code="stale", params={"deal": summary}))

    def first_line(self) -> list[tuple[Column, forms.BoundField]]:
        """Return the columns of the row's first line, with their fields."""
        return [(column, self[cell_field_name(column.name)]) for column in self.columns if not column.second_line]

    def second_line(self) -> list[tuple[Column, forms.BoundField]]:
        """Return the columns of the row's second line, with their fields."""
        return [(column, self[cell_field_name(column.name)]) for column in self.columns if column.second_line]

    def clean(self) -> None:
        cells = {column.name: self.cleaned_data.get(cell_field_name(column.name), "") for column in self.columns}
        if self.initial_resting_seats and cells.pop(RESTING_SEAT_FIELD) != str(self.resting_seats[0] + 1):
            self.add_error(
                cell_field_name(RESTING_SEAT_FIELD),
                ValidationError(_("This is no seat of the table."), code="no_such_seat"),
            )
        parsed_row = self.game.row.parse(cells, self.playing_seats)
        columns = {column.name: column for column in self.columns}
        for name, problem in parsed_row.problems.items():
            text = cell_problem_text(problem, columns[name])
            self.add_error(cell_field_name(name), ValidationError(text, code=problem.code))
        self.parsed_facts = parsed_row.facts or {}

    def facts(self) -> dict[str, Any]:
        """Return the facts of the deal; {} if the row has errors."""
        return self.parsed_facts

    def input_name_of_fact(self, field: str) -> str | None:
        """Return the name of the input for a field of the facts; None if no cell contains the field."""
        cell = cell_name_of_fact(field, self.columns)
        return None if cell is None else cell_field_name(cell)


def _cell_input(column: Column, size: int) -> forms.TextInput:
    attrs: dict[str, Any] = {
        "class": "form-control cell",
        "size": column.width,
        "autocomplete": "off",
        "autocapitalize": "none",
        "spellcheck": "false",
        "data-cell": column.name,
        "data-typed": column.prefix_pattern,
        "data-full": column.complete_pattern,
        "data-when": column.needed_pattern,
    }
    if column.is_numeric:
        attrs["inputmode"] = "decimal"
    if column.is_seat_number:
        attrs["data-most"] = size
    if column.needed:
        attrs["data-needed"] = ""
    if column.on_demand:
        attrs["data-on-demand"] = ""
    return forms.TextInput(attrs)
