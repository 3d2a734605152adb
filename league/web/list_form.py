"""A list that somebody pastes or takes from a file, and what he answered about its lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, cast

from django import forms
from django.utils.translation import gettext_lazy as _

from league.web.list_file import UnreadableList, text_of

if TYPE_CHECKING:
    from django.http import QueryDict


class PastedListForm(forms.Form):
    """A list, pasted or as a file. A subclass says how many lines it may have, and reads them."""

    most_lines: ClassVar[int]

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
                self.data = data = cast("QueryDict", self.data).copy()
                data["text"] = text_of(file.read(), self.most_lines)
            elif not self.cleaned_data["text"].strip():
                raise UnreadableList(_("Paste a list, or choose a file."))
            self.read(self.data["text"])
        except UnreadableList as error:
            self.add_error(name, str(error.message))


def answers_of(posted: Mapping[str, str]) -> dict[int, str]:
    """Return what was answered, by the number of who is asked about: fields are called `line-3`."""
    named = ((name.removeprefix("line-"), value) for name, value in posted.items() if name.startswith("line-"))
    return {int(line): value for line, value in named if line.isascii() and line.isdecimal() and len(line) < 8}
