"""What the address of an embedded board may ask for."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.signing import BadSignature, Signer
from django.utils.translation import gettext_lazy as _

from league.models import Club

MOST = 100  # rows


def style_key(club: Club, style: str) -> str:
    """Return the signature that shows that an admin of the club allowed the stylesheet of this address."""
    return Signer(salt="league.embed.style").signature(f"{club.pk}:{style}")


def is_allowed_style(club: Club, style: str, key: str) -> bool:
    """Return whether the key is that of the club and the stylesheet, by the secret key of now or of before."""
    try:
        return Signer(salt="league.embed.style").unsign(f"{club.pk}:{style}:{key}") == f"{club.pk}:{style}"
    except BadSignature:
        return False


class StyleForm(forms.Form):
    """The address of a stylesheet."""

    style = forms.URLField(label=_("Address of your stylesheet"), assume_scheme="https", max_length=500, required=False)

    def clean_style(self) -> str:
        """Return the address of a stylesheet, which goes into the page's content policy as it is."""
        given: str = self.cleaned_data["style"]
        if not given:
            return ""
        parts = urlsplit(given)
        if parts.scheme != "https" or any(sign in given for sign in " ;,'\"\\") or parts.query or parts.fragment:
            raise ValidationError(_("Give the https address of a stylesheet, without a question mark."))
        if not given.isascii():
            raise ValidationError(
                _("Write the address as a browser sends it: without accents or other special letters.")
            )
        return given


class EmbedForm(StyleForm):
    """How many rows, in which language, and by which stylesheet, whose key the club's page of boards gives out."""

    rows = forms.IntegerField(min_value=1, max_value=MOST, required=False)
    language = forms.ChoiceField(choices=settings.LANGUAGES, required=False)
    key = forms.CharField(max_length=100, required=False)

    def said(self) -> dict[str, Any]:
        """Return what was asked for, and nothing of what was left out."""
        return {name: value for name, value in self.cleaned_data.items() if value}
