"""Readers that turn JSON values into typed ones or refuse them on their field.

Shared by every game's `read`. A boolean is never a number; whole numbers are JSON integers.
The hot paths of a game test the usual case inline and call these only to refuse.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.rules.errors import IllegalDeal

CUT = 80  # characters of what was given that a message may repeat


def given(value: object) -> str:
    """Return what was given, as it stands in a message: at most 80 characters."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 512:
        return "a number of more than 150 digits"
    if isinstance(value, (dict, list, tuple)) and len(value) > CUT:
        return f"a {'list' if not isinstance(value, dict) else 'object'} of {len(value)} values"
    try:
        text = (
            {None: "null", True: "true", False: "false"}.get(value)
            if value is None or isinstance(value, bool)
            else repr(value)
        )
    except (RecursionError, ValueError):
        text = "a value nested too deeply"
    assert text is not None
    return text if len(text) <= CUT else text[: CUT - 1] + "…"


def keyed(value: object, field: str, required: frozenset[str], allowed: frozenset[str]) -> Mapping[str, Any]:
    """Return an object with every required key and none that is not allowed."""
    if not isinstance(value, Mapping):
        raise IllegalDeal(field, "not_an_object", {"given": given(value)})
    prefix = "" if field == "facts" else f"{field}."
    for key in value:
        if key not in allowed:
            raise IllegalDeal(
                f"{prefix}{key}" if isinstance(key, str) and key.isidentifier() and len(key) <= CUT else field,
                "unknown_key",
                {"given": given(key), "allowed": ", ".join(sorted(allowed))},
            )
    for key in sorted(required):
        if value.get(key) is None:
            raise IllegalDeal(f"{prefix}{key}", "missing")
    return value


def items(value: object, field: str, length: int | None = None) -> Sequence[Any]:
    """Return a list, of exactly `length` values when that is given."""
    if not isinstance(value, (list, tuple)):
        raise IllegalDeal(field, "missing" if value is None else "not_a_list", {"given": given(value)})
    if length is not None and len(value) != length:
        raise IllegalDeal(field, "wrong_length", {"given": len(value), "allowed": length})
    return value


def whole(value: object, field: str, least: int = 0, most: int | None = None) -> int:
    """Return an integer from `least` to `most`."""
    if type(value) is not int:
        raise IllegalDeal(field, "missing" if value is None else "not_whole", {"given": given(value)})
    if most is not None and not least <= value <= most:
        raise IllegalDeal(field, "out_of_range", {"given": given(value), "least": least, "most": most})
    if value < least:
        raise IllegalDeal(field, "too_small", {"given": given(value), "least": least})
    return value


def seat(value: object, field: str, seats: int) -> int:
    """Return a seat of the table."""
    if type(value) is not int:
        raise IllegalDeal(field, "missing" if value is None else "not_whole", {"given": given(value)})
    if not 0 <= value < seats:
        raise IllegalDeal(field, "not_a_seat", {"given": given(value), "most": seats - 1})
    return value


def word(value: object, field: str, allowed: Sequence[str]) -> str:
    """Return one of the allowed words."""
    if type(value) is not str or value not in allowed:
        raise IllegalDeal(
            field,
            "missing" if value is None else "unknown_word",
            {"given": given(value), "allowed": ", ".join(allowed)},
        )
    return value


def flag(value: object, field: str) -> bool:
    """Return true or false; left out means false."""
    if value is None:
        return False
    if type(value) is not bool:
        raise IllegalDeal(field, "not_flag", {"given": given(value)})
    return value


def halves(value: object, field: str) -> int:
    """Return points that may be halves (49, 49.0, 49.5), counted in half points: 98, 98, 99."""
    if type(value) is int:
        return 2 * value
    if type(value) is float and (2 * value).is_integer():
        return int(2 * value)
    raise IllegalDeal(field, "missing" if value is None else "not_half", {"given": given(value)})


def option(value: object, field: str, allowed: Sequence[object]) -> Any:
    """Return one of an option's values, of the same type (`0` is not `false`); null is the first of them."""
    if value is None:
        return allowed[0]
    for each in allowed:
        if type(each) is type(value) and each == value:
            return each
    raise IllegalDeal(
        field, "unknown_word", {"given": given(value), "allowed": ", ".join(given(each) for each in allowed)}
    )
