"""What the address of an embedded board may ask for."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

MOST = 100  # rows


class EmbedForm(forms.Form):
    """How many rows, in which language, and in whose colours."""

    rows = forms.IntegerField(min_value=1, max_value=MOST, required=False)
    language = forms.ChoiceField(choices=settings.LANGUAGES, required=False)
    style = forms.URLField(assume_scheme="https", max_length=500, required=False)

    def clean_style(self) -> str:
        """Return the address of a stylesheet, which goes into the page's content policy as it is."""
        given: str = self.cleaned_data["style"]
        if not given:
            return ""
        parts = urlsplit(given)
        if parts.scheme != "https" or any(sign in given for sign in " ;,'\"\\") or parts.query or parts.fragment:
            raise ValidationError(_("Give the https address of a stylesheet, without a question mark."))
        return given

    def said(self) -> dict[str, Any]:
        """Return what was asked for, and nothing of what was left out."""
        return {name: value for name, value in self.cleaned_data.items() if value}
