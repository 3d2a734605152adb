from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from django import forms
from django.core.exceptions import ValidationError
from django.utils.functional import lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.numbers import number_text

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Label: TypeAlias = "str | StrPromise"
Choices: TypeAlias = Sequence[tuple[object, Label]]

_POINTS_PATTERN = re.compile(r"-?\d{1,5}(\.\d{1,3})?")
_SHORT_INPUT_ATTRS = {"size": 5, "class": "form-control num w-auto mw-100"}
MAX_COUNT = 9999  # larger than any count on a sheet; sums still fit the database's integers


_translate_lazily = lazy(gettext, str)


def translated_choices(words: Mapping[str, str]) -> Choices:
    """Return the choices (value, text) of a field, with texts that are translated when a page shows them."""
    return [(value, _translate_lazily(text)) for value, text in words.items()]


class RadioChoiceField(forms.TypedChoiceField):
    """Radio buttons. The field is not required: whether a deal needs it depends on the deal's other facts."""

    def __init__(self, choices: Choices, label: Label, **kwargs: Any) -> None:
        super().__init__(
            choices=choices, label=label, required=False, empty_value=None, widget=forms.RadioSelect(), **kwargs
        )


class SeatField(RadioChoiceField):
    """Radio buttons: one for each player's name, with the seat (from 0) as value, and `extra_choices`."""

    def __init__(self, names: Sequence[str], label: Label, *, extra_choices: Choices = (), **kwargs: Any) -> None:
        super().__init__([*enumerate(names), *extra_choices], label, coerce=_coerce_seat, **kwargs)


def _coerce_seat(value: str) -> int | str:
    return int(value) if value.isdecimal() else value


class PointsField(forms.Field):
    """A field for card points, which may have a half: 49, 49.5, 49,5 or 49½. The value is an int, or a float that ends
    in .5.
    """

    def __init__(self, label: Label, **kwargs: Any) -> None:
        attrs = {"inputmode": "decimal", "autocomplete": "off", "maxlength": 8, **_SHORT_INPUT_ATTRS}
        super().__init__(label=label, required=False, widget=forms.TextInput(attrs), **kwargs)

    def to_python(self, value: str | None) -> int | float | None:
        text = (value or "").strip().replace("−", "-").replace(",", ".").replace("½", ".5")
        if not text:
            return None
        if text.startswith("."):
            text = f"0{text}"
        if not _POINTS_PATTERN.fullmatch(text):
            raise ValidationError(_("Write a number such as 49 or 49.5."), code="invalid")
        points = float(text)
        return int(points) if points.is_integer() else points

    def prepare_value(self, value: Any) -> Any:
        """Format a number in the viewer's language: 49 for 49.0, and 49,5 in French. Text that the user typed stays
        unchanged.
        """
        return number_text(value) if isinstance(value, (int, float)) else value


class CountField(forms.IntegerField):
    def __init__(self, label: Label, **kwargs: Any) -> None:
        attrs = {"inputmode": "numeric", "autocomplete": "off", "maxlength": 4, **_SHORT_INPUT_ATTRS}
        super().__init__(label=label, required=False, max_value=MAX_COUNT, widget=forms.TextInput(attrs), **kwargs)


def require_fields(form: forms.Form, *names: str) -> None:
    """Add the error "This is needed." to each of these fields that has neither a value nor an error.

    A field may replace the message with its own `error_messages["needed"]`.
    """
    for name in names:
        if form.cleaned_data.get(name) is None and name not in form.errors:
            message = form.fields[name].error_messages.get("needed", _("This is needed."))
            form.add_error(name, ValidationError(message, code="required"))
