"""Functions that write a sum of integers as text, in the notation of the tarot documents: 25 + 19 − 10."""

from collections.abc import Iterable


def first_term(number: int) -> str:
    """Return the first term of a sum as text: "25" or "−25"."""
    return f"−{-number}" if number < 0 else str(number)


def sum_text(terms: Iterable[int]) -> str:
    """Return a sum as text, without its terms that are zero: "25 + 19 − 10"."""
    head, *rest = [term for term in terms if term] or [0]
    return first_term(head) + following_terms(rest)


def following_terms(terms: Iterable[int]) -> str:
    """Return the terms after the first as text, each with its sign: " + 30 − 200". Terms that are zero are left out."""
    return "".join(f" − {-term}" if term < 0 else f" + {term}" for term in terms if term)
