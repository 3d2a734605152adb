from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.web.request_body import KeptFile


class UploadField(forms.FileField):
    """For views with `takes_file`; the file is refused beyond the rate limit."""

    def to_python(self, data: Any) -> Any:
        if isinstance(data, KeptFile) and data.most_per_hour is not None:
            raise ValidationError(
                _("You have sent many files: at most %(number)s an hour are read. Send this one again later."),
                params={"number": data.most_per_hour},
            )
        return super().to_python(data)
