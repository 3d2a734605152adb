from typing import Any

from django import forms

from players.names import tidy


class NameField(forms.CharField):
    """A tidied name. A name of invisible characters counts as empty."""

    def to_python(self, value: Any) -> str:
        return tidy(super().to_python(value) or "")
