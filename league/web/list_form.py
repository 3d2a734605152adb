"""A form for a list of names that a user pastes or uploads.

The page asks about each unclear line in a field of its own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from league.imports.queries.list_file import ListSheet, UnreadableList, read_sheets
from league.imports.queries.workbook import MAX_TEXT
from league.web.fields import UploadField
from league.web.numbers import numbered_fields

MAX_SHOWN_LENGTH: Final = 30_000  # characters; a longer text is not shown


class PastedListForm(forms.Form):
    """A pasted or uploaded list. A subclass sets `max_lines` and parses the text.

    If an uploaded workbook has several sheets, the user selects a sheet. Until then a hidden field contains all sheets.
    """

    max_lines: ClassVar[int]

    file = UploadField(
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

    sheets = forms.CharField(required=False, strip=False, widget=forms.HiddenInput())
    sheet = forms.CharField(required=False)  # the index of the selected sheet

    @property
    def is_long(self) -> bool:
        """Return whether the text is too long to be shown in the page."""
        return len(self["text"].value() or "") > MAX_SHOWN_LENGTH

    @property
    def needs_sheet_choice(self) -> bool:
        """Return whether the user must select a sheet of the workbook."""
        return self.has_error("sheet")

    def choices(self) -> list[tuple[int, ListSheet]]:
        """Return the sheets of the workbook with their indexes."""
        return list(enumerate(_parse_sheets(self["sheets"].value() or "")))

    def parse_text(self, text: str) -> None:
        """Parse the list. Subclasses override this method. Raise UnreadableList."""
        raise NotImplementedError

    def clean(self) -> None:
        """Read the file, if any, in place of the pasted text, and parse the list."""
        name, file = "text", self.cleaned_data.get("file")
        if self.errors:
            return
        try:
            if file:
                name = "file"
                self._select_sheet(read_sheets(file.read(), self.max_lines), index="")
            elif self._has_sheet_choice():
                self._select_sheet(_parse_sheets(self.cleaned_data["sheets"]), index=self.cleaned_data["sheet"])
            elif not self.cleaned_data["text"].strip():
                raise UnreadableList(_("Paste a list, or choose a file."))
            if not self.errors:
                self.parse_text(self.data["text"])
        except UnreadableList as error:
            self.add_error(name, str(error.message))

    def _has_sheet_choice(self) -> bool:
        fields = self.cleaned_data
        return bool(fields["sheets"]) and (bool(fields["sheet"]) or not fields["text"].strip())

    def _select_sheet(self, sheets: Sequence[ListSheet], *, index: str) -> None:
        self.data = data = cast("QueryDict", self.data).copy()
        by_index = {str(number): sheet for number, sheet in enumerate(sheets)}
        sheet = sheets[0] if len(sheets) == 1 else by_index.get(index)
        data["text"], data["sheets"] = (sheet.text, "") if sheet else ("", json.dumps(sheets, ensure_ascii=False))
        if sheet is None:
            self.add_error("sheet", _("This workbook has several sheets with something in them. Choose one."))


def _parse_sheets(text: str) -> list[ListSheet]:
    """Return the sheets of a workbook from the form's hidden field. Raise UnreadableList."""
    try:
        sheets = [ListSheet(name, content) for name, content in json.loads(text)] if len(text) < 2 * MAX_TEXT else []
        content = "".join(part for sheet in sheets for part in sheet)
        content.encode()  # raises UnicodeEncodeError for a lone surrogate
    except (ValueError, TypeError, RecursionError):
        content = ""
    if not content or "\0" in content:
        raise UnreadableList(_("Paste a list, or choose a file."))
    return sheets


def answers_by_line(posted: Mapping[str, str]) -> dict[int, str]:
    """Return the user's answers about unclear lines of a list, by the number of the line."""
    return numbered_fields(posted, "line-", max_digits=7)
