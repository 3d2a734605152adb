"""Amounts of money as people type them."""

import re

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import get_format
from django.utils.translation import gettext_lazy as _

MOST = 99_999_999  # cents: what no entry fee reaches in any currency

_AMOUNT = re.compile(r"(\d{1,40})(?:[.,](\d{1,2}))?")
_SPACES = re.compile(r"\s")  # also the narrow ones that French sets between thousands


class MoneyField(forms.Field):
    """Typed in units of the currency, "3,50" or "3.50"; its value is cents. Left empty it is nothing: 0."""

    widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
    default_error_messages = {
        "amount": _("Enter an amount such as 3.50: digits, and at most two behind the comma or point."),
        "most": _("This is more than an entry fee can be."),
    }

    def prepare_value(self, value: object) -> object:
        """Return cents as the reader's language writes them; what was typed stays as it was."""
        if isinstance(value, int):
            return f"{value // 100}{get_format('DECIMAL_SEPARATOR')}{value % 100:02}"
        return value

    def to_python(self, value: object) -> int:
        """Return cents."""
        typed = _SPACES.sub("", str(value or ""))
        if not typed:
            return 0
        found = _AMOUNT.fullmatch(typed)
        if found is None:
            raise ValidationError(self.error_messages["amount"], code="amount")
        cents = int(found[1]) * 100 + int((found[2] or "").ljust(2, "0"))
        if cents > MOST:
            raise ValidationError(self.error_messages["most"], code="most")
        return cents
