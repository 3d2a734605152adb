"""A list of results, pasted or as a file, and which of its columns is what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from league.old_results.result_list import MEANINGS, MOST_LINES, REQUIRED, Row
from league.web.list_file import UnreadableList, rows_of, text_of

if TYPE_CHECKING:
    from django.http import QueryDict


class ResultListForm(forms.Form):
    """The list; its first line names the columns."""

    rows: list[Row]

    file = forms.FileField(
        label=_("Take it from a file (XLSX or CSV)"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".xlsx,.csv,.txt,.tsv"}),
    )
    text = forms.CharField(
        label=_("The list"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
    )

    def clean(self) -> None:
        """Read the list into `rows`; that of a file stands in the text from then on."""
        name, file = "text", self.cleaned_data.get("file")
        if self.errors:
            return
        try:
            if file:
                name = "file"
                self.data = data = cast("QueryDict", self.data).copy()
                data["text"] = text_of(file.read(), MOST_LINES)
            elif not self.cleaned_data["text"].strip():
                raise UnreadableList(_("Paste a list, or choose a file."))
            self.rows = rows_of(self.data["text"])
            if len(self.rows) > MOST_LINES:
                raise UnreadableList(
                    _("The list has %(given)s lines; at most %(most)s come in at once.")
                    % {"given": len(self.rows) - 1, "most": MOST_LINES - 1}
                )
        except UnreadableList as error:
            self.add_error(name, str(error.message))


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
