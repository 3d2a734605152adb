from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from players.names import MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS, normalize_spaces

TOO_MANY_WORDS: Final = _("A search has at most %(most)s words (it has %(number)s).")


class SearchField(forms.CharField):
    """A field for words of a name. The number of words is limited, because the database compares each word with all
    names.
    """

    def __init__(self, **kwargs: Any) -> None:
        attrs = {"type": "search", "class": "form-control", "autocomplete": "off"}
        kwargs = {"label": _("Find a name"), "widget": forms.TextInput(attrs=attrs), **kwargs}
        super().__init__(required=False, max_length=MAX_SEARCH_LENGTH, **kwargs)

    def to_python(self, value: Any) -> str:
        return normalize_spaces(super().to_python(value) or "")

    def validate(self, value: str) -> None:
        super().validate(value)
        if (number := len(value.split())) > MAX_SEARCH_WORDS:
            raise ValidationError(TOO_MANY_WORDS, code="words", params={"most": MAX_SEARCH_WORDS, "number": number})


class SearchForm(forms.Form):
    q = SearchField()

    def __init__(self, query: Mapping[str, Any], *, label: str = "") -> None:
        super().__init__(query, auto_id="%s")
        if label:
            self.fields["q"].label = label

    @property
    def search_text(self) -> str:
        """Return the typed words; "" if the field is empty or invalid. With "", a search finds all people."""
        return str(self.cleaned_data["q"]) if self.is_valid() else ""
