"""A list that somebody pastes or takes from a file, and what he answered about its lines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from league.imports.queries.list_file import Sheet, UnreadableList, read_sheets
from league.imports.queries.workbook import MOST_TEXT
from league.web.upload_field import UploadField

if TYPE_CHECKING:
    from django.http import QueryDict


LONG: Final = 30_000  # characters of a text that is not shown


class PastedListForm(forms.Form):
    """A list, pasted or as a file. A subclass says how many lines it may have, and reads them.

    Of a workbook with several sheets one is chosen: until then the form carries them all.
    """

    most_lines: ClassVar[int]

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
    sheet = forms.CharField(required=False)  # a place among them

    @property
    def is_long(self) -> bool:
        """Whether the text is too long to be shown in a field."""
        return len(self["text"].value() or "") > LONG

    @property
    def asks_sheet(self) -> bool:
        """Whether a sheet of a workbook has to be chosen."""
        return self.has_error("sheet")

    def choices(self) -> list[tuple[int, Sheet]]:
        """Return the sheets to choose from, by their places."""
        return list(enumerate(_carried(self["sheets"].value() or "")))

    def read(self, text: str) -> None:
        """Keep what the list says. Raises UnreadableList."""
        raise NotImplementedError

    def clean(self) -> None:
        """Read the list; that of a file stands in the text from then on."""
        name, file = "text", self.cleaned_data.get("file")
        if self.errors:
            return
        try:
            if file:
                name = "file"
                self._take(read_sheets(file.read(), self.most_lines), chosen="")
            elif self._is_asked():
                self._take(_carried(self.cleaned_data["sheets"]), chosen=self.cleaned_data["sheet"])
            elif not self.cleaned_data["text"].strip():
                raise UnreadableList(_("Paste a list, or choose a file."))
            if not self.errors:
                self.read(self.data["text"])
        except UnreadableList as error:
            self.add_error(name, str(error.message))

    def _is_asked(self) -> bool:
        """Whether sheets were carried, and one of them is to be read: not what was typed meanwhile."""
        given = self.cleaned_data
        return bool(given["sheets"]) and (bool(given["sheet"]) or not given["text"].strip())

    def _take(self, sheets: Sequence[Sheet], *, chosen: str) -> None:
        """Put the only sheet into the text, or that which was chosen; else ask which."""
        self.data = data = cast("QueryDict", self.data).copy()
        places = {str(place): sheet for place, sheet in enumerate(sheets)}
        sheet = sheets[0] if len(sheets) == 1 else places.get(chosen)
        data["text"], data["sheets"] = (sheet.text, "") if sheet else ("", json.dumps(sheets, ensure_ascii=False))
        if sheet is None:
            self.add_error("sheet", _("This workbook has several sheets with something in them. Choose one."))


def _carried(carried: str) -> list[Sheet]:
    """Return the sheets that a form carried. Raises UnreadableList where it carried something else."""
    try:
        sheets = [Sheet(name, text) for name, text in json.loads(carried)] if len(carried) < 2 * MOST_TEXT else []
        whole = "".join(part for sheet in sheets for part in sheet)
        whole.encode()  # half a character, which JSON can hold, is no text
    except (ValueError, TypeError, RecursionError):
        whole = ""
    if not whole or "\0" in whole:
        raise UnreadableList(_("Paste a list, or choose a file."))
    return sheets


def answers_of(posted: Mapping[str, str]) -> dict[int, str]:
    """Return what was answered, by the number of who is asked about: fields are called `line-3`."""
    named = ((name.removeprefix("line-"), value) for name, value in posted.items() if name.startswith("line-"))
    return {int(line): value for line, value in named if line.isascii() and line.isdecimal() and len(line) < 8}
