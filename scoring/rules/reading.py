"""Validators of JSON values, used by the function `read` of every game. They return the typed value, or raise
IllegalDeal with the given field.

A boolean is not accepted as a number, and a float not as a whole number. For speed, a game may test the usual case
itself, and call a validator only to raise the error.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.rules.errors import IllegalDeal

MAX_QUOTE_LENGTH = 80  # the longest quotation of a value in a message, in characters


def quote(value: object) -> str:
    """Return a value as text for an error message: strings in quotes, shortened to MAX_QUOTE_LENGTH characters.

    For a very large number, a long list or object, or deep nesting, return a description instead.
    """
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 512:
        return "a number of more than 150 digits"
    if isinstance(value, (dict, list, tuple)) and len(value) > MAX_QUOTE_LENGTH:
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
    return text if len(text) <= MAX_QUOTE_LENGTH else text[: MAX_QUOTE_LENGTH - 1] + "…"


def checked_object(value: object, field: str, required: frozenset[str], allowed: frozenset[str]) -> Mapping[str, Any]:
    """Return the JSON object `value`. Raise IllegalDeal if it is no object, has a key that is not in `allowed`, or if a
    key of `required` is missing or null.
    """
    if not isinstance(value, Mapping):
        raise IllegalDeal(field, "not_an_object", {"given": quote(value)})
    prefix = "" if field == "facts" else f"{field}."
    for key in value:
        if key not in allowed:
            raise IllegalDeal(
                f"{prefix}{key}"
                if isinstance(key, str) and key.isidentifier() and len(key) <= MAX_QUOTE_LENGTH
                else field,
                "unknown_key",
                {"given": quote(key), "allowed": ", ".join(sorted(allowed))},
            )
    for key in sorted(required):
        if value.get(key) is None:
            raise IllegalDeal(f"{prefix}{key}", "missing")
    return value


def items(value: object, field: str, length: int | None = None) -> Sequence[Any]:
    """Return the list `value`. Raise IllegalDeal if it is no list, or if its length is not `length`."""
    if not isinstance(value, (list, tuple)):
        raise IllegalDeal(field, "missing" if value is None else "not_a_list", {"given": quote(value)})
    if length is not None and len(value) != length:
        raise IllegalDeal(field, "wrong_length", {"given": len(value), "allowed": length})
    return value


def integer(value: object, field: str, minimum: int = 0, maximum: int | None = None) -> int:
    if type(value) is not int:
        raise IllegalDeal(field, "missing" if value is None else "not_whole", {"given": quote(value)})
    if maximum is not None and not minimum <= value <= maximum:
        raise IllegalDeal(field, "out_of_range", {"given": quote(value), "least": minimum, "most": maximum})
    if value < minimum:
        raise IllegalDeal(field, "too_small", {"given": quote(value), "least": minimum})
    return value


def seat(value: object, field: str, seats: int) -> int:
    if type(value) is not int:
        raise IllegalDeal(field, "missing" if value is None else "not_whole", {"given": quote(value)})
    if not 0 <= value < seats:
        raise IllegalDeal(field, "not_a_seat", {"given": quote(value), "most": seats - 1})
    return value


def word(value: object, field: str, allowed: Sequence[str]) -> str:
    if type(value) is not str or value not in allowed:
        raise IllegalDeal(
            field,
            "missing" if value is None else "unknown_word",
            # Quotes show the difference between the number 100 and the text '100'.
            {"given": quote(value), "allowed": ", ".join(allowed if type(value) is str else map(quote, allowed))},
        )
    return value


def boolean(value: object, field: str) -> bool:
    """Return the boolean `value`; None means False. Raise IllegalDeal for other types."""
    if value is None:
        return False
    if type(value) is not bool:
        raise IllegalDeal(field, "not_flag", {"given": quote(value)})
    return value


def read_half_points(value: object, field: str) -> int:
    """Return points as half points: 49 becomes 98, 49.5 becomes 99. Raise IllegalDeal for other fractions and types."""
    if type(value) is int:
        return 2 * value
    if type(value) is float and (2 * value).is_integer():
        return int(2 * value)
    raise IllegalDeal(field, "missing" if value is None else "not_half", {"given": quote(value)})


def allowed_value(value: object, field: str, allowed: Sequence[object]) -> Any:
    """Return the value if it is one of `allowed`, with the same type (0 is not False). None means the first allowed
    value.

    Raise IllegalDeal for any other value.
    """
    if value is None:
        return allowed[0]
    for choice in allowed:
        if type(choice) is type(value) and choice == value:
            return choice
    raise IllegalDeal(field, "unknown_word", {"given": quote(value), "allowed": ", ".join(map(quote, allowed))})


def check_zero_sum(totals: Sequence[int], deals: int, options: Any) -> None:
    """Check that the totals of a table add up to 0. Raise IllegalDeal with the field "totals"."""
    if sum(totals):
        raise IllegalDeal("totals", "totals_not_zero", {"given": sum(totals)})
