"""Parse numbers in the texts of URLs and forms, with a bound for their length."""

from __future__ import annotations


def parse_number(text: str, *, max_digits: int) -> int | None:
    """Return the number that a text of ASCII digits has; None for any other text, or if it has more digits."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= max_digits else None
