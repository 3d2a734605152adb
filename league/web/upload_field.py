"""The form field of every file that a user sends."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.web.request_body import KeptFile


class UploadField(forms.FileField):
    """A file of a view that `takes_file`; it is refused unread where the user has sent too many."""

    def to_python(self, data: Any) -> Any:
        """Refuse a file beyond the rate limit."""
        if isinstance(data, KeptFile) and data.most_per_hour is not None:
            raise ValidationError(
                _("You have sent many files: at most %(number)s an hour are read. Send this one again later."),
                params={"number": data.most_per_hour},
            )
        return super().to_python(data)
