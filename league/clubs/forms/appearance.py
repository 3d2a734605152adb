from __future__ import annotations

from math import floor
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import RegexValidator
from django.utils.translation import gettext_lazy as _

from league.models import Club
from league.web.contrast import MIN_READABLE_CONTRAST, contrast
from league.web.fields import UploadField
from league.web.lost_updates import FormAgainstLostUpdates
from scoring.numbers import localise

MAX_UPLOAD: Final = 5_000_000  # bytes
CUSTOM_COLOUR: Final = "own"
HEADER_TEXT_COLOURS: Final = ("#f7f2e6", "#efeadc")  # the CSS variable --on-bar in the light and the dark theme
PALETTE: Final = {
    "#1d5c46": _("Felt green"),
    "#1f3f6e": _("Night blue"),
    "#0f5563": _("Deep teal"),
    "#5a3576": _("Plum"),
    "#7d1f3c": _("Bordeaux"),
    "#8a3512": _("Brick"),
    "#6b4a00": _("Walnut"),
    "#3b4046": _("Slate"),
}


class AppearanceForm(FormAgainstLostUpdates, forms.Form):
    """The form for a club's colour and logo (`mark`)."""

    colour = forms.ChoiceField(
        label=_("Colour"),
        required=False,
        choices=[("", _("None")), *PALETTE.items(), (CUSTOM_COLOUR, _("Another one"))],
        widget=forms.RadioSelect,
    )
    own_colour = forms.CharField(
        label=_("The other colour"),
        required=False,
        validators=[RegexValidator("^#[0-9a-fA-F]{6}$", _("Write a colour as # and six digits, for example #1f3f6e."))],
        widget=forms.TextInput(attrs={"type": "color"}),
        help_text=_("Text on it is light: it has to be dark enough to read it."),
    )
    mark = UploadField(
        label=_("Mark"),
        required=False,
        max_length=200,
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
        help_text=_("PNG, JPEG or WebP, up to 5 MB. It is made small; what a camera wrote into it is left out."),
    )
    mark_alt = forms.CharField(
        label=_("What the mark shows"),
        required=False,
        max_length=120,
        help_text=_("For those who can’t see it. Leave it empty if it only decorates the name."),
    )
    remove_mark = forms.BooleanField(label=_("Remove the mark"), required=False)

    def __init__(self, data: Any = None, files: Any = None, *, club: Club) -> None:
        choice = club.colour if club.colour in PALETTE or not club.colour else CUSTOM_COLOUR
        initial = {"colour": choice, "own_colour": club.colour or "#1f3f6e", "mark_alt": club.mark_alt}
        super().__init__(data, files, initial=initial)
        if not club.mark:
            del self.fields["remove_mark"]

    def clean_mark(self) -> UploadedFile[bytes] | None:
        picture: UploadedFile[bytes] | None = self.cleaned_data["mark"]
        if picture is not None and (picture.size or 0) > MAX_UPLOAD:
            raise ValidationError(_("The picture is larger than 5 MB."))
        return picture

    def clean(self) -> dict[str, Any]:
        """Return the values. If the user has typed a colour, `colour` is this colour.

        Refuse a colour on which the light text of the header would be unreadable.
        """
        cleaned_data = super().clean()
        if cleaned_data.get("colour") == CUSTOM_COLOUR and "own_colour" in cleaned_data:
            cleaned_data["colour"] = cleaned_data["own_colour"].lower()
            if not cleaned_data["colour"]:
                self.add_error("own_colour", _("Choose the colour."))
            elif (
                ratio := min(contrast(cleaned_data["colour"], text) for text in HEADER_TEXT_COLOURS)
            ) < MIN_READABLE_CONTRAST:
                words = _("Text on it has a contrast of %(found)s to 1, and needs %(least)s: choose a darker one.")
                numbers = {"found": localise(floor(ratio * 10) / 10, 1), "least": localise(MIN_READABLE_CONTRAST, 1)}
                self.add_error("own_colour", words % numbers)
        return cleaned_data
