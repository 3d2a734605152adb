from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.imports.work.cells import MAX_LINES, ColumnMeaning, Row, read_results_rows
from league.imports.work.deal_list import HEADED_COLUMNS, PLAYER_COLUMN
from league.imports.work.list_kinds import EVENING_DATE_FIELD, ChosenColumns, DealsList, ListKind
from league.web.fields import BoundedDateField
from league.web.list_form import PastedListForm


class ResultListForm(PastedListForm):
    """A list of results, pasted or uploaded. If the form is valid, `rows` are its rows with line numbers."""

    max_lines = MAX_LINES
    rows: list[Row]

    def parse_text(self, text: str) -> None:
        self.rows = read_results_rows(text)


class ColumnsForm(forms.Form):
    """The user's choice of a column for each meaning, such as "points".

    `head` is the header of the list. `meanings` are the possible meanings by name; a meaning in `required` must get a
    column.
    """

    def __init__(
        self,
        data: Mapping[str, Any],
        *,
        head: Sequence[str],
        meanings: Mapping[str, ColumnMeaning],
        required: Collection[str],
    ) -> None:
        super().__init__(data, prefix="column")
        self.meanings = meanings
        self.column_choices = [(str(index), cell.strip() or str(index + 1)) for index, cell in enumerate(head)]
        for meaning, (label, _headings, _rare) in meanings.items():
            self.fields[meaning] = forms.ChoiceField(
                label=label,
                choices=[("", "–"), *self.column_choices],
                required=meaning in required,
                error_messages={"required": _("Choose the column that has it.")},
            )
        self.fields[EVENING_DATE_FIELD] = BoundedDateField(
            label=_("Date of the evening, if no column has it"), required=False, input_formats=["%Y-%m-%d"]
        )

    def clean(self) -> None:
        meaning_by_column: dict[str, str] = {}
        for meaning, (label, *_rest) in self.meanings.items():
            column = self.cleaned_data.get(meaning, "")
            if column and (previous := meaning_by_column.setdefault(column, meaning)) != meaning:
                label = self.meanings[previous].label
                self.add_error(meaning, _("This column is “%(other)s” already.") % {"other": label})
        self.check_player_columns(meaning_by_column)
        if not self.cleaned_data.get("day") and not self.cleaned_data.get(EVENING_DATE_FIELD):
            self.add_error("day", _("Choose the column that has the date, or give one date for all lines."))

    def check_player_columns(self, meaning_by_column: Mapping[str, str]) -> None:
        """Add an error if no column identifies the players. The keys of `meaning_by_column` are indexes of columns."""
        if not any(self.cleaned_data.get(meaning) for meaning in ("name", "given_name", "number")):
            self.add_error("name", _("Choose a column that tells who it is: a name, or a number."))

    @property
    def chosen_columns(self) -> ChosenColumns:
        indexes = {name: int(self.cleaned_data[name]) for name in self.meanings if self.cleaned_data[name]}
        day = None if self.cleaned_data["day"] else self.cleaned_data[EVENING_DATE_FIELD]
        return ChosenColumns(indexes, day, list(map(int, self.cleaned_data.get(HEADED_COLUMNS, ()))))

    def usual_fields(self) -> list[forms.BoundField]:
        return [self[name] for name, meaning in self.meanings.items() if not meaning.rare]

    def rare_fields(self) -> list[forms.BoundField]:
        return [self[name] for name, meaning in self.meanings.items() if meaning.rare]

    @property
    def shows_rare_fields(self) -> bool:
        """Whether the page shows the fields for rare columns at first, since one of them has a value or an error."""
        return any(field.value() or field.errors for field in self.rare_fields())


class DealColumnsForm(ColumnsForm):
    def __init__(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        field = forms.MultipleChoiceField(
            label=_("Columns headed by a player’s name, with the player’s points in each deal"),
            choices=self.column_choices,
            required=False,
            widget=forms.CheckboxSelectMultiple(),
        )
        self.fields[HEADED_COLUMNS] = field
        # Columns that have another meaning cannot be chosen.
        used = {self[meaning].value() for meaning in self.meanings} - set(self[HEADED_COLUMNS].value() or ())
        field.widget.choices = [(index, cell) for index, cell in self.column_choices if index not in used]

    def check_player_columns(self, meaning_by_column: Mapping[str, str]) -> None:
        headed_columns = self.cleaned_data.get(HEADED_COLUMNS, [])
        players = [name for name in meaning_by_column.values() if name.startswith(f"{PLAYER_COLUMN}.")]
        if headed_columns and players:
            self.add_error(HEADED_COLUMNS, _("Players have columns of their own already: choose one or the other."))
        elif len(headed_columns) == 1 or len(players) == 1 or not (headed_columns or players):
            self.add_error(f"{PLAYER_COLUMN}.1", _("Choose the columns that tell who played: each player’s."))
        for column in headed_columns:
            if column in meaning_by_column:
                label = self.meanings[meaning_by_column[column]].label
                self.add_error(HEADED_COLUMNS, _("This column is “%(other)s” already.") % {"other": label})


def make_columns_form(kind: ListKind, data: Mapping[str, Any], rows: Sequence[Row]) -> ColumnsForm:
    form = DealColumnsForm if isinstance(kind, DealsList) else ColumnsForm
    return form(data, head=rows[0][1], meanings=kind.meanings, required=kind.required)
