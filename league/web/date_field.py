from __future__ import annotations

from typing import Any

from django import forms

from league.models.date_bounds import FIRST_DATE, check_date


class BoundedDateField(forms.DateField):
    default_validators = [check_date]

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("widget", forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
        super().__init__(**kwargs)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "min": FIRST_DATE.isoformat()}
