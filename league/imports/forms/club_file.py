"""The file of a club that comes from another installation."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from league.imports.queries.club_file.reading import ClubFile, FileTooLarge, Limits, UnreadableFile, read_club
from league.web.upload_field import UploadField

MOST_UPLOADED: Final = 2_000_000  # bytes
# About three years of a club with an evening a week. Computing a table's points takes longest: some milliseconds each.
LIMITS: Final = Limits(
    size=10 * 2**20, rows=50_000, rows_of={"seasons": 50, "evenings": 500, "tables": 1_000, "deals": 5_000}
)
FOR_ADMINS = _("The installation’s admin can import larger files by “manage.py import_club”.")


class ClubFileForm(forms.Form):
    """A file, which is read as a whole: its faults are told before anything is written."""

    file = UploadField(
        label=_("The club’s file"),
        max_length=200,
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
        help_text=_("The zip file that the other installation wrote, as it is, up to 2 MB."),
    )
    once_more = forms.BooleanField(label=_("Take it in once more"), required=False)

    def __init__(self, *args: Any, is_busy: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_busy = is_busy  # with another file of the same user

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
        if self.is_busy:
            raise ValidationError(
                _("Another file of yours is being imported. Wait until it is done, and send this one again.")
            )
        if (given.size or 0) > MOST_UPLOADED:
            raise ValidationError([_("The file is larger than 2 MB."), FOR_ADMINS])
        assert given.file is not None
        try:
            return read_club(given.file, LIMITS)
        except FileTooLarge as error:
            raise ValidationError([*error.faults, FOR_ADMINS]) from None
        except UnreadableFile as error:
            raise ValidationError(error.faults) from None
