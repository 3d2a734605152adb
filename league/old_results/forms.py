"""A list of results, pasted or as a file, and which of its columns is what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.old_results.result_list import MEANINGS, MOST_LINES, REQUIRED, Row
from league.web.list_file import rows_of
from league.web.list_form import PastedListForm


class ResultListForm(PastedListForm):
    """A list of results; its first line names the columns."""

    most_lines = MOST_LINES
    rows: list[Row]

    def read(self, text: str) -> None:
        """Keep its rows."""
        self.rows = rows_of(text, MOST_LINES)


class ColumnsForm(forms.Form):
    """Which column of a list is what, by its place."""

    def __init__(self, data: Mapping[str, Any], *, head: Sequence[str]) -> None:
        super().__init__(data, prefix="column")
        places = [("", "–"), *((str(place), cell.strip() or str(place + 1)) for place, cell in enumerate(head))]
        for meaning, (label, _called) in MEANINGS.items():
            needed = meaning in REQUIRED
            self.fields[meaning] = forms.ChoiceField(
                label=label,
                choices=places,
                required=needed,
                error_messages={"required": _("Choose the column that has it.")},
            )

    def clean(self) -> None:
        """Refuse a column that is two things, and a list without people."""
        chosen: dict[str, str] = {}
        for meaning in MEANINGS:
            place = self.cleaned_data.get(meaning, "")
            if place and (other := chosen.setdefault(place, meaning)) != meaning:
                self.add_error(meaning, _("This column is “%(other)s” already.") % {"other": MEANINGS[other].label})
        if not any(self.cleaned_data.get(each) for each in ("name", "given_name", "number")):
            self.add_error("name", _("Choose a column that tells who it is: a name, or a number."))

    @property
    def columns(self) -> dict[str, int]:
        """The place of each column that a valid form names."""
        return {meaning: int(place) for meaning, place in self.cleaned_data.items() if place}
