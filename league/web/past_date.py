"""A past date in the query string of a page."""

from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.web.date_field import BoundedDateField


class PastForm(forms.Form):
    """No date, today or a future date means today."""

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
        """Return None for today, or if the date is invalid."""
        day: date | None = self.cleaned_data.get("on") if self.is_valid() else None
        return day if day and day < self.today else None
