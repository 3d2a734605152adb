"""Parse numbers in URLs, in forms and in names of form fields, with a bound for their length."""

from __future__ import annotations

from collections.abc import Mapping


def parse_number(text: str, *, max_digits: int) -> int | None:
    """Return the number that a text of ASCII digits has; None for any other text, or if it has more digits."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= max_digits else None


def numbered_fields(posted: Mapping[str, str], prefix: str, *, max_digits: int) -> dict[int, str]:
    """Return {number: value} of the form fields whose names are `prefix` and a number, such as `line-3`."""
    fields = {}
    for name, value in posted.items():
        number = parse_number(name.removeprefix(prefix), max_digits=max_digits) if name.startswith(prefix) else None
        if number is not None:
            fields[number] = value
    return fields
