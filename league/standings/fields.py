"""Readers of a request's values: typed values out of JSON's, or IllegalDeal on their field.

A field is the path of the value with dots, "rules.counts.n"; the request itself is "". Null is a wrong type: what is
not said is left out.
"""

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.reading import quote

Reader = Callable[[Any, str], Any]
NEEDED: Any = object()  # the default of a key that has none

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class Key(NamedTuple):
    """A key of an object: how its value is read, and what it is when left out."""

    read: Reader
    default: Any = NEEDED


class Chosen(NamedTuple):
    """One of several rules by its name, with the values of its keys."""

    name: str
    options: tuple[tuple[str, Any], ...] = ()


def path_of(parts: Sequence[str]) -> str:
    """Return a path as a field. A key that is no name, or too long to repeat, leaves its object's own path."""
    field = ""
    for part in parts:
        longer = inside(field, part)
        if longer == field:
            break
        field = longer
    return field


def inside(field: str, key: str) -> str:
    """Return the field of a value within another's, or the other's for a key that is no name or too long to repeat."""
    longer = f"{field}.{key}" if field else key
    return longer if (key.isidentifier() or key.isdecimal()) and len(longer) <= reading.CUT else field


def keyed(value: object, field: str, keys: Mapping[str, Key]) -> dict[str, Any]:
    """Return an object's values by key, with the defaults of those left out; no other key is allowed."""
    if type(value) is not dict:
        raise IllegalDeal(field, "not_an_object", {"given": quote(value)})
    for name in value:
        if name not in keys:
            allowed = ", ".join(keys)
            raise IllegalDeal(inside(field, name), "unknown_key", {"given": quote(name), "allowed": allowed})
    found = {}
    for name, key in keys.items():
        if name in value:
            found[name] = key.read(value[name], inside(field, name))
        elif key.default is NEEDED:
            raise IllegalDeal(inside(field, name), "missing")
        else:
            found[name] = key.default
    return found


def chosen(value: object, field: str, by: str, choices: Mapping[str, Mapping[str, Key]]) -> Chosen:
    """Return the rule that `by` names, with its own keys read; another rule's keys are unknown."""
    if type(value) is not dict:
        raise IllegalDeal(field, "not_an_object", {"given": quote(value)})
    name = reading.word(value.get(by), inside(field, by), tuple(choices))
    options = keyed(value, field, {by: Key(text), **choices[name]})
    return Chosen(name, tuple((key, read) for key, read in options.items() if key != by))


def integer(value: object, field: str) -> int:
    """Read an integer of any sign."""
    if type(value) is not int:
        raise IllegalDeal(field, "not_whole", {"given": quote(value)})
    return value


def count(value: object, field: str) -> int:
    """Read an integer from 0."""
    return reading.integer(value, field)


def positive(value: object, field: str) -> int:
    """Read an integer from 1."""
    return reading.integer(value, field, minimum=1)


def flag(value: object, field: str) -> bool:
    """Read true or false."""
    if type(value) is not bool:
        raise IllegalDeal(field, "not_flag", {"given": quote(value)})
    return value


def text(value: object, field: str) -> str:
    """Read a text."""
    if type(value) is not str:
        raise IllegalDeal(field, "not_a_text", {"given": quote(value)})
    return value


def date(value: object, field: str) -> str:
    """Read a day of the calendar as YYYY-MM-DD, which sorts as days do."""
    day = text(value, field)
    if _DATE.fullmatch(day):
        with suppress(ValueError):
            return datetime.date.fromisoformat(day).isoformat()
    raise IllegalDeal(field, "not_a_date", {"given": quote(value)})


def word(*allowed: str) -> Reader:
    """Return a reader of one of the words."""
    return lambda value, field: reading.word(value, field, allowed)
