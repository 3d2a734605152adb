"""Formatting and parsing of the cells of a club file (a zip of CSV files). No information is lost.

Cells are numbers, ISO 8601 dates, times in UTC, true or false, unchanged text, JSON with sorted keys, or bytes in
base64. An empty cell is null, or empty text for a text field.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

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
    UUIDField,
)
from django.utils.translation import gettext as _

from league.models.date_bounds import check_date

TABLE_SCHEMA_TYPES: Final = {  # names of types in Table Schema; the first class that fits a field counts
    BooleanField: "boolean",
    DateTimeField: "datetime",
    DateField: "date",
    TimeField: "time",
    JSONField: "any",
    ArrayField: "array",
    CharField: "string",
    TextField: "string",
    BinaryField: "string",
    UUIDField: "string",
}
BOOLEAN_TEXTS: Final = {"true": True, "false": False}


class UnreadableCell(ValueError):
    """A cell does not have a valid value for its model field. The message describes valid values."""


def table_schema_type(field: Field[Any, Any]) -> str:
    return next((name for kind, name in TABLE_SCHEMA_TYPES.items() if isinstance(field, kind)), "integer")


def format_cell(value: Any) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case UUID():
            return str(value)
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
            return format_json(value)


def format_json(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def parse_cell(field: Field[Any, Any], text: str) -> Any:
    """Return the value of a cell, validated by its model field. Raise UnreadableCell."""
    try:
        value = _parse_value(field, text)
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
            else UnreadableCell(_("it is no %(type)s") % {"type": table_schema_type(field)})
        ) from None


def _parse_value(field: Field[Any, Any], text: str) -> Any:
    kind = table_schema_type(field)
    if "\0" in text:
        raise UnreadableCell(_("the character 0 can't be stored"))
    if isinstance(field, CharField | TextField):
        return text
    if not text:
        return None
    if isinstance(field, JSONField | ArrayField):
        value = json.loads(text, parse_constant=_refuse_constant)
        format_json(value).encode()  # a lone surrogate can't be stored
        if "\\u0000" in text:
            raise UnreadableCell(_("the character 0 can't be stored"))
        if isinstance(field, ArrayField):
            _check_array(field, value)
        return value
    if kind == "datetime":
        return _parse_time(text)
    if isinstance(field, BinaryField):
        return b64decode(text, validate=True)
    if kind == "boolean":
        if text not in BOOLEAN_TEXTS:
            raise UnreadableCell(_("it has to be true or false"))
        return BOOLEAN_TEXTS[text]
    return text


def _check_array(field: ArrayField[Any, Any], value: object) -> None:
    if isinstance(field.base_field, CharField):
        if not isinstance(value, list) or not all(isinstance(element, str) for element in value):
            raise UnreadableCell(_("it has to be an array of texts"))
    elif not is_array_of_numbers(value):
        raise UnreadableCell(_("it has to be an array of whole numbers"))


def is_array_of_numbers(value: object) -> bool:
    """Return whether the value is a list of whole numbers."""
    return isinstance(value, list) and all(type(element) is int for element in value)


def _check_choice(field: Field[Any, Any], value: Any) -> None:
    """Raise UnreadableCell if the value is not among the field's choices.

    Django checks choices only for fields that are editable.
    """
    if field.choices and not (field.blank and value == ""):
        allowed = [choice for choice, _label in field.flatchoices]
        if value not in allowed:
            raise UnreadableCell(_("it has to be one of %(these)s") % {"these": ", ".join(map(str, allowed))})


def _parse_time(text: str) -> datetime:
    when = datetime.fromisoformat(text)
    if when.tzinfo is None:
        raise UnreadableCell(_("a moment needs its offset from UTC"))
    return when


def _refuse_constant(constant: str) -> None:
    """Raise ValueError for NaN or Infinity, which json.loads would accept."""
    raise ValueError(constant)
