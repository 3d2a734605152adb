from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class ClosingForm(forms.Form):
    """Without open points it has no field; otherwise the user must accept them."""

    accepted = forms.BooleanField(
        label=_("Close it although something is open"),
        error_messages={
            "required": _("Something is still open: settle it, or tick this to close the evening as it is.")
        },
    )

    def __init__(self, data: Any = None, *, something_open: bool) -> None:
        super().__init__(data)
        if not something_open:
            del self.fields["accepted"]
