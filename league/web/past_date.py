"""As of which date a board is asked for."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.web.date_field import BoundedDateField


class PastForm(forms.Form):
    """A date in the address of a page; no date, today, or one that lies ahead is the board of today."""

    on = BoundedDateField(
        label=_("As of"),
        required=False,
        input_formats=["%Y-%m-%d"],
        widget=forms.DateInput(attrs={"type": "date", "class": "form-control"}, format="%Y-%m-%d"),
    )

    def __init__(self, *args: Any, today: date, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.today = today
        self.fields["on"].widget.attrs["max"] = today.isoformat()

    @property
    def day(self) -> date | None:
        """The past date that is asked for; None for the board of today, also while what was typed is no date."""
        on: date | None = self.cleaned_data.get("on") if self.is_valid() else None
        return on if on and on < self.today else None
