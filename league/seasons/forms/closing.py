from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.web.forms import CloseConfirmationForm, ReasonForm


class SeasonClosingForm(CloseConfirmationForm):
    """The form that closes a season. `seen` is the digest of the standings that the user sees on the page.

    If the standings have changed since, the season is not closed.
    """

    seen = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, has_open_tasks: bool, digest: str) -> None:
        super().__init__(data, has_open_tasks=has_open_tasks)
        self.fields["seen"].initial = digest
        if has_open_tasks:
            self.fields["accepted"].label = _("Close the season although something is open")
            self.fields["accepted"].error_messages["required"] = _(
                "Something is still open: settle it, or tick this to close the season as it is."
            )


class SeasonReopeningForm(ReasonForm):
    """The form that opens a closed season again. `seen` is the id of the SeasonClosing that the user sees.

    If the season was opened and closed again since, it stays closed.
    """

    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = _("Members read it on the season's page.")
