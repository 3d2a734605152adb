from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.signing import BadSignature, Signer
from django.utils.translation import gettext_lazy as _

from league.models import Club

MAX_ROWS = 100


def sign_stylesheet(club: Club, style: str) -> str:
    """Return a signature of the stylesheet's URL `style`.

    It proves that an admin of the club has allowed the stylesheet.
    """
    return Signer(salt="league.embed.style").signature(f"{club.pk}:{style}")


def is_allowed_style(club: Club, style: str, key: str) -> bool:
    """Return whether `key` is the signature of this stylesheet, also by a SECRET_KEY of SECRET_KEY_FALLBACKS."""
    try:
        return Signer(salt="league.embed.style").unsign(f"{club.pk}:{style}:{key}") == f"{club.pk}:{style}"
    except BadSignature:
        return False


class StyleForm(forms.Form):
    style = forms.URLField(label=_("Address of your stylesheet"), assume_scheme="https", max_length=500, required=False)

    def clean_style(self) -> str:
        """Allow only plain https URLs, because the URL becomes a part of the page's Content-Security-Policy header."""
        address: str = self.cleaned_data["style"]
        if not address:
            return ""
        parts = urlsplit(address)
        if parts.scheme != "https" or any(sign in address for sign in " ;,'\"\\") or parts.query or parts.fragment:
            raise ValidationError(_("Give the https address of a stylesheet, without a question mark."))
        if not address.isascii():
            raise ValidationError(
                _("Write the address as a browser sends it: without accents or other special letters.")
            )
        return address


class EmbedForm(StyleForm):
    """The query parameters of an embedded page."""

    rows = forms.IntegerField(min_value=1, max_value=MAX_ROWS, required=False)
    language = forms.ChoiceField(choices=settings.LANGUAGES, required=False)
    key = forms.CharField(max_length=100, required=False)

    def parameters(self) -> dict[str, Any]:
        return {name: value for name, value in self.cleaned_data.items() if value}
