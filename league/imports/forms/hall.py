from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256
from io import BytesIO
from typing import Final

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.actions.hall import NEW_PERSON, ReturnedEvening
from league.imports.queries.club_file.reading import ClubFile, Limits, UnreadableFile, read_club_file
from league.web.fields import UploadField
from league.web.numbers import numbered_fields

MAX_UPLOAD: Final = 1_000_000  # bytes: ten times an evening of a hundred tables
# More than an evening can have. With larger limits, the file of a whole club would be parsed before it is refused.
LIMITS: Final = Limits(size=10 * 2**20, rows=50_000, rows_by_part={"tables": 1_000, "deals": 5_000})


def _read_with_digest(data: bytes) -> tuple[ClubFile, str]:
    try:
        return read_club_file(BytesIO(data), LIMITS), sha256(data).hexdigest()
    except UnreadableFile as error:
        raise ValidationError(error.faults) from None


class HallFileForm(forms.Form):
    """Upload of the file of an evening that was played on a hall server (a computer in the hall).

    If the form is valid, `file_and_digest` has the parsed content of the file and the SHA-256 digest of its bytes, and
    `file_base64` is the file in base64.
    """

    file = UploadField(
        label=_("The evening’s file"),
        max_length=200,
        widget=forms.FileInput(attrs={"accept": ".zip,application/zip"}),
        help_text=_("The zip file that the hall server wrote, as it is, up to 1 MB."),
    )
    file_and_digest: tuple[ClubFile, str]
    file_base64: str

    def clean_file(self) -> bytes:
        upload: UploadedFile[bytes] = self.cleaned_data["file"]
        if (upload.size or 0) > MAX_UPLOAD:
            raise ValidationError(gettext("The file is larger than 1 MB."))
        assert upload.file is not None
        data: bytes = upload.file.read()
        self.file_and_digest, self.file_base64 = _read_with_digest(data), b64encode(data).decode()
        return data


class EveningReturnForm(forms.Form):
    """The user's confirmation of the changes by the file of an evening that was played on a hall server.

    A hall server is a computer in the hall. `content` is the file in base64. The other fields ask who unknown people
    are, and whether check-ins are replaced.
    """

    content = forms.CharField(widget=forms.HiddenInput, max_length=2 * MAX_UPLOAD)
    replaces = forms.BooleanField(label=_("Replace what was changed here"), required=False)
    file_and_digest: tuple[ClubFile, str]

    def clean_content(self) -> str:
        text: str = self.cleaned_data["content"]
        try:
            data = b64decode(text, validate=True)
        except ValueError:
            raise ValidationError(gettext("This is no zip file, or it is damaged.")) from None
        self.file_and_digest = _read_with_digest(data)
        return text

    def add_questions(self, returned: ReturnedEvening) -> None:
        """Add a field for each unknown person of the file. Remove `replaces` if no check-in would be replaced."""
        for person in returned.unknown:
            if person.similar:
                choices = [
                    ("", "–"),
                    (NEW_PERSON, gettext("Somebody else, new in the club")),
                    *((str(player.pk), str(player)) for player in person.similar),
                ]
                label = gettext("Who is %(name)s?") % {"name": person.name}
                self.fields[f"person-{person.number}"] = forms.ChoiceField(label=label, choices=choices, required=False)
        if not returned.replaced_changes:
            del self.fields["replaces"]

    def add_missing_answer_errors(self, numbers: Sequence[int]) -> None:
        """Add an error to the field of each unknown person without an answer. `numbers` are row numbers of the file.

        If the player whom the user chose has left the club meanwhile, the person may have no field. The form then gets
        one error for all these people.
        """
        names = {f"person-{number}" for number in numbers}
        for name in names & self.fields.keys():
            self.add_error(name, gettext("Choose who it is."))
        if names - self.fields.keys():
            self.add_error(None, gettext("The club’s members have changed meanwhile. Check who is new in the club."))


def answers_about_people(posted: Mapping[str, str]) -> dict[int, str]:
    """Return the user's answers about unknown people, by the row number of the person in the file."""
    answers = numbered_fields(posted, "person-", max_digits=9)
    return {number: answer for number, answer in answers.items() if answer}
