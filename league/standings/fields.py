"""Functions that check JSON values: they return a typed value, or raise IllegalDeal with the given field.

A field is the path of the value, with dots: "rules.counts.n"; the whole request is "". Null is refused as a wrong type:
an optional key must be left out instead.
"""

import datetime
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.reading import quote

Parser = Callable[[Any, str], Any]
NO_DEFAULT: Any = object()  # marks a key without a default

_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


class JsonKey(NamedTuple):
    """How to read a key of a JSON object: the parser of its value, and the value if the key is missing."""

    parse: Parser
    default: Any = NO_DEFAULT


class RuleWithOptions(NamedTuple):
    """A rule that a season uses, and the values of its own keys, as (key, value)."""

    name: str
    options: tuple[tuple[str, Any], ...] = ()


def dotted_path(parts: Sequence[str]) -> str:
    """Join keys with dots: "evenings.3.results". Stop before the first key that `join_path` leaves out."""
    field = ""
    for part in parts:
        longer = join_path(field, part)
        if longer == field:
            break
        field = longer
    return field


def join_path(field: str, key: str) -> str:
    """Return "field.key", or only `field` if the key can't be shown in a message.

    Such a key is neither an identifier nor the index of an item in a list, or makes the result too long.
    """
    longer = f"{field}.{key}" if field else key
    return longer if (key.isidentifier() or key.isdecimal()) and len(longer) <= reading.MAX_QUOTE_LENGTH else field


def read_object(value: object, field: str, keys: Mapping[str, JsonKey]) -> dict[str, Any]:
    """Return the checked value, or the default, for each of `keys` in a JSON object. `field` is its path, for errors.

    Raise IllegalDeal, the error of all JSON that the rules refuse, for an unknown key, for a wrong value, and for a
    missing key without a default.
    """
    if type(value) is not dict:
        raise IllegalDeal(field, "not_an_object", {"given": quote(value)})
    for name in value:
        if name not in keys:
            allowed = ", ".join(keys)
            raise IllegalDeal(join_path(field, name), "unknown_key", {"given": quote(name), "allowed": allowed})
    values = {}
    for name, key in keys.items():
        if name in value:
            values[name] = key.parse(value[name], join_path(field, name))
        elif key.default is NO_DEFAULT:
            raise IllegalDeal(join_path(field, name), "missing")
        else:
            values[name] = key.default
    return values


def read_chosen(
    value: object, field: str, name_key: str, choices: Mapping[str, Mapping[str, JsonKey]]
) -> RuleWithOptions:
    """Return the rule that the key `name_key` of a JSON object names, with the values of this rule's own keys."""
    if type(value) is not dict:
        raise IllegalDeal(field, "not_an_object", {"given": quote(value)})
    name = reading.word(value.get(name_key), join_path(field, name_key), tuple(choices))
    options = read_object(value, field, {name_key: JsonKey(text), **choices[name]})
    return RuleWithOptions(name, tuple((key, read) for key, read in options.items() if key != name_key))


def integer(value: object, field: str) -> int:
    if type(value) is not int:
        raise IllegalDeal(field, "not_whole", {"given": quote(value)})
    return value


def count(value: object, field: str) -> int:
    return reading.integer(value, field)


def positive_integer(value: object, field: str) -> int:
    return reading.integer(value, field, minimum=1)


def flag(value: object, field: str) -> bool:
    if type(value) is not bool:
        raise IllegalDeal(field, "not_flag", {"given": quote(value)})
    return value


def text(value: object, field: str) -> str:
    if type(value) is not str:
        raise IllegalDeal(field, "not_a_text", {"given": quote(value)})
    return value


def date(value: object, field: str) -> str:
    """Return a date as the text YYYY-MM-DD, so that texts sort by date. Raise IllegalDeal."""
    day = text(value, field)
    if _DATE.fullmatch(day):
        with suppress(ValueError):
            return datetime.date.fromisoformat(day).isoformat()
    raise IllegalDeal(field, "not_a_date", {"given": quote(value)})


def word_parser(*allowed: str) -> Parser:
    return lambda value, field: reading.word(value, field, allowed)
