from typing import Any

from django import forms

from players.names import normalize_spaces


class NameField(forms.CharField):
    """A field for a name. Unnecessary spaces are removed. A name of invisible characters counts as empty."""

    def to_python(self, value: Any) -> str:
        return normalize_spaces(super().to_python(value) or "")
