"""The file of a club that comes from another installation."""

from __future__ import annotations

from typing import Final

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from league.results.club_file.reading import ClubFile, UnreadableFile, read_club

MOST_UPLOADED: Final = 5_000_000  # bytes; a larger one is taken in by `manage.py import_club`
MOST_UNPACKED: Final = 50 * 2**20


class ClubFileForm(forms.Form):
    """A file, which is read as a whole: its faults are told before anything is written."""

    file = forms.FileField(
        label=_("The club’s file"),
        max_length=200,
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
        help_text=_("The zip file that the other installation wrote, as it is, up to 5 MB."),
    )

    def clean_file(self) -> ClubFile:
        """Return what the file has."""
        given: UploadedFile[bytes] = self.cleaned_data["file"]
        if (given.size or 0) > MOST_UPLOADED:
            raise ValidationError(_("The file is larger than 5 MB. The installation’s admin can take it in."))
        assert given.file is not None
        try:
            return read_club(given.file, MOST_UNPACKED)
        except UnreadableFile as error:
            raise ValidationError(error.faults) from None
