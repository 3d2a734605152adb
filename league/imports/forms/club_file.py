from __future__ import annotations

from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from league.imports.queries.club_file.reading import ClubFile, FileTooLarge, Limits, UnreadableFile, read_club_file
from league.web.fields import UploadField

MAX_UPLOAD: Final = 20_000_000  # bytes
MAX_IMMEDIATE_BYTES: Final = 2_000_000  # a larger file is imported by a worker
# Limits of a file that is imported while the user waits: about three years of a club with a weekly evening.
LIMITS: Final = Limits(
    size=10 * 2**20, rows=50_000, rows_by_part={"seasons": 50, "evenings": 500, "tables": 1_000, "deals": 5_000}
)
LARGER_FILES_HINT = _("The installation’s admin can import larger files by “manage.py import_club”.")


class ClubFileForm(forms.Form):
    """Upload of a club file, a zip of CSV files.

    The value of `file` is the parsed file or, for a large file, its bytes for a worker.
    """

    file = UploadField(
        label=_("The club’s file"),
        max_length=200,
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
        help_text=_("The zip file that the other installation wrote, as it is, up to 20 MB."),
    )
    once_more = forms.BooleanField(label=_("Take it in once more"), required=False)

    def __init__(self, *args: Any, is_busy: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_busy = is_busy  # another file of the same user is being imported

    @property
    def asks_for_copy(self) -> bool:
        return self.has_error("once_more")

    def ask_for_copy(self, name: object) -> None:
        """Ask whether a second club is wanted, since the club `name` was imported from this file already."""
        question = _(
            "A club from this file is here already: %(club)s. Once more makes a second club, and all its people a "
            "second time. If that is what you want, tick this and choose the file again."
        )
        self.add_error("once_more", question % {"club": name})

    def clean_file(self) -> ClubFile | bytes:
        upload: UploadedFile[bytes] = self.cleaned_data["file"]
        if self.is_busy:
            raise ValidationError(
                _("Another file of yours is being imported. Wait until it is done, and send this one again.")
            )
        if (upload.size or 0) > MAX_UPLOAD:
            raise ValidationError([_("The file is larger than 20 MB."), LARGER_FILES_HINT])
        assert upload.file is not None
        if (upload.size or 0) <= MAX_IMMEDIATE_BYTES:
            try:
                return read_club_file(upload.file, LIMITS)
            except FileTooLarge:
                upload.file.seek(0)
            except UnreadableFile as error:
                raise ValidationError(error.faults) from None
        return upload.file.read()
