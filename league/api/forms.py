from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.web.fields import BoundedDateField


class TokenForm(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        help_text=_("What reads with it, for example “Our club’s site”."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    last_day = BoundedDateField(
        label=_("Last day"),
        required=False,
        help_text=_("Without one it holds until you revoke it."),
    )

    def __init__(self, *args: Any, today: date, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.today = today
        self.fields["last_day"].widget.attrs["min"] = today.isoformat()

    def clean_last_day(self) -> date | None:
        last: date | None = self.cleaned_data["last_day"]
        if last and last < self.today:
            raise ValidationError(_("This day is over."))
        return last
