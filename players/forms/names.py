"""People's names, wherever they are typed."""

from typing import Any

from django import forms

from players.names import tidy


class NameField(forms.CharField):
    """A name, tidied: one of which nothing can be seen counts as not given."""

    def to_python(self, value: Any) -> str:
        """Return what is left of what was typed."""
        return tidy(super().to_python(value) or "")
