"""The field by which people are looked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from players.names import LONGEST_SEARCH, MOST_WORDS, tidy

TOO_MANY_WORDS: Final = _("A search has at most %(most)s words (it has %(number)s).")


class SearchField(forms.CharField):
    """Some words of a name: each costs the database a look at every name, so that there are few."""

    def __init__(self, **kwargs: Any) -> None:
        usual = {"type": "search", "class": "form-control", "autocomplete": "off"}
        kwargs = {"label": _("Find a name"), "widget": forms.TextInput(attrs=usual), **kwargs}
        super().__init__(required=False, max_length=LONGEST_SEARCH, **kwargs)

    def to_python(self, value: Any) -> str:
        """Return what can be seen of what was typed."""
        return tidy(super().to_python(value) or "")

    def validate(self, value: str) -> None:
        """Refuse too many words."""
        super().validate(value)
        if (number := len(value.split())) > MOST_WORDS:
            raise ValidationError(TOO_MANY_WORDS, code="words", params={"most": MOST_WORDS, "number": number})


class SearchForm(forms.Form):
    """A page's search for people, in its address."""

    q = SearchField()

    def __init__(self, query: Mapping[str, Any], *, label: str = "") -> None:
        super().__init__(query, auto_id="%s")
        if label:
            self.fields["q"].label = label

    @property
    def typed(self) -> str:
        """What is looked for; "" for everyone. What is refused stays in the field, and nobody is looked for."""
        return str(self.cleaned_data["q"]) if self.is_valid() else ""

    @property
    def given(self) -> str:
        """What was typed, refused or not."""
        return str(self["q"].value() or "")
