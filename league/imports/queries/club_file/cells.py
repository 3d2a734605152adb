"""How a value of a row is written in a club's file, and read from it: nothing is lost on the way, and nothing guessed.

A number, a date (ISO 8601; times in UTC), true or false, a text as it is, JSON with its keys in order, bytes in base64.
An empty cell is nothing at all, or an empty text where the field is a text.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any, Final

from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db.models import (
    BinaryField,
    BooleanField,
    CharField,
    DateField,
    DateTimeField,
    Field,
    JSONField,
    TextField,
    TimeField,
)
from django.utils.translation import gettext as _

from league.models.date_bounds import check_date

TYPES: Final = {  # as a table schema calls them; of a field the first that it is
    BooleanField: "boolean",
    DateTimeField: "datetime",
    DateField: "date",
    TimeField: "time",
    JSONField: "any",
    ArrayField: "array",
    CharField: "string",
    TextField: "string",
    BinaryField: "string",
}
TRUTH: Final = {"true": True, "false": False}


class UnreadableCell(ValueError):
    """A cell that holds no value of its field; its text says what is allowed."""


def type_of(field: Field[Any, Any]) -> str:
    """Return what a field's cells hold, as a table schema calls it."""
    return next((name for kind, name in TYPES.items() if isinstance(field, kind)), "integer")


def written(value: Any) -> str:
    """Return the cell of a value."""
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return str(value).lower()
        case int() | Decimal():
            return f"{value:f}" if isinstance(value, Decimal) else str(value)
        case datetime():
            return value.astimezone(UTC).isoformat()
        case date() | time():
            return value.isoformat()
        case bytes() | memoryview():
            return b64encode(value).decode()
        case _:
            return as_json(value)


def as_json(value: object) -> str:
    """Return JSON that is the same text for the same value."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def read(field: Field[Any, Any], text: str) -> Any:
    """Return the value of a cell, by the field's own rules. Raises UnreadableCell."""
    try:
        value = _read(field, text)
        if value is None and not field.null:
            raise UnreadableCell(_("there has to be a value"))
        _check_choice(field, value)
        if value is None or isinstance(field, BinaryField | JSONField):
            return value
        value = field.clean(value, None)
        if isinstance(value, date):
            check_date(value)
        return value
    except ValidationError as error:
        raise UnreadableCell(" ".join(error.messages)) from None
    except (ValueError, RecursionError) as error:
        raise (
            error
            if isinstance(error, UnreadableCell)
            else UnreadableCell(_("it is no %(type)s") % {"type": type_of(field)})
        ) from None


def _read(field: Field[Any, Any], text: str) -> Any:
    kind = type_of(field)
    if "\0" in text:
        raise UnreadableCell(_("the character 0 can't be stored"))
    if isinstance(field, CharField | TextField):
        return text
    if not text:
        return None
    if isinstance(field, JSONField | ArrayField):
        value = json.loads(text, parse_constant=_refuse)
        as_json(value).encode()  # a lone surrogate can't be stored
        if "\\u0000" in text:
            raise UnreadableCell(_("the character 0 can't be stored"))
        if isinstance(field, ArrayField) and not is_array_of_numbers(value):
            raise UnreadableCell(_("it has to be an array of whole numbers"))
        return value
    if kind == "datetime":
        return _with_zone(text)
    if isinstance(field, BinaryField):
        return b64decode(text, validate=True)
    if kind == "boolean":
        if text not in TRUTH:
            raise UnreadableCell(_("it has to be true or false"))
        return TRUTH[text]
    return text


def is_array_of_numbers(value: object) -> bool:
    """Return whether a value from JSON is an array of whole numbers."""
    return isinstance(value, list) and all(type(each) is int for each in value)


def _check_choice(field: Field[Any, Any], value: Any) -> None:
    """Check one of several values: Django does not check that of a field that no form has."""
    if field.choices and not (field.blank and value == ""):
        allowed = [choice for choice, _label in field.flatchoices]
        if value not in allowed:
            raise UnreadableCell(_("it has to be one of %(these)s") % {"these": ", ".join(map(str, allowed))})


def _with_zone(text: str) -> datetime:
    when = datetime.fromisoformat(text)
    if when.tzinfo is None:
        raise UnreadableCell(_("a moment needs its offset from UTC"))
    return when


def _refuse(constant: str) -> None:
    raise ValueError(constant)
