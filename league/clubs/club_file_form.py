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
    once_more = forms.BooleanField(label=_("Take it in once more"), required=False)

    @property
    def asks(self) -> bool:
        """Whether the question has to be shown."""
        return self.has_error("once_more")

    def ask(self, name: object) -> None:
        """Ask whether a club that is here already is to be taken in once more."""
        asked = _(
            "A club from this file is here already: %(club)s. Once more makes a second club, and all its people a "
            "second time. If that is what you want, tick this and choose the file again."
        )
        self.add_error("once_more", asked % {"club": name})

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
