"""Form fields for dates, amounts of money and uploads."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import get_format
from django.utils.translation import gettext_lazy as _

from league.models.date_bounds import FIRST_DATE, check_date
from league.web.request_body import MemoryFile


class BoundedDateField(forms.DateField):
    """A date field that refuses dates outside the limits of `check_date`."""

    default_validators = [check_date]

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("widget", forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
        super().__init__(**kwargs)

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        return {**super().widget_attrs(widget), "min": FIRST_DATE.isoformat()}


class BoundedDateTimeField(forms.DateTimeField):
    default_validators = [check_date]


MAX_CENTS = 99_999_999  # above any entry fee

_AMOUNT_PATTERN = re.compile(r"(\d{1,40})(?:[.,](\d{1,2}))?")
_SPACE_PATTERN = re.compile(r"\s")  # also narrow spaces, which French uses between thousands


class MoneyField(forms.Field):
    """An amount such as "3,50" or "3.50". The cleaned value is in cents; 0 for an empty field."""

    widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
    default_error_messages = {
        "amount": _("Enter an amount such as 3.50: digits, and at most two behind the comma or point."),
        "most": _("This is more than an entry fee can be."),
    }

    def prepare_value(self, value: object) -> object:
        if isinstance(value, int):
            return f"{value // 100}{get_format('DECIMAL_SEPARATOR')}{value % 100:02}"
        return value

    def to_python(self, value: object) -> int:
        typed = _SPACE_PATTERN.sub("", str(value or ""))
        if not typed:
            return 0
        match = _AMOUNT_PATTERN.fullmatch(typed)
        if match is None:
            raise ValidationError(self.error_messages["amount"], code="amount")
        cents = int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))
        if cents > MAX_CENTS:
            raise ValidationError(self.error_messages["most"], code="most")
        return cents


class UploadField(forms.FileField):
    """A file field for views with the decorator `accept_file`.

    Show an error if the decorator has dropped the content.
    """

    def to_python(self, data: Any) -> Any:
        if isinstance(data, MemoryFile) and data.refusal:
            raise ValidationError(data.refusal)
        return super().to_python(data)
